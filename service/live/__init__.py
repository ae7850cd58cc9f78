"""The live service: Kafka in, Kafka out, and HTTP beside it.

One poll after the other goes through `poll.py`; `app.py` wires the parts together and runs them.
"""
