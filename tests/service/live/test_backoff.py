"""Waits grow up to their bound, and are spread out below it."""

import random
from itertools import islice

from service.live.backoff import Backoff


def test_bounds_double_up_to_the_longest() -> None:
    waits = Backoff(first_seconds=0.5, longest_seconds=3, draw=lambda: 1.0).waits()
    assert list(islice(waits, 5)) == [0.5, 1.0, 2.0, 3.0, 3.0]


def test_each_wait_is_anywhere_below_its_bound() -> None:
    draw = random.Random(7).random
    waits = [list(islice(Backoff(1, 8, draw).waits(), 5)) for _ in range(500)]
    for place, bound in enumerate((1, 2, 4, 8, 8)):
        drawn = [each[place] for each in waits]
        assert 0 <= min(drawn) < bound * 0.1
        assert bound * 0.9 < max(drawn) <= bound
