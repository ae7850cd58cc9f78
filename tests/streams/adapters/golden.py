"""The golden files: for each recogniser, messages of its documented shapes and what becomes of them."""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from streams.adapters.conversion import Converted, RecogniserFormat, convert
from streams.adapters.delivery import Delivery
from streams.decoding import Ignored
from streams.encoding import segment_fields
from streams.fields import Limits
from streams.messages import Segment

FOLDER = Path(__file__).parent / "golden"
KEY = b"call-1"
Path_ = tuple[str | int, ...]


@dataclass(frozen=True)
class Golden:
    """One message, how it is read, and what becomes of it."""

    name: str
    format: RecogniserFormat
    message: dict[str, Any]
    expected: dict[str, Any]
    required: tuple[str, ...]

    def convert(self, message: Any = None) -> Converted:
        value = orjson.dumps(self.message if message is None else message)
        return convert(value, Delivery(KEY), self.format, Limits())


def golden_cases() -> list[Golden]:
    return [case for file in sorted(FOLDER.glob("*.json")) for case in _cases(file)]


def _cases(file: Path) -> Iterator[Golden]:
    content = orjson.loads(file.read_bytes())
    for case in content["cases"]:
        yield Golden(
            name=f"{file.stem}: {case['case']}",
            format=RecogniserFormat(name=file.stem, **content["format"] | case.get("format", {})),  # type: ignore[arg-type]
            message=case["message"],
            expected=case["expected"],
            required=tuple(case.get("required", ())),
        )


def outcome(converted: Converted) -> dict[str, Any]:
    """What became of a message, as the golden files write it."""
    if isinstance(converted.messages, Ignored):
        return {"ignored": converted.messages.reason}
    segments = [segment_fields(each) for each in converted.messages if isinstance(each, Segment)]
    result: dict[str, Any] = {"segments": segments} if segments else {"call_ended": True}
    return result | ({"oddities": list(converted.oddities)} if converted.oddities else {})


def places(value: Any, path: Path_ = ()) -> Iterator[tuple[Path_, Any]]:
    """Every place in a message, with what stands there; the message itself is left out."""
    if path:
        yield path, value
    children = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, child in children:
        yield from places(child, (*path, key))


def written(path: Path_) -> str:
    """A path as the place of a malformed record writes it."""
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path).removeprefix(".")


def with_value(message: dict[str, Any], path: Path_, value: Any) -> dict[str, Any]:
    changed = deepcopy(message)
    _parent(changed, path)[path[-1]] = value
    return changed


def without(message: dict[str, Any], path: Path_) -> dict[str, Any]:
    changed = deepcopy(message)
    del _parent(changed, path)[path[-1]]
    return changed


def _parent(message: Any, path: Path_) -> Any:
    for key in path[:-1]:
        message = message[key]
    return message
