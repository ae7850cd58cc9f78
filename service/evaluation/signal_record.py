"""What each signal gives, taken down while the signals run: whose a feature is, and which flags are proposed."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from service.evaluation.likelihood import Likelihood
from service.moment import Moment
from service.signals.base import Finding, Measuring, Proposal, Signal
from streams.messages import Segment


@dataclass(frozen=True, slots=True)
class SignalRecord:
    """What signals gave.

    Attributes:
        by_feature: Name of the signal by name of the feature.
    """

    by_feature: dict[str, str] = field(default_factory=dict)
    _proposals: dict[tuple[str, int], dict[int, Sequence[Proposal]]] = field(default_factory=dict, repr=False)

    def of(self, signals: Sequence[Signal]) -> list[Signal]:
        """The same signals, whose findings are taken down, and the likelihood baselines beside them."""
        return [*(_TakenDown(signal, at, self) for at, signal in enumerate(signals)), Likelihood()]

    def take_proposals(self, segment: Segment) -> list[Proposal]:
        """What the signals proposed for a segment, in the order of the signals; forgotten with this."""
        by_signal = self._proposals.pop((segment.call_id, segment.sequence), {})
        return [proposal for _, proposals in sorted(by_signal.items()) for proposal in proposals]

    def take_down(self, segment: Segment, place: int, signal: str, finding: Finding) -> None:
        """Notes what a signal, and where it stands in the list, found in a segment."""
        for feature in finding.features:
            self.by_feature.setdefault(feature, signal)
        if finding.proposals:
            by_place = self._proposals.setdefault((segment.call_id, segment.sequence), {})
            by_place[place] = finding.proposals


@dataclass(frozen=True, slots=True)
class _TakenDown:
    inner: Signal
    place: int
    record: SignalRecord

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def readings(self) -> tuple[str, ...]:
        return self.inner.readings

    def measure(self, moment: Moment) -> Measuring:
        finding = yield from self.inner.measure(moment)
        self.record.take_down(moment.segment, self.place, self.name, finding)
        return finding
