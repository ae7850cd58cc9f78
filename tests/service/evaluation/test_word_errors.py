import pytest

from tests.service.evaluation.studies import StudyBuilder, measured

pytest.importorskip("jiwer", reason="needs the extra `evaluate`")

from service.evaluation.word_errors import character_error_rate, word_error_rate


@pytest.mark.parametrize(
    ("heard", "said", "words", "characters"),
    [
        ("i take nine", "I take nine.", 0.0, 0.0),
        ("i take nine", "I take none.", 1 / 3, 1 / 11),
        ("", "None.", 1.0, 1.0),
        ("none", "...", 1.0, 1.0),
        ("", "...", 0.0, 0.0),
    ],
)
def test_errors_are_counted_without_case_and_punctuation(
    heard: str, said: str, words: float, characters: float
) -> None:
    builder = StudyBuilder()
    builder.label("visit", 0, measured(1, 0.0), heard, said)

    assert word_error_rate(builder.impact[0]) == pytest.approx(words)
    assert character_error_rate(builder.impact[0]) == pytest.approx(characters)
