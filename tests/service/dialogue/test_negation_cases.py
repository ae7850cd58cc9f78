"""Spoken lines and what they assert, from the table of hand-written cases."""

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from service.dialogue.assertions import Assertion
from service.dialogue.lines import Line
from service.dialogue.reading import read_line
from service.dialogue.spoken_terms import spoken_terms
from service.dialogue.stance import DOUBTED
from service.dialogue.tokens import tokenise

CASES = tomllib.loads(Path(__file__).with_name("negation_cases.toml").read_text("utf-8"))["case"]
MATCHER = spoken_terms()


def assertions_of(case: dict[str, Any], formatted: bool) -> tuple[Assertion, ...]:
    speaker = case.get("speaker", "patient")
    asked, said = case.get("asked"), case["said"]
    if formatted:
        asked = asked and f"{asked.capitalize()}?"
        said = f"{said.capitalize()}."
    before = [Line(0, "clinician", tokenise(asked))] if asked else []
    return read_line(Line(1, speaker, tokenise(said)), before, MATCHER).assertions


def subjects(assertions: Iterable[Assertion]) -> list[str]:
    return sorted({assertion.subject for assertion in assertions})


@pytest.mark.parametrize("formatted", [False, True], ids=["bare", "formatted"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.get('asked', '')}|{case['said']}")
def test_a_spoken_line_asserts_what_a_listener_understands(case: dict[str, Any], formatted: bool) -> None:
    made = assertions_of(case, formatted)

    settled = [one for one in made if one.settled]
    assert subjects(one for one in settled if not one.denied) == sorted(case.get("affirmed", []))
    assert subjects(one for one in settled if one.denied) == sorted(case.get("denied", []))
    for name, expected in (
        ("family", [one for one in made if one.experiencer == "family"]),
        ("past", [one for one in made if one.temporality in {"past", "ended"} and not one.denied]),
        ("supposed", [one for one in made if one.temporality == "hypothetical" or one.certainty <= DOUBTED]),
    ):
        if name in case:
            assert subjects(expected) == sorted(case[name])
