"""Whatever is said, the ledger answers, points within the text, and reads bare words as it reads formatted ones."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.service.dialogue.calls import bare, conflicts_of, kinds_of

WORDS = (
    "no not yes yeah any fever cough chest pain left right knee the my mother had have i i've you you've it's three "
    "four days ago or to and a half okay but if when how long many do did mg 120 twice day in last past um is that "
    "smoke sorry actually allergic never mm hmm ? , ."
).split()
LINES = st.builds(
    lambda speaker, words: f"{speaker}: {' '.join(words)}",
    st.sampled_from("CPAU"),
    st.lists(st.sampled_from(WORDS), max_size=14),
)


@settings(max_examples=200, deadline=None)
@given(st.lists(LINES, max_size=8))
def test_spans_lie_within_the_lines_they_belong_to(said: list[str]) -> None:
    for sequence, conflicts in conflicts_of(*said).items():
        for conflict in conflicts:
            assert conflict.span is not None
            assert 0 <= conflict.span[0] < conflict.span[1] <= len(said[sequence]) - 3
            if conflict.earlier is not None:
                assert conflict.earlier.sequence <= sequence
                if conflict.earlier.span is not None:
                    assert conflict.earlier.span[1] <= len(said[conflict.earlier.sequence]) - 3


@settings(max_examples=200, deadline=None)
@given(st.lists(LINES, max_size=8))
def test_bare_words_give_the_same_conflicts(said: list[str]) -> None:
    assert kinds_of(*bare(said)) == kinds_of(*said)


@settings(max_examples=100, deadline=None)
@given(st.lists(LINES, min_size=2, max_size=8))
def test_what_comes_later_changes_no_earlier_conflict(said: list[str]) -> None:
    whole = [found for found in kinds_of(*said) if found[0] < len(said) - 1]

    assert kinds_of(*said[:-1]) == whole
