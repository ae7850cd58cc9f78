"""`auscult calibrate`: weights from labelled files; what is wrong with a file is said without a word of it."""

from pathlib import Path
from typing import Any

import orjson
import pytest
from typer.testing import CliRunner, Result

from service.commands import app
from service.risk import load_risk_model
from tests.service.commands.conftest import CANARY

pytestmark = pytest.mark.usefixtures("fake_models")


def impact(number: int) -> dict[str, Any]:
    """A labelled line: what was misheard, and how much it matters."""
    return {
        "call_id": f"call-{number % 3}",
        "context": [{"speaker": "clinician", "text": "Any fever?"}],
        "hypothesis": f"no {CANARY} " * (1 + number % 4),
        "start": 4.0,
        "speech_seconds": 2.0 + number,
        "impact": number % 3,
    }


def written(path: Path, *rows: object) -> Path:
    path.write_bytes(b"".join((row if isinstance(row, bytes) else orjson.dumps(row)) + b"\n" for row in rows))
    return path


def calibrate(*options: str | Path) -> Result:
    result = CliRunner().invoke(app, ["calibrate", *map(str, options)])
    assert CANARY not in result.output
    return result


def test_weights_are_fitted_with_all_calls_and_without_each(tmp_path: Path) -> None:
    labels = written(tmp_path / "impact.jsonl", *map(impact, range(12)))
    weights, folds = tmp_path / "weights.json", tmp_path / "folds"

    result = calibrate("--impact", labels, "--output", weights, "--leave-one-call-out", folds)

    assert result.exit_code == 0, result.stderr
    assert sorted(path.name for path in folds.iterdir()) == [f"call-{number}.json" for number in range(3)]
    fitted, without = load_risk_model(weights).weights, load_risk_model(folds / "call-1.json").weights
    assert (fitted.fitted_on["examples"], without.fitted_on["examples"]) == (12, 8)
    assert without.fitted_on["without_call"] == "call-1"
    assert CANARY not in weights.read_text()


def test_injected_errors_are_learned_beside_the_same_call_untouched(tmp_path: Path) -> None:
    calls = tmp_path / "calls"
    calls.mkdir()
    said = [{"sequence": at, "speaker": "patient", "text": f"{CANARY} {at}"} for at in range(6)]
    written(calls / "c1.jsonl", *said)
    error = {"call_id": "c1", "sequence": 4, "type": "negation_flip", "altered": f"not {CANARY}"}
    injected = written(tmp_path / "injected.jsonl", error)
    weights = tmp_path / "weights.json"

    result = calibrate("--calls", calls, "--injected", injected, "--output", weights)

    assert result.exit_code == 0, result.stderr
    # The error, the same stretch without it, and the call itself, which is clean.
    assert load_risk_model(weights).weights.fitted_on["examples"] == 2 + len(said)


@pytest.mark.parametrize(
    ("broken", "problem"),
    [
        (CANARY.encode(), "not JSON"),
        (b"\xff" + CANARY.encode(), "not JSON"),
        ([CANARY], "not an object"),
        ({CANARY: CANARY}, "not a labelled item (KeyError)"),
        ({**impact(0), "context": CANARY}, "not a labelled item (TypeError)"),
        ({**impact(0), "impact": CANARY}, "not a labelled item (KeyError)"),
        ({**impact(0), "start": CANARY}, "not a labelled item (TypeError)"),
    ],
)
def test_a_line_that_is_no_label_is_named(broken: object, problem: str, tmp_path: Path) -> None:
    labels = written(tmp_path / "impact.jsonl", impact(0), broken)

    result = calibrate("--impact", labels, "--output", tmp_path / "weights.json")

    assert result.exit_code == 2
    assert result.stderr == f"auscult: {labels}, line 2: {problem}\n"


@pytest.mark.parametrize("missing", [(), ("--output", "w.json"), ("--impact", "i.jsonl")])
def test_what_is_missing_is_said(missing: tuple[str, ...]) -> None:
    result = calibrate(*missing)

    assert result.exit_code == 2
    assert "give --" in result.stderr
