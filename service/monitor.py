"""The monitor: a poll's segments in, assessments and summaries out. Plain and synchronous.

`observe` admits each segment to its call in order, measures all signals of all segments in rounds (one batch
per model and round), and then decides risk and flags in order again. The live service, `auscult score` and the
tests all call the same `observe`.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from itertools import cycle
from typing import Any

import structlog

from service.alert import with_alert
from service.call import CallState
from service.composite import composite_quality, quality_recommendation
from service.dialogue.ledger import AssertionLedger
from service.flagging import decide_flags
from service.moment import Moment
from service.monitor_settings import MonitorSettings
from service.observation import Observation, Oddity, WorstFlag
from service.risk import RiskModel
from service.rounds import Answerer, Outcome, run_rounds
from service.signals.base import FAILED, SHED, Finding, ModelName, Signal, absent
from service.state.snapshot import OpenCall, read_snapshot, write_snapshot
from service.summary import CallTally, EndedBy, TallyForm, operating_point
from streams.identity import assessment_id
from streams.messages import Assessment, CallEnded, CallSummary, Segment

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Admitted:
    """A segment on its way through the poll."""

    call: OpenCall
    moment: Moment
    position: int
    understood: bool
    late: bool
    revision: bool


class Monitor:
    """Follows many calls. Not thread-safe: one thread at a time may call it."""

    def __init__(
        self,
        settings: MonitorSettings,
        signals: Sequence[Signal],
        answerers: Mapping[ModelName, Answerer],
        risk_model: RiskModel,
        new_ledger: Callable[[], AssertionLedger],
    ) -> None:
        self._settings = settings
        self._recommendation = operating_point(settings.recommendation, risk_model.weights.review_risk)
        self._signals = tuple(signals)
        self._answerers = answerers
        self._risk_model = risk_model
        self._new_ledger = new_ledger
        self._calls: dict[str, OpenCall] = {}
        self._ended: dict[str, TallyForm] = {}

    @property
    def open_calls(self) -> int:
        """How many calls are being followed."""
        return len(self._calls)

    def calls_by_worst_flag(self) -> Counter[WorstFlag]:
        """How many calls are being followed, by the most severe flag that each has so far."""
        return Counter(call.tally.worst_flag for call in self._calls.values())

    def observe(
        self, batch: Sequence[Segment | CallEnded], now: float, shed: Collection[str] = ()
    ) -> Observation:
        """Assesses a poll's segments; see `Observer.observe`."""
        oddities: Counter[Oddity] = Counter()
        assessments: list[Assessment] = []
        summaries: list[CallSummary] = []
        pending: list[_Admitted] = []
        for message in batch:
            if isinstance(message, Segment):
                pending.extend(self._admit(message, now, oddities))
            elif message.call_id in self._calls:
                # Its summary needs its assessments: what is pending is assessed first.
                assessments.extend(self._assess(pending, shed))
                pending.clear()
                summaries.append(self._end(message.call_id, "event"))
        assessments.extend(self._assess(pending, shed))
        summaries.extend(self._evict(oddities))
        return Observation(tuple(assessments), tuple(summaries), dict(oddities))

    def listen(self, segments: Sequence[Segment], now: float) -> None:
        """Takes segments into their calls without assessing them, for a call that is joined midway."""
        for segment in segments:
            self._admit(segment, now, Counter())

    def silent(self, now: float) -> Observation:
        """Summarises and forgets the calls that have been silent for too long."""
        since = now - self._settings.call.silence_seconds
        silent = [call_id for call_id, call in self._calls.items() if call.state.last_heard < since]
        return Observation(summaries=tuple(self._end(call_id, "silence") for call_id in silent))

    def forget(self, call_ids: Sequence[str]) -> None:
        """Drops calls without a summary: they have moved to another replica."""
        for call_id in call_ids:
            self._calls.pop(call_id, None)
            self._ended.pop(call_id, None)

    def finish(self) -> Observation:
        """Summarises and forgets every open call."""
        return Observation(
            summaries=tuple(self._end(call_id, "end_of_input") for call_id in list(self._calls))
        )

    def snapshots(self, call_ids: Iterable[str]) -> dict[str, dict[str, Any]]:
        """The state of each of the calls that is open; see `MovableCalls.snapshots`."""
        known = ((call_id, self._calls.get(call_id)) for call_id in call_ids)
        return {call_id: write_snapshot(call) for call_id, call in known if call is not None}

    def restore(self, call_id: str, state: Mapping[str, Any], last_heard: float) -> None:
        """Goes on with a call where its state left it; see `MovableCalls.restore`."""
        self.forget((call_id,))
        self._calls[call_id] = read_snapshot(state, self._new_ledger(), self._settings.call, last_heard)

    def _admit(self, segment: Segment, now: float, oddities: Counter[Oddity]) -> list[_Admitted]:
        # The call that was heard last comes last, so that of calls heard in one poll the first is evicted first.
        call = self._calls.pop(segment.call_id, None) or self._new_call(segment.call_id)
        self._calls[segment.call_id] = call
        call.state.last_heard = now
        arrival = call.state.arrival(segment)
        if arrival != "new":
            oddities[arrival] += 1
        if arrival == "repeated":
            return []
        understood = self._understood(segment)
        if not understood:
            oddities["unsupported_language"] += 1
        position = call.state.positions
        moment = call.state.admit(segment, understood, self._settings.call, self._settings.pace)
        return [_Admitted(call, moment, position, understood, arrival == "late", arrival == "revised")]

    def _new_call(self, call_id: str) -> OpenCall:
        """A call that begins, or one that goes on after its end: then its summary goes on where it was."""
        ended = self._ended.pop(call_id, None)
        state = CallState.begin(self._new_ledger(), self._settings.call)
        return OpenCall(state, CallTally() if ended is None else CallTally.of_form(ended))

    def _understood(self, segment: Segment) -> bool:
        if segment.language is None:
            return True
        return segment.language.lower().replace("_", "-").split("-")[0] in self._settings.call.languages

    def _assess(self, pending: Sequence[_Admitted], shed: Collection[str]) -> list[Assessment]:
        signals = [signal for signal in self._signals if signal.name not in shed]
        understood = [one for one in pending if one.understood]
        outcomes = run_rounds(
            [signal.measure(one.moment) for one in understood for signal in signals], self._answerers
        )
        _log_failures(signals, outcomes)
        found = iter(outcomes)
        return [
            self._conclude(one, {signal.name: next(found) for signal in signals} if one.understood else None)
            for one in pending
        ]

    def _conclude(self, one: _Admitted, outcomes: Mapping[str, Outcome] | None) -> Assessment:
        findings = [_finding(signal, outcomes) for signal in self._signals]
        readings = {name: reading for finding in findings for name, reading in finding.readings.items()}
        features = {name: value for finding in findings for name, value in finding.features.items()}
        segment = one.moment.segment
        proposed = [proposal for finding in findings for proposal in finding.proposals]
        risk = self._risk_model.risk(features)
        proposals = with_alert(proposed, segment, risk, self._risk_model.weights.alert_risk, readings)
        quality = composite_quality(readings, self._settings.composite)
        assessment = Assessment(
            id=assessment_id(segment.call_id, segment.sequence),
            segment=segment,
            late=one.late,
            revision=one.revision,
            risk=risk,
            quality=quality,
            quality_recommendation=quality_recommendation(quality, self._settings.composite),
            signals=readings,
            features=features,
            flags=decide_flags(
                segment, one.position, proposals, one.call.state.recent_flags, self._settings.flags
            ),
        )
        one.call.tally.add(assessment)
        return assessment

    def _end(self, call_id: str, ended_by: EndedBy) -> CallSummary:
        tally = self._calls.pop(call_id).tally
        self._ended[call_id] = tally.form()
        if len(self._ended) > self._settings.call.ended_calls:
            del self._ended[next(iter(self._ended))]
        return tally.summary(call_id, ended_by, self._recommendation, self._settings.composite)

    def _evict(self, oddities: Counter[Oddity]) -> list[CallSummary]:
        surplus = len(self._calls) - self._settings.call.open_calls
        # By when they were heard, not by their order here: calls are restored in any order.
        quietest = nsmallest(surplus, self._calls, key=lambda call_id: self._calls[call_id].state.last_heard)
        oddities.update({"evicted_call": len(quietest)} if quietest else {})
        return [self._end(call_id, "silence") for call_id in quietest]


def _finding(signal: Signal, outcomes: Mapping[str, Outcome] | None) -> Finding:
    """What a signal found, by the outcomes of those that were measured; None: the language is not understood."""
    if outcomes is None:
        return absent(signal.readings, "unsupported_language")
    if signal.name not in outcomes:
        return absent(signal.readings, SHED)
    outcome = outcomes[signal.name]
    return outcome if isinstance(outcome, Finding) else absent(signal.readings, FAILED)


def _log_failures(signals: Sequence[Signal], outcomes: Sequence[Outcome]) -> None:
    """One line a poll for each signal that failed, whatever the number of segments."""
    failures = Counter(
        (signal.name, type(outcome).__name__)
        for signal, outcome in zip(cycle(signals), outcomes, strict=False)
        if not isinstance(outcome, Finding)
    )
    for (signal, error), segments in failures.items():
        _log.warning("signal_failed", signal=signal, error=error, segments=segments)
