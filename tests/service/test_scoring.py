from collections.abc import Collection, Sequence

import orjson
import pytest

from service.observation import Observation
from service.scoring import LINES_PER_POLL, UnreadableLine, score_lines
from streams.decoding import Limits
from streams.messages import CallEnded, Segment


class Recording:
    """An observer that takes down what it is given."""

    open_calls = 0

    def __init__(self) -> None:
        self.polls: list[list[Segment | CallEnded]] = []
        self.finished = False

    def observe(
        self, batch: Sequence[Segment | CallEnded], now: float, shed: Collection[str] = ()
    ) -> Observation:
        self.polls.append(list(batch))
        return Observation()

    def silent(self, now: float) -> Observation:
        raise AssertionError

    def forget(self, call_ids: Sequence[str]) -> None:
        raise AssertionError

    def finish(self) -> Observation:
        self.finished = True
        return Observation()


def line(sequence: int) -> bytes:
    return (
        orjson.dumps({"call_id": "call", "sequence": sequence, "speaker": "patient", "text": "canary"})
        + b"\n"
    )


def score(lines: Sequence[bytes]) -> tuple[Recording, list[UnreadableLine]]:
    observer, unreadable = Recording(), list[UnreadableLine]()
    for _ in score_lines(lines, observer, Limits(), unreadable.append):
        pass
    return observer, unreadable


def test_lines_are_observed_in_polls_and_open_calls_are_finished() -> None:
    observer, _ = score([line(at) for at in range(LINES_PER_POLL + 3)])

    assert [len(poll) for poll in observer.polls] == [LINES_PER_POLL, 3]
    assert observer.finished


@pytest.mark.parametrize("broken", [b"canary\n", b'{"call_id": "canary"}\n', b"\xff\n"])
def test_an_unreadable_line_is_named_by_its_number_and_the_others_are_scored(broken: bytes) -> None:
    observer, unreadable = score([line(0), b"\n", broken, line(1)])

    assert [one.number for one in unreadable] == [3]
    assert "canary" not in repr(unreadable)
    assert [
        segment.sequence for poll in observer.polls for segment in poll if isinstance(segment, Segment)
    ] == [0, 1]


def test_the_end_of_a_call_is_passed_on_and_interim_results_are_not() -> None:
    ended = orjson.dumps({"type": "call.ended", "call_id": "call"})
    interim = orjson.dumps(
        {"call_id": "call", "sequence": 9, "speaker": "patient", "text": "x", "is_final": False}
    )

    observer, unreadable = score([line(0), interim, ended])

    assert [type(message) for message in observer.polls[0]] == [Segment, CallEnded]
    assert unreadable == []
