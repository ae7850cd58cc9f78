"""Recorded calls as plain conversations, for comparing models on what is really said."""

from collections.abc import Iterable
from pathlib import Path

from models.export.parity import Utterance
from service.errors import AuscultError
from streams.decoding import Limits, MalformedRecord, decode
from streams.messages import Segment


class UnreadableTranscript(AuscultError):
    """A line of a transcript is no segment. Names the line, and none of its words."""


def read_conversations(files: Iterable[Path], limits: Limits) -> list[list[Utterance]]:
    """What was said in each call, in the order of the lines.

    Raises:
        UnreadableTranscript: a line is no segment.
        OSError: a file cannot be read.
    """
    calls: dict[str, list[Utterance]] = {}
    for path in files:
        for number, line in enumerate(path.read_bytes().splitlines(), start=1):
            if not line.strip():
                continue
            try:
                message = decode(line, limits).message
            except MalformedRecord as malformed:
                raise UnreadableTranscript(f"{path}, line {number}: {malformed.kind}") from None
            if isinstance(message, Segment):
                said = Utterance(message.speaker.capitalize(), message.text)
                calls.setdefault(message.call_id, []).append(said)
    return list(calls.values())
