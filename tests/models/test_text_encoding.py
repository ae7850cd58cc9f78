from pathlib import Path

import numpy as np
import pytest

from models.interfaces import ModelFailure
from models.layout import SENTENCE_PIECES
from models.store import ModelStore
from models.text_encoding import Encoded, PieceEncoder, TokenizerEncoder, as_batch, open_encoder
from tests.models.tiny import write_word_tokenizer


@pytest.fixture
def tokenizer(tmp_path: Path) -> Path:
    path = tmp_path / "tokenizer.json"
    write_word_tokenizer(path)
    return path


def test_a_text_is_encoded_without_padding(tokenizer: Path) -> None:
    assert TokenizerEncoder(tokenizer, None).encode(("one two",)) == Encoded([2, 4, 5, 3], [0, 0, 0, 0])


def test_the_tokens_of_a_pair_are_told_apart(tokenizer: Path) -> None:
    assert TokenizerEncoder(tokenizer, None).encode(("one", "two")) == Encoded(
        [2, 4, 3, 5, 3], [0, 0, 0, 1, 1]
    )


def test_a_long_text_is_cut(tokenizer: Path) -> None:
    assert TokenizerEncoder(tokenizer, 4).encode(("one two three four",)).ids == [2, 4, 5, 3]


def test_of_a_pair_the_longer_text_is_cut(tokenizer: Path) -> None:
    assert TokenizerEncoder(tokenizer, 5).encode(("one two three", "four")).ids == [2, 4, 3, 7, 3]


def test_a_text_that_cannot_be_encoded_is_a_failure_that_does_not_quote_it(tokenizer: Path) -> None:
    with pytest.raises(ModelFailure) as caught:
        TokenizerEncoder(tokenizer, None).encode(("marigold \ud800",))

    assert "marigold" not in str(caught.value)
    assert caught.value.__suppress_context__


@pytest.fixture
def pieces(built_models: ModelStore) -> Path:
    return built_models.path("deberta-v3-xsmall-contradiction") / SENTENCE_PIECES


def test_pieces_are_encoded_with_special_tokens_around_them(pieces: Path) -> None:
    single = PieceEncoder(pieces, None).encode(("I have a cough.",))
    pair = PieceEncoder(pieces, None).encode(("I have a cough.", "No cough."))

    assert single.ids == [1, 273, 286, 266, 15108, 260, 2]
    assert pair.ids[: len(single.ids)] == single.ids
    assert pair.ids[-1] == 2
    assert pair.types == [0] * 7 + [1] * (len(pair.ids) - 7)


def test_a_special_token_that_is_spelt_out_is_plain_text(pieces: Path) -> None:
    assert PieceEncoder(pieces, None).encode(("[SEP]",)).ids.count(2) == 1


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [(10, 4, (10, 4)), (40, 4, (13, 4)), (4, 40, (4, 13)), (40, 40, (8, 9)), (0, 40, (0, 17))],
)
def test_a_long_pair_of_pieces_is_cut_to_the_limit(
    pieces: Path, first: int, second: int, expected: tuple[int, int]
) -> None:
    encoded = PieceEncoder(pieces, 20).encode((" ".join(["pain"] * first), " ".join(["pain"] * second)))

    assert encoded.types == [0] * (expected[0] + 2) + [1] * (expected[1] + 1)


def test_pieces_that_cannot_be_encoded_are_a_failure_that_does_not_quote_them(pieces: Path) -> None:
    with pytest.raises(ModelFailure) as caught:
        PieceEncoder(pieces, None).encode(("marigold \ud800",))

    assert "marigold" not in str(caught.value)
    assert caught.value.__suppress_context__


def test_a_model_brings_its_own_kind_of_tokenizer(pieces: Path, tokenizer: Path) -> None:
    assert isinstance(open_encoder(pieces.parent, 8), PieceEncoder)
    assert isinstance(open_encoder(tokenizer.parent, 8), TokenizerEncoder)


def test_a_batch_is_padded_and_masked() -> None:
    batch = as_batch([Encoded([2, 4, 3], [0, 0, 1]), Encoded([2, 3], [0, 0])], 4)

    np.testing.assert_array_equal(batch["input_ids"], [[2, 4, 3, 0], [2, 3, 0, 0]])
    np.testing.assert_array_equal(batch["attention_mask"], [[1, 1, 1, 0], [1, 1, 0, 0]])
    np.testing.assert_array_equal(batch["token_type_ids"], [[0, 0, 1, 0], [0, 0, 0, 0]])
