from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import service
from service.calibration.calibrate import LabelSources
from service.evaluation.fingerprint import fingerprint
from service.settings import Settings, load_settings


def changed(settings: Settings, part: str, **fields: Any) -> Settings:
    return settings.model_copy(update={part: getattr(settings, part).model_copy(update=fields)})


@pytest.fixture
def sources(tmp_path: Path) -> LabelSources:
    (tmp_path / "calls").mkdir()
    (tmp_path / "calls" / "visit.jsonl").write_text('{"text": "one"}')
    (tmp_path / "impact.jsonl").write_text("{}")
    return LabelSources(tmp_path / "impact.jsonl", tmp_path / "calls")


def test_the_same_gives_the_same(sources: LabelSources) -> None:
    assert fingerprint(load_settings(), sources) == fingerprint(load_settings(), sources)


@pytest.mark.parametrize(
    "change",
    [
        lambda settings: changed(settings, "monitor", grammar=True),
        lambda settings: changed(settings, "models", contradiction="deberta-v3-xsmall-contradiction"),
        lambda settings: changed(settings, "models", window_tokens=256),
    ],
)
def test_other_settings_or_models_change_it(
    sources: LabelSources, change: Callable[[Settings], Settings]
) -> None:
    assert fingerprint(change(load_settings()), sources) != fingerprint(load_settings(), sources)


def test_the_risk_model_does_not_change_it(sources: LabelSources) -> None:
    other = changed(load_settings(), "monitor", risk_model=Path("weights.json"))

    assert fingerprint(other, sources) == fingerprint(load_settings(), sources)


@pytest.mark.parametrize("file", ["impact.jsonl", "calls/visit.jsonl", "calls/another.jsonl"])
def test_other_labels_or_calls_change_it(sources: LabelSources, tmp_path: Path, file: str) -> None:
    before = fingerprint(load_settings(), sources)

    (tmp_path / file).write_text('{"text": "two"}')

    assert fingerprint(load_settings(), sources) != before


def test_code_that_measures_changes_it_and_code_that_fits_does_not(
    sources: LabelSources, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("signals/pace.py", "calibration/fit.py", "evaluation/report.py"):
        (tmp_path / "package" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "package" / name).write_text("1")
    monkeypatch.setattr(service, "__path__", [str(tmp_path / "package")])
    before = fingerprint(load_settings(), sources)

    (tmp_path / "package" / "calibration" / "fit.py").write_text("2")
    (tmp_path / "package" / "evaluation" / "report.py").write_text("2")
    assert fingerprint(load_settings(), sources) == before

    (tmp_path / "package" / "signals" / "pace.py").write_text("2")
    assert fingerprint(load_settings(), sources) != before
