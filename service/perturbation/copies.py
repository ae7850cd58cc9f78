"""Whole calls with errors in them: every line as it was recorded but for the altered texts."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import orjson

from service.errors import AuscultError
from service.perturbation.plan import Injection
from service.perturbation.transcripts import RecordedCall, RecordedLine

_SPOKEN_WORDS = "words"


class CopiesInTheWay(AuscultError):
    """The folder for altered calls holds something already; names the folder."""


def open_folder(folder: Path) -> Path:
    """The folder, made if it is not there.

    Raises:
        CopiesInTheWay: it holds something: copies of another run would be taken for those of this one.
        OSError: it cannot be made.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise CopiesInTheWay(f"{folder}: not empty, and altered calls are not mixed with other files")
    return folder


def write_copy(folder: Path, call: RecordedCall, injections: Iterable[Injection], call_id: str) -> Path:
    """Writes a call with errors in it, as JSON Lines.

    An altered segment loses its `words`: they would tell what was said. All else stays, unknown fields included.

    Args:
        folder: Where to; the file is named as the call, with what no file name may hold percent-encoded.
        call: The call as it was recorded.
        injections: Errors of this call, at most one in each segment.
        call_id: The copy's name: one of its own where several copies of a call are to be read together.
    """
    altered = {injection.sequence: injection.altered for injection in injections}
    path = folder / f"{quote(call_id, safe=' ~@+,=')}.jsonl"
    with path.open("wb") as copy:
        copy.writelines(orjson.dumps(_fields(line, altered, call_id)) + b"\n" for line in call.lines)
    return path


def _fields(line: RecordedLine, altered: Mapping[int, str], call_id: str) -> dict[str, Any]:
    fields = line.fields | {"call_id": call_id}
    if line.segment is None or line.segment.sequence not in altered:
        return fields
    return {name: value for name, value in fields.items() if name != _SPOKEN_WORDS} | {
        "text": altered[line.segment.sequence]
    }
