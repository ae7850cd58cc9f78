"""Adapters: recognisers' own live messages become segments. One file a recogniser, none knows of Kafka."""
