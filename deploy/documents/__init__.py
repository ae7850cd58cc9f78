"""Reference documents that follow from the code, so that they cannot say anything else than it does."""
