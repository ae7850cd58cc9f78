"""What is gathered for one request while its tokens go through the graph."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from models.causal.planning import Region
from models.causal.text_encoding import EncodedText, TextEncoder
from models.interfaces import Continuations, ScoreRequest, TokenScores


@dataclass(slots=True)
class Answer:
    """The numbers of one request, filled in pass by pass.

    Attributes:
        request: What was asked.
        text: It as tokens. If what follows the whole text was asked, a token is added: any will do, so that there is
            something to predict.
        places: Which of the text's tokens each of `request.continued_at` is in place of.
        columns: float32 [1 or 2, tokens], nats: of the tokens, and of a line end in their place if that was asked.
    """

    request: ScoreRequest
    text: EncodedText
    places: tuple[int, ...]
    columns: NDArray[np.float32]
    _continuations: list[Continuations | None] = field(repr=False)

    @classmethod
    def to(cls, request: ScoreRequest, encoder: TextEncoder) -> "Answer":
        """An empty answer.

        Raises:
            ModelFailure: the tokenizer failed.
        """
        text = encoder.encode(request.context, request.text, remembered=request.extends)
        places: tuple[int, ...] = ()
        if request.continued_at:
            places = tuple(np.searchsorted(text.spans[:, 1], request.continued_at, side="right").tolist())
            if max(places) == len(text.spans):
                text = EncodedText(np.append(text.tokens, 0), text.first_scored, text.spans)
        ends = request.line_ends and encoder.line_end is not None
        columns = np.zeros((1 + ends, len(text.tokens) - text.first_scored), dtype=np.float32)
        return cls(request, text, places, columns, [None] * len(places))

    def continued_in(self, region: Region) -> Iterator[tuple[int, int]]:
        """Which of the request's places lie in a region, and how many tokens after its first."""
        for index, place in enumerate(self.places):
            if region.offset <= place < region.offset + region.end - region.start:
                yield index, place - region.offset

    def continue_at(self, index: int, tokens: tuple[str, ...], nll: NDArray[np.float32]) -> None:
        """Fills in what follows one place, likeliest first; more than was asked for is left out."""
        count = self.request.continuations
        self._continuations[index] = Continuations(tokens[:count], nll[:count].copy())

    def scores(self) -> TokenScores:
        """The answer, once all of it is filled in."""
        nll = self.columns[:, : len(self.text.spans)]
        return TokenScores(
            nll=nll[0],
            spans=self.text.spans,
            line_end_nll=nll[1] if len(nll) > 1 else None,
            continuations=tuple(filter(None, self._continuations)),
        )
