"""The models as one would first run them: transformers and torch, float32, one text at a time, nothing remembered.

They answer the service's own questions (`models/interfaces.py`), so that the whole pipeline runs on them. Needs the
`export` extra.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import AutoModel, AutoModelForCausalLM, AutoModelForSequenceClassification, AutoTokenizer

from models.interfaces import ScoreRequest, TokenScores


class TorchLanguageModel:
    """A `LanguageModel` that runs context and text anew for every request, and takes all logits out.

    Args:
        folder: A causal checkpoint of transformers.
    """

    def __init__(self, folder: Path) -> None:
        self._model: Any = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
        self._tokenizer: Any = AutoTokenizer.from_pretrained(folder)
        self._line_end: int = self._tokenizer.encode("\n", add_special_tokens=False)[0]

    def score(self, requests: Sequence[ScoreRequest]) -> list[TokenScores]:
        """Scores every request on its own, in order. Says nothing of likely continuations."""
        return [self._score(request) for request in requests]

    def _score(self, request: ScoreRequest) -> TokenScores:
        written = request.context + request.text
        encoded = self._tokenizer(written, add_special_tokens=False, return_offsets_mapping=True)
        places = np.array(encoded["offset_mapping"], np.int32).reshape(-1, 2)
        ids = torch.tensor([[self._tokenizer.bos_token_id, *encoded["input_ids"]]])
        with torch.inference_mode():
            logits = self._model(input_ids=ids, use_cache=False).logits
            log_probabilities = logits[0, :-1].log_softmax(-1)
        scored = places[:, 1] > len(request.context)
        nll = -log_probabilities.gather(1, ids[0, 1:, None])[:, 0].numpy()[scored]
        line_ends = -log_probabilities[:, self._line_end].numpy()[scored]
        spans = [_without_space(written, start, end, len(request.context)) for start, end in places[scored]]
        return TokenScores(
            nll=nll,
            spans=np.array(spans, np.int32).reshape(-1, 2),
            line_end_nll=line_ends if request.line_ends else None,
        )


def _without_space(written: str, start: int, end: int, text_start: int) -> tuple[int, int]:
    start = max(start, text_start)
    return end - len(written[start:end].lstrip()) - text_start, end - text_start


class TorchEmbedder:
    """An `Embedder`: the mean of the token states, normalised.

    Args:
        folder: An encoder's checkpoint of transformers.
    """

    def __init__(self, folder: Path) -> None:
        self._model: Any = AutoModel.from_pretrained(folder, dtype=torch.float32).eval()
        self._tokenizer: Any = AutoTokenizer.from_pretrained(folder)

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return int(self._model.config.hidden_size)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, float32 [texts, dimension], each text on its own."""
        vectors = np.empty((len(texts), self.dimension), np.float32)
        for row, text in zip(vectors, texts, strict=True):
            encoded = self._tokenizer(text, truncation=True, max_length=256, return_tensors="pt")
            with torch.inference_mode():
                state = self._model(**encoded).last_hidden_state[0].mean(0)
            row[:] = (state / state.norm()).numpy()
        return vectors


class TorchContradictionClassifier:
    """A `ContradictionClassifier`, each pair on its own.

    Args:
        folder: A classifier's checkpoint of transformers, with a class `contradictory`.
    """

    def __init__(self, folder: Path) -> None:
        self._model: Any = AutoModelForSequenceClassification.from_pretrained(folder, dtype=torch.float32)
        self._model.eval()
        self._tokenizer: Any = AutoTokenizer.from_pretrained(folder)
        labels: dict[int, str] = self._model.config.id2label
        self._label = next(label for label, name in labels.items() if name == "contradictory")

    def contradiction(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """P(second contradicts first), float32 [pairs]."""
        return np.array([self._probability(*pair) for pair in pairs], np.float32)

    def _probability(self, first: str, second: str) -> float:
        encoded = self._tokenizer(first, second, truncation=True, max_length=256, return_tensors="pt")
        with torch.inference_mode():
            return float(self._model(**encoded).logits.softmax(-1)[0, self._label])
