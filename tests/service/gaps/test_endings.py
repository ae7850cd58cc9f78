import pytest

from service.gaps.endings import MAY_TRAIL_OFF, RARELY_ENDS, breaks_off


@pytest.mark.parametrize(
    "said",
    [
        "i feel like vomiting but i",
        "it was in my",
        "i take one of",
        "the pain is in the",
        "i think it might be",
        "it comes on when",
        "i've been having some pain and",
        "i'm allergic to",
    ],
)
def test_a_last_word_that_needs_another_breaks_off(said: str) -> None:
    assert breaks_off(said.split()) >= RARELY_ENDS


@pytest.mark.parametrize(
    "said",
    [
        "it started two days ago",
        "no",
        "no that's it",
        "i can feel it",
        "twice a day",
        "not that i know",
    ],
)
def test_a_complete_turn_does_not(said: str) -> None:
    assert breaks_off(said.split()) == 0.0


@pytest.mark.parametrize(
    "said", ["yes i do", "i used to", "yeah i have", "i think so", "it's been like this since"]
)
def test_what_is_left_out_because_it_is_known_does_not_break_off(said: str) -> None:
    assert breaks_off(said.split()) <= MAY_TRAIL_OFF


def test_nothing_said_does_not_break_off() -> None:
    assert breaks_off([]) == 0.0
