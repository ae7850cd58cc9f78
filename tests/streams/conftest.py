"""The broker process that the tests of this folder share."""

from tests.kafka import broker_address

__all__ = ["broker_address"]
