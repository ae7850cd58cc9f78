"""Reads symptoms and signs from the Human Phenotype Ontology: names and their lay synonyms."""

import re
from pathlib import Path

from models.lexicon.wording import said_aloud

_LONGEST_WORDS = 3
_NAME = re.compile(r"name: (.+)")
_LAY_SYNONYM = re.compile(r'synonym: "([^"]+)" EXACT (?:layperson|uk_spelling|plural_form)')


def read_phenotypes(path: Path) -> set[str]:
    """Names of phenotypes, as they are said."""
    found: set[str] = set()
    in_term = False
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("["):
                in_term = line.startswith("[Term]")
            elif in_term and (match := _NAME.match(line) or _LAY_SYNONYM.match(line)):
                found.add(said_aloud(match[1], _LONGEST_WORDS) or "")
    return found - {""}
