import math
import random
from datetime import date
from pathlib import Path
from typing import Any

import orjson
import pytest

from service.evaluation.evaluate import evaluate, rounded
from service.evaluation.folds import leave_one_call_out
from service.evaluation.likelihood import ALONE, IN_CONTEXT, PEAKS_IN_CONTEXT
from service.evaluation.measured_segment import MeasuredProposal
from tests.service.evaluation.studies import StudyBuilder, measured, proposal

pytest.importorskip("matplotlib", reason="needs the extra `evaluate`")

from service.evaluation.report import page, write_report

PARTS = {
    "impact": "## Clinicians' impact",
    "injected": "## Injected errors",
    "probability": "## Risk as a probability",
    "signals": "## Each signal alone",
    "ablation": "## What each signal is worth to risk",
    "attention": "## A reviewer's attention",
    "agreement": "## Formatted against bare text",
}


def figures(*, impact: bool = True, calls: bool = True, fitted: bool = True) -> dict[str, Any]:
    """Of four calls with everything that the report can show."""
    chance = random.Random(4)
    builder = StudyBuilder()
    builder.signals = {"words_missing": "speech_rate"}

    def found(at: int, ill: float, *proposals: MeasuredProposal) -> Any:
        missing = ill + chance.gauss(0, 0.6)
        readings = {"speech_rate": 1 / (1 + abs(missing)), "speech_rate_simple": chance.random()}
        features = {name: chance.random() for name in (ALONE, IN_CONTEXT, PEAKS_IN_CONTEXT)}
        features["words_missing"] = missing
        return measured(at, missing, *proposals, readings=readings, features=features)

    for number in range(4):
        call = f"call-{number}"
        if calls:
            builder.call(call, [found(at, 0.0) for at in range(60)])
            builder.inject(
                call, "censor_value", [found(3, 2.0, proposal("lost_words", "high"))], [found(3, 0.0)]
            )
            builder.inject(call, "negation_flip", [found(9, 1.0)], [found(9, 0.0)])
        for label in range(6) if impact else ():
            builder.label(call, label % 3, found(1, label % 3), "no" * chance.randint(1, 3), "Not now.")
    study = builder.study()
    folds = leave_one_call_out(study.labels, study.measured) if fitted else None
    return evaluate(builder.study(folds))


def test_the_report_has_a_section_for_everything_that_was_measured() -> None:
    text = page(figures(), date(2026, 1, 2))

    assert [line for line in text.splitlines() if line.startswith("## ")] == list(PARTS.values())
    assert "2026-01-02" in text
    assert "nan" not in text.lower()


@pytest.mark.parametrize(
    ("given", "parts"),
    [
        ({"calls": False}, ["impact", "signals", "ablation"]),
        ({"impact": False}, ["injected", "probability", "signals", "ablation", "attention", "agreement"]),
        ({"calls": False, "fitted": False}, ["impact", "signals"]),
    ],
)
def test_a_section_without_its_labels_is_not_there(given: dict[str, bool], parts: list[str]) -> None:
    text = page(figures(**given), None)

    assert [line for line in text.splitlines() if line.startswith("## ")] == [PARTS[part] for part in parts]


def test_weights_that_have_seen_the_calls_are_said_to_have() -> None:
    assert "fitted without that call" in page(figures(), None)
    assert "better than it is" in page(figures(fitted=False), None)


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The same report, written twice."""
    folders = tmp_path_factory.mktemp("one"), tmp_path_factory.mktemp("two")
    for folder in folders:
        write_report(folder, figures(), None)
    return folders


def test_the_same_figures_give_the_same_bytes(reports: tuple[Path, Path]) -> None:
    one, two = ({path.name: path.read_bytes() for path in folder.iterdir()} for folder in reports)

    assert one == two
    assert {name for name in one if name.endswith(".svg")} == {
        f"{plot}.svg"
        for plot in ("roc", "reliability_impact", "recall", "reliability", "signals", "ablation")
    }


def test_every_plot_of_the_page_is_there(reports: tuple[Path, Path]) -> None:
    shown = [line for line in (reports[0] / "README.md").read_text().splitlines() if line.startswith("![")]

    assert len(shown) == 6
    assert all((reports[0] / line.split("(")[1].removesuffix(")")).is_file() for line in shown)


def test_every_number_is_in_the_figures(reports: tuple[Path, Path]) -> None:
    written = orjson.loads((reports[0] / "figures.json").read_bytes())

    assert written == orjson.loads(
        orjson.dumps(figures())
    )  # as JSON takes them: what is not a number is null


def test_what_the_labels_cannot_tell_is_left_open() -> None:
    made = figures()
    made["impact"]["ranking"]["risk"]["kendall_tau_b"] = dict.fromkeys(("value", "low", "high"), math.nan)

    row, *_ = [line for line in page(made, None).splitlines() if line.startswith("| risk |")]

    assert row.split(" | ")[2] == "-"


def test_figures_are_rounded_and_have_no_negative_zero() -> None:
    assert rounded({"a": [1 / 3, (2, -1e-9)], "b": "c"}) == {"a": [0.333333, [2, 0.0]], "b": "c"}
    assert str(rounded(-1e-9)) == "0.0"
