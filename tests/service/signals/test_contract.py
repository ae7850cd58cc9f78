"""What every signal promises, checked of every signal that the package holds."""

import importlib
import inspect
import math
import pkgutil

import pytest

import service.signals
from models.interfaces import ModelFailure
from service.call import CallState
from service.composition import build_signals, new_ledger
from service.moment import Moment
from service.monitor_settings import MonitorSettings
from service.rounds import run_rounds
from service.signals.base import Finding, Signal
from streams.messages import Segment, Speaker
from tests.service.moments import FAKE_ANSWERERS, LEXICON, finding_of

SETTINGS = MonitorSettings(grammar=True)
"""With every signal, the optional ones too."""
SIGNALS = build_signals(SETTINGS, LEXICON, contradiction_available=True)

CALL: list[tuple[Speaker, str]] = [
    ("clinician", "Hello, how can I help you today?"),
    ("patient", "Um, I've had this headache for about 4 days and I feel really sick with it."),
    ("clinician", "OK. Any fever?"),
    ("patient", "No, no fever."),
    ("clinician", "And are you taking anything for it?"),
    ("patient", "Just my break and some paracetamol, 500 mg twice a day."),
    ("clinician", "So you've had a fever for 10 days, is that right?"),
    ("unknown", ""),
    ("patient", "uh"),
    ("patient", "\u0416\U0001f600 \x00 42 \u2019"),
]


def moments(formatted: bool = True) -> list[Moment]:
    state = CallState.begin(new_ledger(SETTINGS, LEXICON), SETTINGS.call)
    return [
        state.admit(
            Segment(
                call_id="call",
                sequence=sequence,
                speaker=speaker,
                text=text if formatted else text.lower().replace(",", "").replace(".", "").replace("?", ""),
                start=6.0 * sequence,
                end=6.0 * sequence + 5.0,
            ),
            understood=True,
            settings=SETTINGS.call,
            pace=SETTINGS.pace,
        )
        for sequence, (speaker, text) in enumerate(CALL)
    ]


each_signal = pytest.mark.parametrize("signal", SIGNALS, ids=lambda signal: signal.name)


def test_every_signal_in_the_package_is_in_use() -> None:
    found = {
        member
        for module in pkgutil.iter_modules(service.signals.__path__)
        for _, member in inspect.getmembers(
            importlib.import_module(f"service.signals.{module.name}"), inspect.isclass
        )
        if member.__module__ == f"service.signals.{module.name}"
        and hasattr(member, "measure")
        and member is not Signal
    }

    assert found == {type(signal) for signal in SIGNALS}


@each_signal
def test_it_is_documented(signal: Signal) -> None:
    assert inspect.getdoc(type(signal))
    assert inspect.getdoc(type(signal).measure)
    assert inspect.getmodule(type(signal)).__doc__


@each_signal
def test_it_gives_the_readings_that_it_names(signal: Signal) -> None:
    for moment in moments():
        assert set(finding_of(signal, moment).readings) == set(signal.readings)


@each_signal
def test_its_numbers_are_finite_and_its_scores_between_0_and_1(signal: Signal) -> None:
    for moment in moments():
        finding = finding_of(signal, moment)
        for reading in finding.readings.values():
            assert (reading.value is None) == (reading.absent is not None)
            if reading.value is not None:
                assert math.isfinite(reading.value)
                assert reading.score is not None
                assert 0.0 <= reading.score <= 1.0
        assert all(math.isfinite(value) for value in finding.features.values())
        assert all(0.0 <= proposal.strength <= 1.0 for proposal in finding.proposals)


@each_signal
def test_its_spans_lie_within_the_text(signal: Signal) -> None:
    for moment in moments():
        finding = finding_of(signal, moment)
        evidence = [one.span for reading in finding.readings.values() for one in reading.evidence]
        for span in (*evidence, *(proposal.span for proposal in finding.proposals)):
            if span is not None:
                assert 0 <= span[0] < span[1] <= len(moment.segment.text)


@each_signal
def test_it_is_pure(signal: Signal) -> None:
    for moment in moments():
        assert finding_of(signal, moment) == finding_of(signal, moment)


@each_signal
def test_who_shares_a_batch_changes_nothing(signal: Signal) -> None:
    alone = [finding_of(signal, moment) for moment in moments()]
    together = run_rounds([signal.measure(moment) for moment in moments()], FAKE_ANSWERERS)

    assert together == alone


@each_signal
def test_formatted_and_bare_text_agree(signal: Signal) -> None:
    for formatted, bare in zip(moments(formatted=True), moments(formatted=False), strict=True):
        one, other = finding_of(signal, formatted), finding_of(signal, bare)
        assert {name: (reading.value, reading.score) for name, reading in one.readings.items()} == {
            name: (reading.value, reading.score) for name, reading in other.readings.items()
        }
        assert [(flag.type, flag.subject) for flag in one.proposals] == [
            (flag.type, flag.subject) for flag in other.proposals
        ]


@each_signal
def test_a_failing_model_makes_it_absent_or_less_sure_but_never_breaks_it(signal: Signal) -> None:
    def fail(_: object) -> list[object]:
        raise ModelFailure("unavailable")

    answerers = dict.fromkeys(FAKE_ANSWERERS, fail)
    for outcome in run_rounds([signal.measure(moment) for moment in moments()], answerers):
        assert isinstance(outcome, (Finding, ModelFailure))


@each_signal
def test_transcript_words_are_not_shown_in_a_repr(signal: Signal) -> None:
    for moment in moments():
        shown = repr(moment) + repr(finding_of(signal, moment))
        assert not any(word in shown for word in ("headache", "paracetamol", "fever"))
