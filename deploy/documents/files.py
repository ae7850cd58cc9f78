"""Which files are made of the code, and what they hold."""

from pathlib import Path
from typing import Final

from deploy.documents.asyncapi import asyncapi_file
from deploy.documents.message_reference import with_parts
from deploy.documents.message_schemas import SHAPES, schema_file
from deploy.documents.metrics_reference import metrics_reference
from deploy.documents.settings_reference import settings_reference

DOCUMENTS: Final = Path(__file__).parents[2] / "docs"
EXAMPLES: Final = DOCUMENTS / "examples"
SCHEMAS: Final = DOCUMENTS / "schemas"
_MESSAGES: Final = DOCUMENTS / "messages.md"


def document_files() -> dict[Path, bytes]:
    """Path and content of every file that is made of the code, wholly or in parts."""
    messages = with_parts(_MESSAGES.read_text(encoding="utf-8"), EXAMPLES)
    return {
        DOCUMENTS / "settings.md": settings_reference().encode(),
        DOCUMENTS / "metrics.md": metrics_reference().encode(),
        DOCUMENTS / "asyncapi.yaml": asyncapi_file(EXAMPLES),
        _MESSAGES: messages.encode(),
        **{SCHEMAS / f"{name}.json": schema_file(name) for name in SHAPES},
    }
