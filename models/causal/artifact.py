"""The folder that a built language model is: file names, and the small description beside the graph."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, PositiveInt

GRAPH_FILE = "model.onnx"
TOKENIZER_FILE = "tokenizer.json"
START_KEYS_VALUES_FILE = "start_keys_values.npy"
START_NLL_FILE = "start_nll.npy"
SELF_TEST_FILE = "self_test.json"
DESCRIPTION_FILE = "description.json"


class Description(BaseModel):
    """What running the graph needs to know of it.

    Attributes:
        vocabulary: Number of tokens.
        layers: Number of decoder layers.
        kv_heads: Key and value heads of a layer.
        head_width: Length of one key or value.
        context_length: Positions the graph knows; start token included.
        start_token: Every sequence begins with it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    vocabulary: PositiveInt
    layers: PositiveInt
    kv_heads: PositiveInt
    head_width: PositiveInt
    context_length: PositiveInt
    start_token: int

    @classmethod
    def read(cls, folder: Path) -> "Description":
        """Reads the description of a built model."""
        return cls.model_validate_json((folder / DESCRIPTION_FILE).read_bytes())

    def write(self, folder: Path) -> None:
        """Writes the description into a model's folder."""
        (folder / DESCRIPTION_FILE).write_text(self.model_dump_json(indent=2) + "\n", encoding="utf-8")
