"""Who asks and who answers."""

STAFF = frozenset({"clinician", "agent"})
"""Speakers who ask; every other speaker counts as the patient."""
