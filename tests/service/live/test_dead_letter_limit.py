"""The service stops when too much of what it has lately read was refused, and not before."""

import pytest

from service.live.dead_letter_limit import LEAST_RECORDS, DeadLetterLimit, DeadLetterRate, TooManyDeadLetters


def test_a_share_above_the_limit_stops_it_and_says_why() -> None:
    limit = DeadLetterLimit(DeadLetterRate(share=0.1, window=200))
    limit.note(100, 10)
    with pytest.raises(TooManyDeadLetters, match="11 of the last 101 records"):
        limit.note(1, 1)


def test_a_few_records_say_nothing() -> None:
    limit = DeadLetterLimit(DeadLetterRate(share=0.1, window=200))
    limit.note(LEAST_RECORDS - 1, LEAST_RECORDS - 1)
    with pytest.raises(TooManyDeadLetters):
        limit.note(1, 0)


def test_what_lies_before_the_window_is_forgotten() -> None:
    limit = DeadLetterLimit(DeadLetterRate(share=0.5, window=60))
    limit.note(60, 30)
    limit.note(60, 0)
    limit.note(30, 30)


def test_a_share_of_one_allows_everything() -> None:
    DeadLetterLimit(DeadLetterRate(share=1.0, window=50)).note(500, 500)
