import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from service.dialogue.lines import Line
from service.dialogue.tokens import tokenise
from service.history import History, HistoryForm
from service.monitor_settings import CallSettings

SETTINGS = CallSettings(history_lines=4, history_characters=1000)
LONG = "so it goes on and on and on " * 14


def history(*texts: str, settings: CallSettings = SETTINGS) -> History:
    heard = History()
    for sequence, text in enumerate(texts):
        heard.remember(Line(sequence, "patient", tokenise(text), 2.0 * sequence), settings)
    return heard


def read_again(form: HistoryForm) -> History:
    return History.of_form(TypeAdapter(HistoryForm).validate_python(json.loads(json.dumps(form))))


def sequences(heard: History) -> list[int]:
    return [line.sequence for line in heard.lines]


@given(texts=st.lists(st.text(max_size=60), max_size=8))
def test_any_words_and_where_they_were_written_are_the_same_after_a_move(texts: list[str]) -> None:
    heard = history(*texts)

    assert read_again(heard.form()) == heard


def test_numbers_of_several_words_keep_the_one_place_where_they_were_written() -> None:
    heard = history("I take 1,250 mg, then 38.5!")

    assert [token for line in read_again(heard.form()).lines for token in line.tokens] == [
        token for line in heard.lines for token in line.tokens
    ]


def test_the_oldest_lines_are_forgotten_by_number_and_by_length() -> None:
    assert sequences(history(*"abcdef")) == [2, 3, 4, 5]
    assert sequences(history("a", LONG, "b", "c")) == [1, 2, 3]
    assert sequences(history("a", LONG, LONG)) == [2]


def test_a_line_longer_than_the_bound_stands_alone() -> None:
    assert sequences(history("a", LONG * 4)) == [1]


def test_a_state_that_was_written_stays_as_it_is_when_the_call_goes_on() -> None:
    heard = history("a", "b")
    form = heard.form()
    before = json.dumps(form)

    heard.retract(1)
    heard.remember(Line(1, "clinician", tokenise("other words")), SETTINGS)

    assert json.dumps(form) == before
    assert [row[2] for row in heard.form()["lines"]] == ["a", "other words"]


@pytest.mark.parametrize("places", [[], [0, 1], [0, 1, 1], [0, 1, 1, 3, 1, 3]])
def test_words_without_as_many_places_are_refused(places: list[int]) -> None:
    row: Any = (0, "patient", "i nearlypainted", places, None, None)

    with pytest.raises(ValueError, match=r".") as refused:
        History.of_form({"lines": [row], "restarted_at": None})
    assert "painted" not in str(refused.value)
