import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.state.sequence_rows import SequenceRows, SequenceRowsForm

TAKEN_IN = st.lists(st.tuples(st.integers(0, 30), st.binary(min_size=3, max_size=3)), max_size=60)


def rows(limit: int, taken_in: list[tuple[int, bytes]]) -> SequenceRows:
    filled = SequenceRows(limit)
    for sequence, row in taken_in:
        filled.put(sequence, row)
    return filled


@given(limit=st.integers(1, 20), taken_in=TAKEN_IN, more=TAKEN_IN)
def test_rows_that_were_written_and_read_go_on_as_those_that_stayed(
    limit: int, taken_in: list[tuple[int, bytes]], more: list[tuple[int, bytes]]
) -> None:
    stayed = rows(limit, taken_in)
    moved = SequenceRows.of_form(json.loads(json.dumps(stayed.form())), limit, width=3)

    assert [stayed.put(*one) for one in more] == [moved.put(*one) for one in more]
    assert list(stayed.items()) == list(moved.items())
    assert stayed.form() == moved.form()


def test_the_first_taken_in_is_forgotten_first_and_handed_back() -> None:
    filled = rows(2, [(7, b"a"), (3, b"b"), (7, b"c")])

    assert filled.put(4, b"d") == (7, b"c")
    assert (filled.get(7), filled.get(3), len(filled)) == (None, b"b", 2)


def test_neighbours_are_one_run() -> None:
    assert rows(4, [(n, b"x") for n in (1, 2, 3, 4, 5, 9)]).form()["runs"] == [(3, 3), (9, 1)]


def test_a_narrower_limit_keeps_the_last() -> None:
    form = rows(9, [(n, bytes([n])) for n in range(9)]).form()

    assert dict(SequenceRows.of_form(form, 2, width=1).items()) == {7: b"\x07", 8: b"\x08"}


@pytest.mark.parametrize(
    "form",
    [
        {"runs": [(0, 2)], "rows": "AAAA"},
        {"runs": [(0, 1)], "rows": "A"},
        {"runs": [(0, 1)], "rows": "é"},
        {"runs": [], "rows": "AAAA"},
        {"runs": [(0, -1), (5, 2)], "rows": "AAAA"},
    ],
)
def test_rows_that_do_not_fit_their_runs_are_refused(form: SequenceRowsForm) -> None:
    with pytest.raises(ValueError, match=r".") as refused:
        SequenceRows.of_form(form, 9, width=3)
    assert "AAAA" not in str(refused.value)
