import io
import re
from dataclasses import replace

import pytest
from rich.console import Console

from service.demo.bundle import PlantedError
from service.demo.comparison import compare
from service.demo.outcome import RaisedFlag
from service.demo.screen import PLAIN_WIDTH, Screen, clock, words_concerned
from streams.messages import Flag, Related

TEXT = "well it was on saturday in the kitchen that i nearly painted when i stood up too quickly i think"
SPAN = (TEXT.index("painted"), TEXT.index("painted") + len("painted"))
RAISED = RaisedFlag(
    Flag(
        id="flag-1",
        call_id="headache",
        sequence=4,
        type="misheard_term",
        severity="medium",
        span=SPAN,
        reason="sounds_like_expected_term",
        explanation="Sounds like a symptom that fits what was asked.",
        suggestion="fainted",
    ),
    "patient",
    133.4,
    TEXT,
)
SUMMARY = {
    "call_id": "headache",
    "duration_seconds": 264.0,
    "segments": 66,
    "recommendation": "REVIEW",
    "risk": 0.61,
    "quality": None,
    "flags_by_severity": {"critical": 0, "high": 1, "medium": 2, "low": 0},
    "worst_segments": [4],
}


def shown(*, terminal: bool = False, width: int = PLAIN_WIDTH) -> tuple[Screen, io.StringIO]:
    output = io.StringIO()
    return Screen(Console(file=output, force_terminal=terminal, width=width, highlight=False)), output


def test_a_flag_says_where_how_urgent_why_and_which_words() -> None:
    screen, output = shown()
    screen.flag(RAISED, {})
    line = " ".join(output.getvalue().split())
    for part in ("headache", "02:13", "patient", "medium", "Sounds like a symptom", "fainted", "[painted]"):
        assert part in line


def test_a_flag_that_contradicts_an_earlier_segment_says_where_that_is() -> None:
    screen, output = shown()
    flag = replace(RAISED.flag, related=(Related(2, None),))
    screen.flag(replace(RAISED, flag=flag), {("headache", 2): 97.0})
    assert "See 01:37." in " ".join(output.getvalue().split())


def test_without_a_terminal_there_are_no_escape_sequences() -> None:
    screen, output = shown()
    screen.flags_begin()
    screen.flag(RAISED, {})
    screen.summaries([SUMMARY], {("headache", 4): 133.4})
    screen.comparison(compare([], [RAISED]), {("headache", 4): 133.4})
    assert "\x1b" not in output.getvalue()
    assert max(map(len, output.getvalue().splitlines())) <= PLAIN_WIDTH


def test_on_a_terminal_the_words_are_highlighted_and_bear_no_brackets() -> None:
    screen, output = shown(terminal=True)
    screen.flag(RAISED, {})
    assert "\x1b[" in output.getvalue()
    assert "[painted]" not in output.getvalue()


def test_markup_in_a_transcript_is_shown_as_it_is() -> None:
    text = "it says [bold]take two[/bold] on the box"
    screen, output = shown()
    screen.flag(RaisedFlag(RAISED.flag, "patient", 1.0, text), {})
    assert "[/bold" in output.getvalue()


def test_calls_are_listed_with_the_most_urgent_first() -> None:
    screen, output = shown()
    others = [
        {**SUMMARY, "call_id": "fine", "recommendation": "ACCEPT"},
        {**SUMMARY, "call_id": "bad", "risk": 0.9},
    ]
    screen.summaries([*others, SUMMARY], {})
    order = re.findall(r"(?m)^ +(fine|bad|headache) ", output.getvalue())
    assert order == ["bad", "headache", "fine"]


def test_a_call_shows_its_recommendation_and_where_to_look() -> None:
    screen, output = shown()
    screen.summaries([SUMMARY], {("headache", 4): 133.4})
    assert "REVIEW" in output.getvalue()
    assert "4.4" in output.getvalue()
    assert "02:13" in output.getvalue()
    assert "1 high, 2 medium" in output.getvalue()


def test_the_end_says_what_was_planted_found_missed_and_flagged_for_nothing() -> None:
    found = PlantedError(
        "headache", 4, "misheard_symptom", "fainted", "painted", frozenset({"misheard_term"})
    )
    missed = PlantedError("headache", 9, "negation_flip", "no", "yes", frozenset({"contradiction"}))
    surplus = RaisedFlag(replace(RAISED.flag, id="flag-2", sequence=7), "patient", 150.0, TEXT)
    screen, output = shown()
    screen.comparison(compare([found, missed], [RAISED, surplus]), {("headache", n): None for n in range(10)})
    text = " ".join(output.getvalue().split())
    assert (
        "2 planted: 1 found (1 with the very words that were said), 0 noticed for another reason, 1 missed."
        in text
    )
    assert "1 flagged for nothing (1 medium) in 10 segments." in text


@pytest.mark.parametrize(
    ("seconds", "shown_as"), [(0.0, "00:00"), (59.9, "00:59"), (605.0, "10:05"), (None, "--:--")]
)
def test_time_is_minutes_and_seconds(seconds: float | None, shown_as: str) -> None:
    assert clock(seconds) == shown_as


def test_context_is_cut_between_words() -> None:
    words = words_concerned(RAISED, brackets=True).plain
    before, after = words.split("[painted]")
    assert before.startswith("…")
    assert after.endswith("…")
    assert f" {before[1:]}" in TEXT
    assert f"{after[:-1]} " in TEXT


def test_a_flag_without_a_span_shows_the_beginning_of_its_segment() -> None:
    whole = RaisedFlag(replace(RAISED.flag, span=None), "patient", 1.0, TEXT)
    assert words_concerned(whole, brackets=True).plain.startswith("well it was")
