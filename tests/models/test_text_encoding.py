from pathlib import Path

import numpy as np
import pytest

from models.interfaces import ModelFailure
from models.text_encoding import Encoded, TextEncoder, as_batch
from tests.models.tiny import write_word_tokenizer


@pytest.fixture
def tokenizer(tmp_path: Path) -> Path:
    path = tmp_path / "tokenizer.json"
    write_word_tokenizer(path)
    return path


def test_a_text_is_encoded_without_padding(tokenizer: Path) -> None:
    assert TextEncoder(tokenizer, None).encode(("one two",)) == Encoded([2, 4, 5, 3], [0, 0, 0, 0])


def test_the_tokens_of_a_pair_are_told_apart(tokenizer: Path) -> None:
    assert TextEncoder(tokenizer, None).encode(("one", "two")) == Encoded([2, 4, 3, 5, 3], [0, 0, 0, 1, 1])


def test_a_long_text_is_cut(tokenizer: Path) -> None:
    assert TextEncoder(tokenizer, 4).encode(("one two three four",)).ids == [2, 4, 5, 3]


def test_of_a_pair_the_longer_text_is_cut(tokenizer: Path) -> None:
    assert TextEncoder(tokenizer, 5).encode(("one two three", "four")).ids == [2, 4, 3, 7, 3]


def test_a_text_that_cannot_be_encoded_is_a_failure_that_does_not_quote_it(tokenizer: Path) -> None:
    with pytest.raises(ModelFailure) as caught:
        TextEncoder(tokenizer, None).encode(("marigold \ud800",))

    assert "marigold" not in str(caught.value)
    assert caught.value.__suppress_context__


def test_a_batch_is_padded_and_masked() -> None:
    batch = as_batch([Encoded([2, 4, 3], [0, 0, 1]), Encoded([2, 3], [0, 0])], 4)

    np.testing.assert_array_equal(batch["input_ids"], [[2, 4, 3, 0], [2, 3, 0, 0]])
    np.testing.assert_array_equal(batch["attention_mask"], [[1, 1, 1, 0], [1, 1, 0, 0]])
    np.testing.assert_array_equal(batch["token_type_ids"], [[0, 0, 1, 0], [0, 0, 0, 0]])
