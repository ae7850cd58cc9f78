"""The builders, by the names that manifests use. Each imports what it needs only when it runs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from models.progress import Report

Build = Callable[[Mapping[str, Path], Path, Report], None]
"""Takes the source files by role, an empty folder to fill, and whom to report to."""

_MODELS = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True)
class Builder:
    """How one kind of model is built.

    Attributes:
        build: The function that does it.
        ingredients: A folder of our own files that the build reads beside its sources. When they change, the
            model must be built again.
    """

    build: Build
    ingredients: Path | None = None


def _language_model(sources: Mapping[str, Path], output: Path, report: Report) -> None:
    from models.causal.build import build_language_model

    build_language_model(sources["gguf"], output, lambda fraction: report("build language model", fraction))


def _sentence_embedding(sources: Mapping[str, Path], output: Path, report: Report) -> None:
    from models.building.sentence_embedding import build_sentence_embedding

    build_sentence_embedding(sources, output, report)


def _contradiction(sources: Mapping[str, Path], output: Path, report: Report) -> None:
    from models.building.contradiction import build_contradiction_classifier

    build_contradiction_classifier(sources, output, report)


def _lexicon(sources: Mapping[str, Path], output: Path, report: Report) -> None:
    from models.lexicon.build import build_lexicon

    build_lexicon(sources, output, report)


BUILDERS: Mapping[str, Builder] = {
    "causal": Builder(_language_model),
    "sentence_embedding": Builder(_sentence_embedding),
    "contradiction": Builder(_contradiction),
    "lexicon": Builder(_lexicon, ingredients=_MODELS / "lexicon" / "terms"),
}
