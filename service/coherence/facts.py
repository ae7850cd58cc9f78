"""Facts of prescribing that coherence is judged by: usual doses, and what drugs are taken for."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True)
class UsualDose:
    """How much of a drug adults usually take by mouth, milligrams.

    Attributes:
        least: Least single dose.
        most: Most single dose.
        daily: Most in a day.
        weekly: Whether it is usually taken once a week.
    """

    least: float
    most: float
    daily: float
    weekly: bool


def usual_doses() -> dict[str, UsualDose]:
    """Usual doses by generic and brand name."""
    found: dict[str, UsualDose] = {}
    for drug, facts in _read("usual_doses.toml").items():
        least, most = facts["single"]
        dose = UsualDose(least, most, facts["daily"], facts.get("weekly", False))
        found |= dict.fromkeys((drug, *facts.get("names", ())), dose)
    return found


def usual_uses() -> Mapping[str, frozenset[str]]:
    """The drugs that are usually taken for a condition or symptom."""
    return {condition: frozenset(drugs) for condition, drugs in _read("usual_uses.toml").items()}


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads(files("service.coherence").joinpath(name).read_text(encoding="utf-8"))
