"""Models: where they come from, how they are built or exported, how they are run.

This package knows text, not Kafka, and imports neither `streams` nor `service`.
"""
