"""Fitting the risk model to labelled and to injected errors."""
