"""Streams: the messages, and how they come from and go to Kafka.

This package imports neither `models` nor `service`.
"""
