"""Models: where they come from, how they are built or exported, how they are run.

This package knows text, not Kafka, and imports neither `streams` nor `service`.
"""

import os

# ONNX Runtime reports to its makers what it runs and where, and keeps an identifier of the machine, unless this is set
# before it is imported. Whoever wants that sets another value.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
