"""Deterministic stand-ins for the models: no files, no randomness, results from the text's own hash.

For tests and for trying the service without models. They know nothing about language.
"""

import re
from collections.abc import Sequence
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from models.interfaces import Continuations, ScoreRequest, TokenScores

_WORD = re.compile(r"\S+")
_FOLLOWING = (" i", " the", " and", " no", " yes", " pain", " days", " fever", " take", "\n")
_CONTRARY = re.compile(r"\b(?:no|not|never|none|\w+n't)\b", re.IGNORECASE)


class FakeLanguageModel:
    """Scores words by a hash, between 0 and 8 nats; a word that the context holds costs a tenth of that.

    A line ends anywhere at 4 nats. What is likeliest to follow is a few words, always the same, in an order that
    depends on the word before.
    """

    def score(self, requests: Sequence[ScoreRequest]) -> list[TokenScores]:
        """One token per word of each request's text."""
        return [self._score(request) for request in requests]

    def _score(self, request: ScoreRequest) -> TokenScores:
        said = set(_WORD.findall(request.context.lower()))
        words = list(_WORD.finditer(request.text))
        nll = [
            _fraction(word.group().lower()) * (0.8 if word.group().lower() in said else 8.0) for word in words
        ]
        return TokenScores(
            nll=np.array(nll, np.float32),
            spans=np.array([word.span() for word in words], np.int32).reshape(-1, 2),
            line_end_nll=np.full(len(words), 4.0, np.float32) if request.line_ends else None,
            continuations=tuple(
                _continuations(request.context + request.text[:place], request.continuations)
                for place in request.continued_at
            ),
        )


class FakeEmbedder:
    """Sums a hashed vector per word, so that texts with common words are near each other."""

    dimension = 16

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, float32 [texts, 16]; of an empty text the first axis."""
        return np.array([self._embed(text) for text in texts], np.float32).reshape(-1, self.dimension)

    def _embed(self, text: str) -> NDArray[np.float64]:
        vector = np.zeros(self.dimension)
        for word in _WORD.findall(text.lower()):
            digest = blake2b(word.encode("utf-8", "surrogatepass"), digest_size=self.dimension).digest()
            vector += np.frombuffer(digest, np.uint8) / 127.5 - 1.0
        length = float(np.linalg.norm(vector))
        return vector / length if length else np.eye(self.dimension)[0]


class FakeContradictionClassifier:
    """Says 0.9 when the texts share a word and exactly one of them holds a negation, else 0.1."""

    def contradiction(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """P(second contradicts first), float32 [pairs]."""
        return np.array([0.9 if _contrary(*pair) else 0.1 for pair in pairs], np.float32)


def _contrary(first: str, second: str) -> bool:
    shared = set(_WORD.findall(first.lower())) & set(_WORD.findall(second.lower()))
    return bool(shared) and bool(_CONTRARY.search(first)) != bool(_CONTRARY.search(second))


def _continuations(text: str, count: int) -> Continuations:
    before = ["", *_WORD.findall(text.lower())][-1]
    ranked = sorted((8.0 * _fraction(before + following), following) for following in _FOLLOWING)[:count]
    nll = np.array([improbable for improbable, _ in ranked], np.float32)
    return Continuations(tuple(following for _, following in ranked), nll)


def _fraction(word: str) -> float:
    return int.from_bytes(blake2b(word.encode("utf-8", "surrogatepass"), digest_size=4).digest()) / 2**32
