import numpy as np

from models.interfaces import TokenScores
from service.dialogue.surprise import word_surprise
from service.dialogue.tokens import tokenise


def test_a_words_surprise_is_that_of_its_tokens_and_the_line_end_belongs_to_none() -> None:
    words = tokenise("head eggs")  # scored as " head eggs\n"
    scores = TokenScores(
        np.array([1.0, 2.0, 4.0, 8.0], dtype=np.float32),
        np.array([[1, 5], [6, 8], [8, 10], [10, 11]], dtype=np.int32),
    )

    assert word_surprise(scores, words).tolist() == [1.0, 6.0]
