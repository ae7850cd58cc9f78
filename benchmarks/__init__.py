"""Measurements of speed, cost and quality, run by hand."""

import models  # noqa: F401 - before any import of onnxruntime: it keeps the runtime from reporting to its makers
