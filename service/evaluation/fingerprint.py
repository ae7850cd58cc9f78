"""What measured segments depend on: labels, settings, models and code. Not how risk is fitted to them."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import orjson

import models
import service
from models.hashing import file_sha256
from service.calibration.calibrate import LabelSources
from service.composition import model_store
from service.settings import ModelSettings, Settings

_NOT_MEASURING: Final = {"commands", "demo", "evaluation", "live", "__pycache__"}
"""Folders of the code that change no measured segment."""
_MEASURING: Final = {
    Path("evaluation", name)
    for name in ("forms.py", "likelihood.py", "measured.py", "measured_segment.py", "signal_record.py")
}
"""What of these folders changes them all the same."""

_FITTING: Final = {
    Path("calibration", "calibrate.py"),
    Path("calibration", "features.py"),
    Path("calibration", "fit.py"),
    Path("risk.py"),
    Path("risk_weights.json"),
}
"""Files that say how risk is fitted to what was measured."""


def fingerprint(settings: Settings, sources: LabelSources) -> str:
    """Changes when anything changes that measured segments depend on: a SHA-256 in hexadecimal digits."""
    parts = {
        "labels": [file_sha256(path) for path in _label_files(sources)],
        "names": [path.name for path in _label_files(sources)],
        "settings": settings.monitor.model_dump(mode="json", exclude={"risk_model", "recommendation"}),
        "models": _models(settings.models),
        "window": settings.models.window_tokens,
        "code": [file_sha256(path) for path in _code()],
    }
    return hashlib.sha256(orjson.dumps(parts, option=orjson.OPT_SORT_KEYS)).hexdigest()


def _label_files(sources: LabelSources) -> list[Path]:
    calls = [] if sources.calls is None else sorted(sources.calls.glob("*.jsonl"))
    return [*(path for path in (sources.impact, sources.injected) if path is not None), *calls]


def _models(settings: ModelSettings) -> dict[str, str]:
    manifest = model_store(settings).manifest
    named = (settings.language_model, settings.embedding, settings.contradiction, settings.lexicon)
    return {name: manifest.entry(name).fingerprint() for name in named if name}


def _code() -> Iterator[Path]:
    for package in (models, service):
        root = Path(package.__path__[0])
        for path in sorted(root.rglob("*")):
            inside = path.relative_to(root)
            measuring = not _NOT_MEASURING.intersection(inside.parts) or inside in _MEASURING
            if path.is_file() and measuring and inside not in _FITTING:
                yield path
