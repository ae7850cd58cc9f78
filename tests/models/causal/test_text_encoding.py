import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer
from tokenizers.models import WordLevel

from models.causal.text_encoding import TextEncoder
from models.causal.vocabulary import byte_level_bpe
from models.interfaces import ModelFailure
from tests.models.causal.tiny import MERGES, TOKENS

ENCODER = TextEncoder(byte_level_bpe(TOKENS, MERGES))


def pieces(text: str) -> list[str]:
    return [text[start:end] for start, end in ENCODER.encode("", text).spans]


def test_spans_leave_out_leading_white_space() -> None:
    assert pieces(" no a\n") == ["no", "a", ""]


def test_digits_are_tokens_of_their_own() -> None:
    assert pieces(" 500") == ["", "5", "0", "0"]


def test_a_tokens_text_keeps_its_white_space() -> None:
    tokens = ENCODER.encode("", " no\n").tokens
    assert [ENCODER.token_text(int(token)) for token in tokens] == [" no", "\n"]


def test_a_spelled_out_control_token_is_ordinary_text() -> None:
    assert not np.isin(ENCODER.encode("", "<|im_start|>").tokens, [0, 1, 2]).any()


@given(st.text("pano \n7", max_size=20), st.data())
def test_tokens_are_the_same_wherever_the_text_begins(whole: str, data: st.DataObject) -> None:
    border = data.draw(st.integers(0, len(whole)))
    encoded = ENCODER.encode(whole[:border], whole[border:])
    assert encoded.tokens.tolist() == ENCODER.encode("", whole).tokens.tolist()


def test_a_token_across_the_border_is_the_texts_first() -> None:
    joined = ENCODER.encode("p", "a 7")
    assert joined.first_scored == 0
    assert joined.spans.tolist() == [[0, 1], [2, 2], [2, 3]]


def test_whether_a_text_is_remembered_changes_nothing() -> None:
    passing = ENCODER.encode("pa:", " no\n", remembered=False)
    assert passing.tokens.tolist() == ENCODER.encode("pa:", " no\n").tokens.tolist()


def test_empty_texts_have_no_tokens() -> None:
    nothing = ENCODER.encode("", "")
    assert nothing.tokens.shape == (0,)
    assert nothing.spans.shape == (0, 2)


@given(st.text(st.characters(exclude_categories=["Cs"])), st.text(st.characters(exclude_categories=["Cs"])))
def test_spans_are_in_order_and_cover_all_but_white_space(context: str, text: str) -> None:
    encoded = ENCODER.encode(context, text)
    assert len(encoded.spans) == len(encoded.tokens) - encoded.first_scored
    covered = {place for start, end in encoded.spans for place in range(start, end)}
    assert all(place in covered or text[place].isspace() for place in range(len(text)))
    assert np.all(np.diff(encoded.spans[:, 0]) >= 0)


@pytest.mark.parametrize("text", [" no\n", " a no 7\n"])
def test_a_said_text_is_the_same_tokens_once_it_is_context(text: str) -> None:
    said = ENCODER.encode("pa:", text)
    later = ENCODER.encode(f"pa:{text}pa:", " a")
    assert later.tokens[: len(said.tokens)].tolist() == said.tokens.tolist()


@pytest.mark.parametrize("request_", [("xylocanary\n", ""), ("", "xylocanary\n")])
def test_a_tokenizer_that_fails_is_a_model_failure_without_the_text(request_: tuple[str, str]) -> None:
    without_unknown = TextEncoder(Tokenizer(WordLevel({"a": 0}, unk_token="none")))  # noqa: S106 - no password

    with pytest.raises(ModelFailure) as failure:
        without_unknown.encode(*request_)

    assert "xylocanary" not in str(failure.value)
    assert failure.value.__cause__ is None
