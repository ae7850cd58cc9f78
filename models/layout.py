"""What an embedding, NLI or exported language model looks like: its files, and its graph's inputs and outputs."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

GRAPH = "model.onnx"
WEIGHTS = "weights.bin"
"""The weights of a graph that keeps them beside it."""
TOKENIZER = "tokenizer.json"
SENTENCE_PIECES = "pieces.model"
"""Of a model whose tokenizer is a SentencePiece model, instead of `tokenizer.json`."""
LANGUAGE_MODEL_DESCRIPTION = "language_model.json"

EMBEDDING_OUTPUT = "sentence_embedding"
"""float32 [batch, dimension], L2-normalised."""

CONTRADICTION_OUTPUT = "contradiction_probability"
"""float32 [batch], probability that the second text contradicts the first."""

SCORED_ROWS_INPUT = "scored_rows"
"""int64 [scored], rows of the flattened [batch * tokens] that predict a scored token."""

TARGETS_INPUT = "targets"
"""int64 [scored], the scored tokens."""

NLL_OUTPUT = "nll"
"""float32 [scored], negative log-likelihood of each scored token in nats."""


class LanguageModelDescription(BaseModel):
    """What running an exported language model needs to know beside its graph and tokenizer.

    Attributes:
        start_token: Every sequence begins with it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    start_token: int = Field(ge=0)

    @classmethod
    def read(cls, folder: Path) -> "LanguageModelDescription":
        """Reads the description from a model's folder."""
        return cls.model_validate_json((folder / LANGUAGE_MODEL_DESCRIPTION).read_bytes())

    def write(self, folder: Path) -> None:
        """Writes the description into a model's folder."""
        content = self.model_dump_json(indent=2) + "\n"
        (folder / LANGUAGE_MODEL_DESCRIPTION).write_text(content, encoding="utf-8")
