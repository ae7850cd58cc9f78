"""How well risk, signals and flags find what is known to be wrong, on labelled and on recorded calls."""
