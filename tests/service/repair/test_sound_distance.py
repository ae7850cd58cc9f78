import math

from hypothesis import given
from hypothesis import strategies as st

from models.lexicon.phonemes import LETTERS
from service.repair.sound_distance import LOSS, sound_distance

pronunciations = st.text(st.sampled_from(sorted(LETTERS.values())), max_size=8)


@given(pronunciations, pronunciations)
def test_it_is_symmetric_and_zero_only_for_the_same_sounds(heard: str, meant: str) -> None:
    assert math.isclose(sound_distance(heard, meant), sound_distance(meant, heard), abs_tol=1e-9)
    assert (sound_distance(heard, meant) == 0) == (heard == meant)


@given(pronunciations, pronunciations)
def test_it_is_at_most_losing_everything_and_inventing_everything(heard: str, meant: str) -> None:
    assert sound_distance(heard, meant) <= sum(LOSS[sound] for sound in heard + meant) + 1e-9


@given(pronunciations, pronunciations, st.floats(0, 6))
def test_a_limit_changes_only_what_lies_beyond_it(heard: str, meant: str, limit: float) -> None:
    distance = sound_distance(heard, meant)
    limited = sound_distance(heard, meant, limit)

    assert limited == distance or (distance > limit and limited == math.inf)


def test_near_sounds_are_cheaper_than_distant_ones() -> None:
    assert sound_distance("b", "p") < sound_distance("b", "m") < sound_distance("b", "s")
    assert sound_distance("i", "I") < sound_distance("i", "e") < sound_distance("i", "o")
    assert sound_distance("T", "s") < sound_distance("T", "k")
    assert LOSS["h"] < LOSS["@"] < LOSS["k"]


def test_misheard_terms_are_nearer_than_other_terms() -> None:
    head_eggs, headaches, nausea = "hedegz", "hedEks", "nozI@"

    assert sound_distance(head_eggs, headaches) < 1 < sound_distance(head_eggs, nausea)
