"""The signals, one file each; `base.py` says what every signal is. `service/composition.py` puts them together."""
