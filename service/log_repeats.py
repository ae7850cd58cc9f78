"""Says what a library says again and again once a while: a broker that is away would fill the disk otherwise."""

import logging
from dataclasses import dataclass
from typing import Final

REPEAT_SECONDS: Final = 10.0


@dataclass(slots=True)
class _Said:
    at: float
    left_out: int = 0


class RepeatsFilter(logging.Filter):
    """Lets a library's message through once in `REPEAT_SECONDS`, with how often it was left out since.

    Messages are the same when their wording is, whatever is put into it. Records of other loggers pass.
    """

    def __init__(self, library: str) -> None:
        super().__init__(library)
        self._said: dict[tuple[str, int, str], _Said] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record is written."""
        if not super().filter(record):
            return True
        wording = (record.name, record.levelno, str(record.msg))
        said = self._said.get(wording)
        if said is not None and record.created < said.at + REPEAT_SECONDS:
            said.left_out += 1
            return False
        self._said[wording] = _Said(record.created)
        if said is not None and said.left_out:
            record.msg = f"{record.getMessage()} ({said.left_out} more like it)"
            record.args = ()
        return True
