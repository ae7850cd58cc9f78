"""The bundled consultations, and the errors that were planted in them.

The people are invented. The monitor never sees the list of errors: it serves the comparison at the end.
"""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Final

from service.errors import AuscultError

FOLDER: Final = Path(str(files("service.demo"))) / "consultations"


class UnknownConsultation(AuscultError):
    """No consultation of that name is bundled."""


@dataclass(frozen=True, slots=True)
class PlantedError:
    """One error of a transcript that is known because we put it there.

    Attributes:
        sequence: The segment that holds it. Where speech was lost with its whole segment: the one before.
        kind: How the recogniser went wrong, such as `misheard_drug`.
        said: The words spoken; empty where the recogniser invented some.
        written: The words in the transcript; empty where it lost some.
        flags: Flag types that would name the error rightly.
    """

    call_id: str
    sequence: int
    kind: str
    said: str = field(repr=False)
    written: str = field(repr=False)
    flags: frozenset[str]


def consultation_names() -> tuple[str, ...]:
    """Names of the consultations; the name is also the call id."""
    return tuple(sorted(file.stem for file in FOLDER.glob("*.jsonl")))


def consultation_files(names: Iterable[str]) -> tuple[Path, ...]:
    """JSON Lines files of segments, in the order of the names.

    Raises:
        UnknownConsultation: a name is not bundled.
    """
    bundled = consultation_names()
    unknown = [name for name in names if name not in bundled]
    if unknown:
        raise UnknownConsultation(f"no consultation {', '.join(unknown)}; there are {', '.join(bundled)}")
    return tuple(FOLDER / f"{name}.jsonl" for name in names)


def planted_errors(names: Iterable[str]) -> tuple[PlantedError, ...]:
    """The errors planted in the named consultations, in the order of the list."""
    wanted = set(names)
    entries = tomllib.loads((FOLDER / "planted.toml").read_text(encoding="utf-8"))["error"]
    return tuple(
        PlantedError(
            call_id=entry["call"],
            sequence=entry["sequence"],
            kind=entry["kind"],
            said=entry["said"],
            written=entry["written"],
            flags=frozenset(entry["flags"]),
        )
        for entry in entries
        if entry["call"] in wanted
    )
