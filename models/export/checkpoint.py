"""A checkpoint to export: where it lies, and what its own files say about it."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from models.errors import ModelExportFailed

Pooling = Literal["mean", "first_token"]

_WANTED_FILES = ("*.json", "*.txt", "*.model", "*.safetensors")
"""Weights only as safetensors: a pickled file could run code when it is read."""

_NO_LIMIT = 1_000_000
"""Tokenizers without a limit of their own state an astronomic one."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A model's folder, as transformers and sentence-transformers write it."""

    folder: Path

    def config(self) -> dict[str, Any]:
        """What its `config.json` says."""
        return self._read("config.json")

    def max_tokens(self) -> int | None:
        """Longest input in tokens, special tokens included; None where no file says."""
        stated = (
            self._read("sentence_bert_config.json").get("max_seq_length"),
            self._read("tokenizer_config.json").get("model_max_length"),
            self.config().get("max_position_embeddings"),
            self.config().get("n_positions"),
        )
        limits = [int(limit) for limit in stated if limit is not None and limit < _NO_LIMIT]
        return min(limits, default=None)

    def pooling(self) -> Pooling:
        """How token states become a vector; the mean where no file says.

        Raises:
            ModelExportFailed: in a way that is not supported.
        """
        for module in self._read_list("modules.json"):
            kind = str(module.get("type", "")).rsplit(".", 1)[-1]
            if kind not in {"Transformer", "Pooling", "Normalize"}:
                raise ModelExportFailed(f"The embedding model has a module {kind}, which is not supported.")
        modes = {name for name, used in self._read("1_Pooling/config.json").items() if used is True}
        modes = {mode for mode in modes if mode.startswith("pooling_mode_")}
        if modes <= {"pooling_mode_mean_tokens"}:
            return "mean"
        if modes == {"pooling_mode_cls_token"}:
            return "first_token"
        raise ModelExportFailed(
            f"The embedding model pools by {', '.join(sorted(modes))}, which is not supported."
        )

    def contradiction_label(self) -> int:
        """Which class of the classifier is contradiction.

        Raises:
            ModelExportFailed: no class, or more than one, is named so.
        """
        names = self.config().get("id2label", {})
        found = [int(index) for index, name in names.items() if str(name).lower().startswith("contradict")]
        if len(found) != 1:
            raise ModelExportFailed(
                f"The classes of the NLI model are {', '.join(map(str, names.values())) or 'not named'}: "
                "exactly one must be named contradiction, in id2label of its config.json."
            )
        return found[0]

    def start_token(self) -> int:
        """The token that every sequence begins with: the one that begins or, failing that, ends a text.

        Raises:
            ModelExportFailed: no file says.
        """
        config = self.config()
        for name in ("bos_token_id", "eos_token_id"):
            if isinstance(config.get(name), int):
                return int(config[name])
        raise ModelExportFailed(
            "The language model's config.json names neither bos_token_id nor eos_token_id."
        )

    def _read(self, name: str) -> dict[str, Any]:
        content = self._parse(name)
        return content if isinstance(content, dict) else {}

    def _read_list(self, name: str) -> list[dict[str, Any]]:
        content = self._parse(name)
        return content if isinstance(content, list) else []

    def _parse(self, name: str) -> Any:
        path = self.folder / name
        if not path.is_file():
            return None
        try:
            return json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise ModelExportFailed(f"{path} is not valid JSON: {error}") from error


def obtain_checkpoint(source: str, revision: str | None = None) -> Checkpoint:
    """A folder as it is, or a hub's model fetched into the hub library's cache.

    Args:
        source: A folder, or the id of a hub's model such as `owner/name`.
        revision: Branch, tag or commit of the hub's model; None: its main branch.

    Raises:
        ModelExportFailed: it is neither.
    """
    folder = Path(source).expanduser()
    if folder.is_dir():
        if not (folder / "config.json").is_file():
            raise ModelExportFailed(f"{folder} holds no config.json: it is not a model's folder.")
        return Checkpoint(folder)
    from huggingface_hub import snapshot_download

    try:
        return Checkpoint(
            Path(snapshot_download(source, revision=revision, allow_patterns=list(_WANTED_FILES)))
        )
    except Exception as error:
        raise ModelExportFailed(
            f"{source} is no folder here, and the hub did not give it: {type(error).__name__}: {error}"
        ) from error
