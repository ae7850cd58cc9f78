"""Exports a model of a hub or a folder to what the service runs, with a manifest entry that switches it on.

Every model first becomes optimum's graph in float32. A Llama-type language model or a BERT-type embedding model is then
built from its weights as the default ones are; of any other the graph itself is quantised. Either is compared with the
float32 graph before it is kept.
"""

import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import onnx

from models.building.graph import save_graph
from models.causal.build import write_model
from models.errors import ModelExportFailed
from models.export.bert import is_plain_bert, write_bert
from models.export.checkpoint import Checkpoint, obtain_checkpoint
from models.export.entry import MANIFEST, Exported, entry_of, write_manifest
from models.export.float_graph import TASKS, finish, run_optimum
from models.export.llama import is_plain_llama, read_llama
from models.export.parity import Call, Parity, measure_parity
from models.export.quantisation import quantise_weights
from models.layout import GRAPH, TOKENIZER
from models.progress import Report, silent

Precision = Literal["int8", "float32"]


@dataclass(frozen=True, slots=True)
class Request:
    """What shall be exported, and how.

    Attributes:
        source: A folder, or the id of a hub's model.
        described: What the manifest entry will say.
        revision: Branch, tag or commit of the hub's model.
        precision: Of the weights and, in a Llama-type language model, of the products.
        keep_below_bar: Whether a model is kept that is further from its float32 graph than it should be.
    """

    source: str
    described: Exported
    revision: str | None = None
    precision: Precision = "int8"
    keep_below_bar: bool = False


@dataclass(frozen=True, slots=True)
class Export:
    """What came of it.

    Attributes:
        manifest: Written beside the files.
        parity: How near it is to its float32 graph; None where it is that graph.
    """

    manifest: Path
    parity: Parity | None


class BelowBar(ModelExportFailed):
    """The exported model is further from its float32 graph than it should be; nothing was kept.

    Attributes:
        parity: What was measured.
    """

    def __init__(self, parity: Parity) -> None:
        failed = "; ".join(
            f"{measure.name} is {measure.value:.4f}, and should be at "
            f"{'least' if measure.higher_is_better else 'most'} {measure.bar:g}"
            for measure in parity.measures
            if not measure.passed
        )
        super().__init__(f"The exported model is too far from its float32 graph: {failed}.")
        self.parity = parity


def export_model(request: Request, output: Path, calls: Sequence[Call], report: Report = silent) -> Export:
    """Exports a model.

    Args:
        request: Which, and how.
        output: The folder to write; must be empty or absent.
        calls: What it is compared with its float32 graph on.
        report: Told each step and how much of the whole is done.

    Raises:
        ModelExportFailed: the checkpoint cannot be had, cannot be exported, or (`BelowBar`) loses too much.
    """
    described = request.described
    if described.purpose not in TASKS:
        raise ModelExportFailed(f"A model for {described.purpose} is built, not exported.")
    if output.exists() and any(output.iterdir()):
        raise ModelExportFailed(f"{output} is not empty.")
    report("fetch checkpoint", 0.0)
    checkpoint = obtain_checkpoint(request.source, request.revision)
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=output.parent, prefix=f".{output.name}-") as workspace:
        finished, parity = _export(request, checkpoint, Path(workspace), calls, report)
        if parity is not None:
            if not (parity.passed or request.keep_below_bar):
                raise BelowBar(parity)
            parity.write(finished)
        write_manifest(finished, described, checkpoint.max_tokens())
        if output.exists():
            output.rmdir()
        finished.rename(output)
    report("exported", 1.0)
    return Export(output / MANIFEST, parity)


def _export(
    request: Request, checkpoint: Checkpoint, workspace: Path, calls: Sequence[Call], report: Report
) -> tuple[Path, Parity | None]:
    """The folder of the finished model, and how near it is to its float32 graph."""
    exported, reference, finished = (workspace / name for name in ("exported", "reference", "finished"))
    reference.mkdir()
    finished.mkdir()
    described, purpose = request.described, request.described.purpose
    report("export", 0.1)
    run_optimum(checkpoint, TASKS[purpose], exported)
    report("add the head", 0.5)
    finish(checkpoint, purpose, exported, reference)
    shutil.rmtree(exported)
    report("build", 0.6)
    if purpose == "language_model" and is_plain_llama(checkpoint):
        shutil.copyfile(reference / TOKENIZER, finished / TOKENIZER)
        write_model(read_llama(checkpoint), checkpoint.start_token(), finished, request.precision)
    elif request.precision == "float32":
        return reference, None
    elif purpose == "embedding" and is_plain_bert(checkpoint):
        shutil.copyfile(reference / TOKENIZER, finished / TOKENIZER)
        write_bert(checkpoint, finished)
    else:
        _quantise(reference, finished)
    report("compare", 0.8)
    before, after = (entry_of(folder, described, checkpoint.max_tokens()) for folder in (reference, finished))
    return finished, measure_parity(before, after, calls)


def _quantise(reference: Path, output: Path) -> None:
    shutil.copytree(reference, output, dirs_exist_ok=True, ignore=shutil.ignore_patterns(GRAPH))
    model = onnx.load_model(reference / GRAPH)
    quantise_weights(model)
    save_graph(model, output / GRAPH)
