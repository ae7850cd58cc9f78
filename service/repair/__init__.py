"""Noisy-channel repair: which expected term a suspicious stretch of words sounds like, and whether it fits better."""
