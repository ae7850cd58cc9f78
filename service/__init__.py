"""The monitor: signals, risk, call state, metrics, HTTP and the command line `auscult`."""
