"""Exports models of a hub or a folder through optimum. Needs the `export` extra; only here is torch used."""
