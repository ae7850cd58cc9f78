"""The topics: their names, and how long each keeps its records."""

from dataclasses import dataclass, fields
from datetime import timedelta
from typing import Final


@dataclass(frozen=True, slots=True)
class TopicNames:
    """What each topic is called. `prefixed` puts one prefix before all of them."""

    segments: str = "transcripts.segments"
    assessments: str = "transcripts.assessments"
    flags: str = "transcripts.flags"
    calls: str = "transcripts.calls"
    state: str = "transcripts.state"
    reviews: str = "transcripts.reviews"
    audit: str = "transcripts.audit"
    dead_letters: str = "transcripts.dead-letters"

    def prefixed(self, prefix: str) -> "TopicNames":
        """The same names, each after the prefix."""
        return TopicNames(**{field.name: prefix + getattr(self, field.name) for field in fields(self)})


COMPACTION: Final = {
    "cleanup.policy": "compact",
    "segment.bytes": str(16 * 1024 * 1024),
    "min.cleanable.dirty.ratio": "0.1",
    "max.compaction.lag.ms": str(60 * 60 * 1000),
    "delete.retention.ms": str(60 * 60 * 1000),
}
"""Options of a compacted topic: what was replaced or removed is gone within about two hours, not at some time."""

RETENTION: Final[dict[str, timedelta | None]] = {
    "segments": timedelta(days=7),
    "assessments": timedelta(days=30),
    "flags": timedelta(days=90),
    "calls": timedelta(days=90),
    "state": None,
    "reviews": None,
    "audit": timedelta(days=6 * 365),
    "dead_letters": timedelta(days=14),
}
"""How long the topic of each field of `TopicNames` keeps a record. None: compacted."""
