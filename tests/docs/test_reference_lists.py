"""Lists that documents keep by hand hold everything that the code has: signals, flags, errors, topics, thresholds."""

import re
from dataclasses import astuple
from typing import get_args

import pytest

from deploy.documents.files import DOCUMENTS
from service.composition import build_signals
from service.demo.bundle import consultation_files, consultation_names, planted_errors
from service.monitor_settings import MonitorSettings
from service.signals.base import FlagType
from streams.fields import ErrorKind
from streams.topics import RETENTION, TopicNames
from tests.docs.markdown import ROOT, anchors, prose
from tests.service.moments import LEXICON

SETTINGS = MonitorSettings(grammar=True)
SIGNALS = build_signals(SETTINGS, LEXICON, contradiction_available=True)
DOCUMENT = prose(DOCUMENTS / "signals.md")


@pytest.mark.parametrize("name", [signal.name for signal in SIGNALS])
def test_a_signal_has_a_section_a_formula_and_limits(name: str) -> None:
    title = name.replace("_", " ").capitalize()
    assert name.replace("_", "-") in anchors(DOCUMENTS / "signals.md")
    assert DOCUMENT.count(f"\n| `{name}`") == 2  # what it is, and how it is computed
    assert "*Limits:*" in DOCUMENT.split(f"\n## {title}\n")[1].split("\n## ")[0]


@pytest.mark.parametrize("flag_type", get_args(FlagType))
def test_a_flag_is_documented(flag_type: str) -> None:
    assert f"`{flag_type}`" in DOCUMENT
    assert f"`{flag_type}`" in prose(DOCUMENTS / "messages.md")


def test_the_formulas_have_the_default_thresholds() -> None:
    perplexity, pace = SETTINGS.perplexity, SETTINGS.pace
    span = perplexity.worst_peak - perplexity.healthy_peak
    formulas = (
        f"({perplexity.worst_peak:g} - *p*) / {span:g}",
        f"1 - *g* / {SETTINGS.repair.worst_gain:g}",
        f"*c* / {SETTINGS.drift.healthy_similarity:g}",
        f"missing / {pace.flag_missing_words:g} and surplus / {pace.flag_surplus_words:g}",
        f"words - {pace.fastest_words_per_second:g} (*t* + {pace.slack_seconds:g})",
        f"begun at {pace.usual_words_per_second:g}",
        f"else {SETTINGS.confidence.other_words:g}",
    )
    assert [formula for formula in formulas if formula not in DOCUMENT] == []


@pytest.mark.parametrize("kind", get_args(ErrorKind))
def test_an_error_of_a_dead_letter_is_documented(kind: str) -> None:
    assert f"`{kind}`" in prose(DOCUMENTS / "messages.md").split("\n## Segment\n")[0]


def test_every_topic_has_its_retention() -> None:
    document = prose(DOCUMENTS / "delivery.md").split("\n## What is kept, and for how long\n")[1]
    for field, topic in zip(RETENTION, astuple(TopicNames()), strict=True):
        row = next(line for line in document.splitlines() if f"`{topic}`" in line)
        kept = RETENTION[field]
        years = kept is not None and kept.days % 365 == 0
        assert (
            "compacted" if kept is None else f"{kept.days // 365} years" if years else f"{kept.days} days"
        ) in row


def test_the_demo_in_the_readme_is_the_one_that_is_bundled() -> None:
    readme, calls = prose(ROOT / "README.md"), consultation_names()
    counted = re.search(r"(\d+) planted: .*in (\d+) segments", readme, re.DOTALL)
    assert counted is not None
    recordings = [path.read_text(encoding="utf-8") for path in consultation_files(calls)]
    lines = sum(len(recording.splitlines()) for recording in recordings)
    assert counted.groups() == (str(len(planted_errors(calls))), str(lines))
    planted = {(error.call_id, error.said, error.written) for error in planted_errors(calls)}
    rows = re.findall(rf"^  (?:{'|'.join(calls)}) +\d\d:\d\d   .*$", readme, re.MULTILINE)
    shown = [re.split(r" {2,}", row.strip()) for row in rows]
    assert len(shown) >= 5
    assert {(call, said, written) for call, _, _, said, written, *_ in shown} <= planted
