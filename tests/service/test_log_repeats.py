"""What a library repeats is said once a while, and everything else at once."""

import logging

from service.log_repeats import REPEAT_SECONDS, RepeatsFilter


def record(message: str, *given: object, at: float = 0.0, name: str = "library.part") -> logging.LogRecord:
    made = logging.LogRecord(name, logging.ERROR, "", 0, message, given, None)
    made.created = at
    return made


def test_the_same_wording_is_left_out_for_a_while_and_then_counted() -> None:
    repeats = RepeatsFilter("library")
    assert repeats.filter(record("no connection to %s", "one"))
    assert not repeats.filter(record("no connection to %s", "two", at=1))
    assert not repeats.filter(record("no connection to %s", "one", at=REPEAT_SECONDS - 0.1))
    again = record("no connection to %s", "three", at=REPEAT_SECONDS)
    assert repeats.filter(again)
    assert again.getMessage() == "no connection to three (2 more like it)"


def test_after_a_pause_nothing_is_counted() -> None:
    repeats = RepeatsFilter("library")
    assert repeats.filter(record("lost 100%"))
    later = record("lost 100%", at=REPEAT_SECONDS * 2)
    assert repeats.filter(later)
    assert later.getMessage() == "lost 100%"


def test_another_wording_is_said_at_once() -> None:
    repeats = RepeatsFilter("library")
    assert repeats.filter(record("no connection"))
    assert repeats.filter(record("connected"))


def test_other_loggers_say_what_they_like() -> None:
    repeats = RepeatsFilter("library")
    assert all(repeats.filter(record("again", name="ours")) for _ in range(3))
