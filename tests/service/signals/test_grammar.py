import pytest

from service.composition import build_signals
from service.dialogue.terms import PhraseMatcher
from service.monitor_settings import MonitorSettings
from service.signals.grammar import Grammar
from tests.service.moments import LEXICON, finding_of, moment_of

SIGNAL = Grammar(PhraseMatcher({"my the syndrome": ("condition", "invented syndrome")}))


def test_each_error_costs_a_tenth_and_is_evidence() -> None:
    reading = finding_of(SIGNAL, moment_of("Well, he have, uh, an headache.")).readings["grammar_simple"]

    assert reading.value == 2
    assert reading.score == pytest.approx(0.8)
    assert [one.span for one in reading.evidence] == [(6, 13), (19, 30)]


def test_stammers_are_no_errors() -> None:
    assert finding_of(SIGNAL, moment_of("the the pain is in my my back")).readings["grammar"].value == 0


def test_medical_terms_are_exempt() -> None:
    assert finding_of(SIGNAL, moment_of("i have my the syndrome")).readings["grammar"].value == 0


def test_it_is_off_unless_asked_for() -> None:
    default, asked_for = (
        {
            signal.name
            for signal in build_signals(MonitorSettings(grammar=on), LEXICON, contradiction_available=False)
        }
        for on in (False, True)
    )

    assert asked_for - default == {"grammar"}
