"""`auscult evaluate`: a report from labels, the same to the byte, and never a word of them."""

import sys
from pathlib import Path
from typing import Any

import orjson
import pytest
from typer.testing import CliRunner, Result

from service.commands import app
from tests.service.commands.conftest import CANARY

pytest.importorskip("matplotlib", reason="needs the extra `evaluate`")
pytest.importorskip("jiwer", reason="needs the extra `evaluate`")

pytestmark = pytest.mark.usefixtures("fake_models")


def impact(number: int) -> dict[str, Any]:
    """A labelled line."""
    return {
        "call_id": f"call-{number % 3}",
        "context": [{"speaker": "clinician", "text": "Any fever?"}],
        "hypothesis": f"no {CANARY} " * (1 + number % 4),
        "reference": f"No fever, {CANARY}.",
        "start": 4.0,
        "speech_seconds": 2.0 + number,
        "impact": number % 3,
    }


def written(path: Path, *rows: object) -> Path:
    path.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    return path


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    return written(tmp_path / "impact.jsonl", *map(impact, range(18)))


@pytest.fixture
def calls(tmp_path: Path) -> Path:
    """Three calls of eight segments."""
    folder = tmp_path / "calls"
    folder.mkdir()
    for name in ("a", "b", "c"):
        said = [
            {
                "sequence": at,
                "speaker": "patient",
                "start": 10.0 * at,
                "end": 10.0 * at + 4,
                "text": f"{name} {CANARY}, {at}!",
            }
            for at in range(8)
        ]
        written(folder / f"{name}.jsonl", *said)
    return folder


@pytest.fixture
def injected(tmp_path: Path) -> Path:
    errors = [
        {"call_id": call, "sequence": at, "type": kind, "altered": altered}
        for call in ("a", "b", "c")
        for at, kind, altered in ((3, "negation_flip", f"not {CANARY}"), (6, "censor_value", ""))
    ]
    return written(tmp_path / "injected.jsonl", *errors)


def evaluate(*options: str | Path) -> Result:
    result = CliRunner().invoke(app, ["evaluate", *map(str, options)])
    assert CANARY not in result.output
    return result


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_all_labels_give_all_sections(labels: Path, calls: Path, injected: Path, tmp_path: Path) -> None:
    output = tmp_path / "report"

    result = evaluate("--impact", labels, "--calls", calls, "--injected", injected, "--output", output)

    assert result.exit_code == 0, result.stderr
    figures = orjson.loads((output / "figures.json").read_bytes())
    assert {"impact", "injected", "probability", "signals", "ablation", "attention", "agreement"} <= set(
        figures
    )
    assert figures["agreement"]["segments"] == 24
    assert figures["fitted_without_each_call"]
    assert all(CANARY.encode() not in made for made in content(output).values())


def test_the_same_input_gives_the_same_bytes(labels: Path, calls: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        evaluate("--impact", labels, "--calls", calls, "--output", tmp_path / name)

    assert content(tmp_path / "one") == content(tmp_path / "two")


def test_what_was_measured_is_kept_and_used_again(
    labels: Path, calls: Path, injected: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "kept"
    given = ("--impact", labels, "--calls", calls, "--injected", injected, "--measured", kept)
    evaluate(*given, "--output", tmp_path / "one")

    def refuse(*_given: object) -> None:
        raise AssertionError("measured again")

    monkeypatch.setattr("service.composition.open_models", refuse)
    result = evaluate(*given, "--output", tmp_path / "two")

    assert result.exit_code == 0, result.stderr
    assert content(tmp_path / "one") == content(tmp_path / "two")
    assert CANARY not in kept.read_text()


def test_other_settings_are_measured_anew(labels: Path, tmp_path: Path) -> None:
    kept, config = tmp_path / "kept", tmp_path / "auscult.toml"
    config.write_text("[monitor]\ngrammar = true\n")
    evaluate("--impact", labels, "--measured", kept, "--output", tmp_path / "one")
    before = kept.read_bytes()

    result = evaluate(
        "--impact", labels, "--measured", kept, "--config", config, "--output", tmp_path / "two"
    )

    assert "measuring anew" in result.stderr
    assert kept.read_bytes() != before
    assert b"grammar" in kept.read_bytes()


def test_labels_are_not_overwritten_by_what_is_measured(labels: Path, tmp_path: Path) -> None:
    before = labels.read_bytes()

    result = evaluate("--impact", labels, "--measured", labels, "--output", tmp_path / "report")

    assert result.exit_code == 2
    assert labels.read_bytes() == before


def test_weights_in_use_or_of_a_file_are_evaluated_as_they_are(labels: Path, tmp_path: Path) -> None:
    weights = tmp_path / "weights.json"
    part = {"weight": 1.0, "center": 0.0, "scale": 1.0, "low": -9.0, "high": 9.0}
    written(weights, {"intercept": 0.0, "features": {"log_tokens": part}, "fitted_on": {}})

    given: tuple[tuple[str | Path, ...], ...] = (("--no-fit",), ("--risk-model", weights))
    for number, options in enumerate(given):
        result = evaluate("--impact", labels, *options, "--output", tmp_path / str(number))
        assert result.exit_code == 0, result.stderr

    shipped, own = (orjson.loads((tmp_path / name / "figures.json").read_bytes()) for name in ("0", "1"))
    assert not shipped["fitted_without_each_call"]
    assert shipped["impact"]["ranking"]["risk"] != own["impact"]["ranking"]["risk"]
    assert "ablation" not in own


def test_bare_text_is_evaluated_if_asked_for(labels: Path, tmp_path: Path) -> None:
    evaluate("--impact", labels, "--bare", "--output", tmp_path / "report", "--date", "2026-01-02")

    page = (tmp_path / "report" / "README.md").read_text()
    assert "without punctuation" in page
    assert "2026-01-02" in page


def test_calls_alone_say_what_they_cost_a_reviewer(calls: Path, tmp_path: Path) -> None:
    result = evaluate("--calls", calls, "--output", tmp_path / "report")

    assert result.exit_code == 0, result.stderr
    figures = orjson.loads((tmp_path / "report" / "figures.json").read_bytes())
    assert figures["attention"]["calls"] == 3
    assert not figures["fitted_without_each_call"]


def test_a_wrong_label_is_named_by_file_and_line(labels: Path, tmp_path: Path) -> None:
    labels.write_bytes(labels.read_bytes() + orjson.dumps({**impact(0), "impact": CANARY}) + b"\n")

    result = evaluate("--impact", labels, "--output", tmp_path / "report")

    assert result.exit_code == 2
    assert result.stderr == f"auscult: {labels}, line 19: not a labelled item (KeyError)\n"


@pytest.mark.parametrize(
    ("options", "problem"),
    [((), "give --impact"), (("--impact", "i", "--injected", "j"), "needs the --calls")],
)
def test_what_is_missing_is_said(options: tuple[str, ...], problem: str) -> None:
    result = evaluate(*options, "--output", "report")

    assert result.exit_code == 2
    assert problem in result.stderr


def test_a_missing_extra_is_named(labels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jiwer", None)

    result = evaluate("--impact", labels, "--output", tmp_path / "report")

    assert result.exit_code == 2
    assert "auscult[evaluate]" in result.stderr
    assert not (tmp_path / "report").exists()
