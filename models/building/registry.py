"""The builders, by the names that manifests use. Each imports what it needs only when it runs."""

from collections.abc import Callable, Mapping
from pathlib import Path

from models.progress import Report

Builder = Callable[[Mapping[str, Path], Path, Report], None]
"""Takes the source files by role, an empty folder to fill, and whom to report to."""


def _language_model(sources: Mapping[str, Path], output: Path, report: Report) -> None:
    from models.causal.build import build_language_model

    build_language_model(sources["gguf"], output, lambda fraction: report("build language model", fraction))


def _sentence_embedding(sources: Mapping[str, Path], output: Path, report: Report) -> None:
    from models.building.sentence_embedding import build_sentence_embedding

    build_sentence_embedding(sources, output, report)


def _contradiction(sources: Mapping[str, Path], output: Path, report: Report) -> None:
    from models.building.contradiction import build_contradiction_classifier

    build_contradiction_classifier(sources, output, report)


BUILDERS: Mapping[str, Builder] = {
    "causal": _language_model,
    "sentence_embedding": _sentence_embedding,
    "contradiction": _contradiction,
}
