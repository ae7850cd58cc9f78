"""What the monitor is given and gives back, for one poll: plain data between Kafka, files and tests."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from service.errors import AuscultError
from streams.messages import Assessment, CallEnded, CallSummary, Segment

Oddity = Literal["repeated", "revised", "late", "unsupported_language", "evicted_call"]
"""What is odd but not wrong with a segment. Each is counted."""

WorstFlag = Literal["critical", "high", "medium", "low", "none"]
"""The most severe flag of a call so far."""


@dataclass(frozen=True, slots=True)
class Observation:
    """Everything that one poll brought about.

    Attributes:
        assessments: One for each segment that was not a repetition, in the order of the batch.
        summaries: One for each call that ended.
        oddities: How often each oddity was seen.
    """

    assessments: tuple[Assessment, ...] = ()
    summaries: tuple[CallSummary, ...] = ()
    oddities: Mapping[Oddity, int] = field(default_factory=dict)


class Observer(Protocol):
    """The monitor as the live service, `auscult score` and the tests see it. Synchronous; not thread-safe."""

    def observe(
        self, batch: Sequence[Segment | CallEnded], now: float, shed: Collection[str] = ()
    ) -> Observation:
        """Assesses a poll's segments of many calls.

        Args:
            batch: In the order they were received; within a call that order is what the call's state follows.
            now: Seconds on any clock that only moves forward; tells which calls have fallen silent.
            shed: Names of signals that are not measured this time: absent in the assessments, unknown to the risk.
        """
        ...

    def silent(self, now: float) -> Observation:
        """Summarises and forgets the calls that have been silent for longer than the settings allow."""
        ...

    def forget(self, call_ids: Sequence[str]) -> None:
        """Drops calls without a summary: their partition has moved to another replica."""
        ...

    def finish(self) -> Observation:
        """Summarises and forgets every open call: the input has ended."""
        ...

    @property
    def open_calls(self) -> int:
        """How many calls are being followed."""
        ...


class StateUnreadable(AuscultError):
    """A call's state was written by another version, or is no state at all. Holds nothing of it."""


class MovableCalls(Protocol):
    """The monitor as calls move between replicas: it gives their state out and takes it in again."""

    def snapshots(self, call_ids: Iterable[str]) -> Mapping[str, Mapping[str, Any]]:
        """The state of each of the calls that is open, as JSON-able data with a version of its own form.

        What can be derived from it (embeddings, the language model's cache) is not in it. Later calls of `observe`
        change nothing of what was given out.
        """
        ...

    def restore(self, call_id: str, state: Mapping[str, Any], last_heard: float) -> None:
        """Goes on with a call where the state left it; whatever is known of the call here is replaced.

        Args:
            call_id: The call.
            state: From `snapshots`, of this process or another.
            last_heard: When it was written, on the clock of `observe`'s `now`.

        Raises:
            StateUnreadable: the state is of another version or form. The call is then not known here.
        """
        ...


class LiveObserver(Observer, MovableCalls, Protocol):
    """The monitor as the live service needs it."""

    def calls_by_worst_flag(self) -> Mapping[WorstFlag, int]:
        """How many calls are being followed, by the most severe flag that each has so far."""
        ...
