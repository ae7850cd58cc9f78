from service.gaps.turns import ended_turn
from tests.service.moments import Said, line


def ended(new: Said, *before: Said) -> str | None:
    lines = [line(sequence, said) for sequence, said in enumerate(before)]
    turn = ended_turn(line(len(lines), new), lines)
    return None if turn is None else " ".join(turn.words)


def test_another_speaker_ends_the_turn() -> None:
    assert ended(("clinician", "any fever"), ("patient", "it hurts in my")) == "it hurts in my"


def test_who_goes_on_in_their_own_turn_ends_nothing() -> None:
    assert ended(("patient", "back and legs"), ("patient", "it hurts in my")) is None


def test_a_listeners_okay_is_looked_through() -> None:
    spoken: tuple[Said, ...] = (("patient", "it hurts in my"), ("clinician", "mm hmm"))

    assert ended(("patient", "back and legs"), *spoken) is None
    assert ended(("clinician", "any fever"), *spoken) == "it hurts in my"


def test_hesitations_are_no_words_of_a_turn() -> None:
    assert (
        ended(("clinician", "any fever"), ("patient", "it hurts in my"), ("patient", "um"))
        == "it hurts in my"
    )


def test_a_call_that_begins_has_no_turn_to_end() -> None:
    assert ended(("clinician", "hello")) is None
