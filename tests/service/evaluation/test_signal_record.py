from service.evaluation.likelihood import ALONE, IN_CONTEXT, PEAKS_IN_CONTEXT, Likelihood
from service.evaluation.signal_record import SignalRecord
from service.moment import Moment
from service.monitor_settings import PaceSettings
from service.signals.base import Finding, FlagType, Measuring, Proposal
from service.signals.speech_rate import SpeechRate
from tests.service.moments import finding_of, moment_of

MOMENT = moment_of("No, only the cough.", [("clinician", "Any fever?")], start=3.0, end=5.0)


def test_features_are_noted_with_the_signal_that_gave_them() -> None:
    record = SignalRecord()
    for signal in record.of([SpeechRate(PaceSettings())]):
        finding_of(signal, MOMENT)

    assert set(record.by_feature.values()) == {"speech_rate"}
    assert "words_missing" in record.by_feature


def test_a_signal_finds_the_same_while_it_is_noted() -> None:
    plain = SpeechRate(PaceSettings())

    noted, _ = SignalRecord().of([plain])

    assert (noted.name, noted.readings) == (plain.name, plain.readings)
    assert finding_of(noted, MOMENT) == finding_of(plain, MOMENT)


class Proposing:
    """A signal that proposes to flag everything."""

    name = "proposing"
    readings: tuple[str, ...] = ()

    def __init__(self, kind: FlagType) -> None:
        self.kind = kind

    def measure(self, moment: Moment) -> Measuring:
        yield from ()
        proposal = Proposal(
            type=self.kind,
            severity="low",
            span=None,
            reason="any",
            explanation="Any.",
            subject=self.kind,
            strength=1.0,
        )
        return Finding({}, (proposal,))


def test_proposals_are_kept_in_the_order_of_the_signals_and_taken_once() -> None:
    record = SignalRecord()
    first, second, _ = record.of([Proposing("lost_words"), Proposing("misheard_term")])
    for signal in (second, first):
        finding_of(signal, MOMENT)

    assert [proposal.type for proposal in record.take_proposals(MOMENT.segment)] == [
        "lost_words",
        "misheard_term",
    ]
    assert record.take_proposals(MOMENT.segment) == []


def test_the_baselines_stand_beside_the_signals() -> None:
    *_, baselines = SignalRecord().of([])

    features = finding_of(baselines, MOMENT).features

    assert set(features) == {ALONE, IN_CONTEXT, PEAKS_IN_CONTEXT}
    assert features[PEAKS_IN_CONTEXT] >= features[IN_CONTEXT]


def test_nothing_said_has_no_likelihood_where_lines_have_no_end() -> None:
    assert finding_of(Likelihood(), moment_of("")).features == {}
