"""Puts recognition errors of known kinds into clean transcripts, to see what a monitor or a recogniser makes of them.

Six kinds of errors, one file each; `registry.py` lists them, `plan.py` decides which segments get one, and
`manifest.py` and `copies.py` write down what was changed. The same seed gives the same errors on every machine.
"""
