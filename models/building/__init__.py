"""Builds models from the files of pinned packages. Needs the `build` extra; the running service never comes here."""
