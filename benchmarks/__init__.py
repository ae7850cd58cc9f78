"""Measurements of speed, cost and quality, run by hand."""
