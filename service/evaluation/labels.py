"""Everything that is known to be right or wrong: labelled mishearings, injected errors, clean calls."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from service.calibration.calibrate import LabelSources
from service.calibration.labelled import Item, read_calls, read_impact, read_injected, read_unclear
from streams.messages import Segment


@dataclass(frozen=True, slots=True)
class Injected:
    """An error put into a recorded call, beside the same stretch without it."""

    altered: Item
    untouched: Item

    @property
    def call(self) -> str:
        """The recorded call."""
        return self.altered.source_call

    @property
    def type(self) -> str:
        """What kind of error."""
        return self.altered.kind


@dataclass(frozen=True, slots=True)
class Labels:
    """What the monitor is held against. Each part may be empty.

    Attributes:
        impact: Mishearings with clinicians' labels.
        injected: Injected errors.
        calls: Clean calls.
        unclear: Sequences of segments that the calls' transcriber could not hear well, by call.
    """

    impact: Sequence[Item] = ()
    injected: Sequence[Injected] = ()
    calls: Mapping[str, Sequence[Segment]] = field(default_factory=dict, repr=False)
    unclear: Mapping[str, frozenset[int]] = field(default_factory=dict)


def read_labels(sources: LabelSources) -> Labels:
    """Reads the files that are there.

    Raises:
        InvalidLabels: one cannot be used; names file and line, and none of their text.
    """
    calls = {} if sources.calls is None else read_calls(sources.calls)
    stretches = iter(() if sources.injected is None else read_injected(sources.injected, calls))
    return Labels(
        impact=() if sources.impact is None else read_impact(sources.impact),
        injected=tuple(Injected(altered, next(stretches)) for altered in stretches),
        calls=calls,
        unclear={} if sources.calls is None else read_unclear(sources.calls),
    )
