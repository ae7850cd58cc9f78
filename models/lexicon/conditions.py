"""Reads names of conditions from the tabular list of ICD-10-CM: short ones, as they are said."""

# The list is a pinned file whose hash has been checked, and the standard parser resolves no external entity.
from pathlib import Path
from xml.etree import ElementTree

from models.lexicon.wording import said_aloud

_LONGEST_WORDS = 3
_DISEASES = frozenset("ABCDEFGHIJKLMNOR")
"""First letters of the codes of diseases and symptoms; the others name injuries, causes and encounters."""
_LONGEST_CODE = len("A00.00")


def read_conditions(path: Path) -> set[str]:
    """Names of diseases with their listed synonyms, as they are said."""
    found: set[str] = set()
    for entry in ElementTree.parse(path).getroot().iter("diag"):  # noqa: S314
        code = entry.findtext("name", "")
        if code[:1] not in _DISEASES or len(code) > _LONGEST_CODE:
            continue
        names = [
            entry.findtext("desc", ""),
            *(note.text or "" for note in entry.findall("inclusionTerm/note")),
        ]
        found.update(said_aloud(name, _LONGEST_WORDS) or "" for name in names)
    return found - {""}
