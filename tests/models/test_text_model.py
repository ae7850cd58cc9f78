from pathlib import Path

import pytest

from models.session import Run, SessionSettings, open_session
from models.text_encoding import TokenizerEncoder
from models.text_model import TextModel
from tests.models.tiny import write_sum_graph, write_word_tokenizer

ENDS = 2 + 3
"""Ids of the special tokens around a text; the words one, two, three, four are 4, 5, 6, 7."""


@pytest.fixture
def runs() -> list[Run]:
    return []


@pytest.fixture
def model(tmp_path: Path, runs: list[Run]) -> TextModel:
    write_sum_graph(tmp_path / "model.onnx")
    write_word_tokenizer(tmp_path / "tokenizer.json")
    session = open_session(tmp_path / "model.onnx", SessionSettings(threads=1), runs.append)
    return TextModel(session, TokenizerEncoder(tmp_path / "tokenizer.json", 64), "total", max_batch_tokens=16)


def totals(model: TextModel, *texts: str) -> list[float]:
    return [float(answer) for answer in model.answer([(text,) for text in texts])]


def test_answers_in_the_order_of_the_inputs_whatever_their_lengths(model: TextModel) -> None:
    long = " ".join(["one"] * 12)

    assert totals(model, long, "two", "", "three four") == [ENDS + 48, ENDS + 5, ENDS, ENDS + 13]


def test_nothing_asked_is_nothing_run(model: TextModel, runs: list[Run]) -> None:
    assert model.answer([]) == []
    assert not runs


def test_pairs_are_one_input(model: TextModel) -> None:
    assert float(model.answer([("one", "two")])[0]) == 2 + 4 + 3 + 5 + 3


def test_a_repeated_text_is_run_once(model: TextModel, runs: list[Run]) -> None:
    assert totals(model, "one", "one") == [ENDS + 4, ENDS + 4]
    assert totals(model, "one") == [ENDS + 4]
    assert [(run.rows, run.tokens) for run in runs] == [(1, 3)]


def test_batches_keep_their_bound(model: TextModel, runs: list[Run]) -> None:
    totals(model, "one", "two", "three", "four")

    assert [run.rows for run in runs] == [2, 2]
