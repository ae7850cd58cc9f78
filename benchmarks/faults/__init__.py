"""Faults on a real Apache Kafka: what is lost, what comes twice, how soon it goes on, and whether risk stays the same.

python -m benchmarks.faults              # every case
python -m benchmarks.faults --short      # a few minutes, as CI runs it
python -m benchmarks.faults --case killed-mid-batch --delivery exactly_once
"""
