from itertools import islice

from benchmarks.own_words import with_own_words
from benchmarks.traffic import TelephoneLine, interleaved, telephone_line
from streams.messages import CallEnded, Segment
from tests.benchmarks.calls import invented_call

CALLS = [invented_call("a", 12), invented_call("b", 8)]


def said(line: TelephoneLine, count: int) -> list[tuple[str, int]]:
    coming = [timed.message for timed in islice(line.coming, count)]
    heard = [*line.past, *(message for message in coming if isinstance(message, Segment))]
    return [(segment.call_id, segment.sequence) for segment in heard]


def test_a_line_says_each_segment_once_and_in_order() -> None:
    for number in range(20):
        heard = said(telephone_line(CALLS, f"line-{number}"), 40)
        assert len(set(heard)) == len(heard)
        first = [sequence for call_id, sequence in heard if call_id.endswith("-0")]
        assert first == list(range(len(first)))
        assert len(first) in {len(call) for call in CALLS}


def test_a_call_that_ends_says_so_before_the_next_one_begins() -> None:
    messages = [timed.message for timed in islice(telephone_line(CALLS, "line").coming, 60)]
    ids = list(dict.fromkeys(message.call_id for message in messages))
    for call_id in ids[:-1]:
        of_call = [at for at, message in enumerate(messages) if message.call_id == call_id]
        assert isinstance(messages[of_call[-1]], CallEnded)
        assert of_call == list(range(of_call[0], of_call[-1] + 1))


def test_lines_are_interleaved_in_order_of_time() -> None:
    lines = [telephone_line(CALLS, f"line-{number}") for number in range(5)]
    due = [timed.due for timed in islice(interleaved(lines), 100)]
    assert due == sorted(due)
    assert due[0] >= 0.0


def test_the_same_line_says_the_same_at_the_same_time_whatever_its_prefix() -> None:
    one, other = (telephone_line(CALLS, "line", prefix) for prefix in ("x/", "y/"))
    assert len(one.past) == len(other.past)
    assert [timed.due for timed in islice(one.coming, 30)] == [
        timed.due for timed in islice(other.coming, 30)
    ]


def test_copies_of_a_call_share_only_short_lines() -> None:
    one, other = (with_own_words(CALLS[0], call_id) for call_id in ("one", "other"))
    for original, first, second in zip(CALLS[0], one, other, strict=True):
        assert len(first.text.split()) == len(original.text.split())
        assert (first.text == second.text) == (len(original.text.split()) < 6)
