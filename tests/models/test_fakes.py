import numpy as np

from models.fakes import FakeContradictionClassifier, FakeEmbedder, FakeLanguageModel
from models.interfaces import ContradictionClassifier, Embedder, LanguageModel, ScoreRequest


def test_the_fakes_are_what_the_service_asks_for() -> None:
    language_model: LanguageModel = FakeLanguageModel()
    embedder: Embedder = FakeEmbedder()
    classifier: ContradictionClassifier = FakeContradictionClassifier()

    assert language_model.score([]) == []
    assert embedder.embed([]).shape == (0, embedder.dimension)
    assert classifier.contradiction([]).shape == (0,)


def test_a_score_has_a_token_per_word_with_its_place() -> None:
    (scores,) = FakeLanguageModel().score([ScoreRequest("", " a fever, yes")])

    assert scores.nll.dtype == np.float32
    assert scores.spans.tolist() == [[1, 2], [3, 9], [10, 13]]
    assert len(scores.nll) == 3


def test_an_empty_text_has_no_token() -> None:
    (scores,) = FakeLanguageModel().score([ScoreRequest("before", "")])

    assert scores.nll.shape == (0,)
    assert scores.spans.shape == (0, 2)


def test_a_word_of_the_context_is_less_surprising() -> None:
    fresh, said = FakeLanguageModel().score(
        [ScoreRequest("", "nausea"), ScoreRequest("Nausea again", "nausea")]
    )

    assert said.nll[0] < fresh.nll[0]


def test_line_ends_and_continuations_come_when_asked_for() -> None:
    plain, asked = FakeLanguageModel().score(
        [
            ScoreRequest("so", " a fever"),
            ScoreRequest("so", " a fever", line_ends=True, continued_at=(0, 8), continuations=3),
        ]
    )

    assert (plain.line_end_nll, plain.continuations) == (None, ())
    assert asked.line_end_nll is not None
    assert len(asked.line_end_nll) == len(asked.nll)
    after_so, after_fever = asked.continuations
    assert len(after_so.tokens) == len(after_so.nll) == 3
    assert np.all(np.diff(after_so.nll) >= 0)
    assert after_so.tokens != after_fever.tokens


def test_company_changes_nothing() -> None:
    request = ScoreRequest("so", "a fever")
    alone = FakeLanguageModel().score([request])[0]
    among = FakeLanguageModel().score([ScoreRequest("", "x"), request])[1]

    np.testing.assert_array_equal(alone.nll, among.nll)


def test_vectors_are_units_and_like_texts_are_near() -> None:
    vectors = FakeEmbedder().embed(["my head hurts a lot", "my head hurts", "see you on thursday", ""])

    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-6)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2]


def test_a_negation_of_the_same_words_contradicts() -> None:
    pairs = [("i have a fever", "i have no fever"), ("i have a fever", "a fever"), ("no", "fever")]

    np.testing.assert_allclose(FakeContradictionClassifier().contradiction(pairs), [0.9, 0.1, 0.1])
