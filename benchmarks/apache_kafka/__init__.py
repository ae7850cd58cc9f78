"""A real Apache Kafka on this machine, for the tests and the fault suite: one node, its own data folder, free ports."""
