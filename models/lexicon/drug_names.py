"""Reads drug names from the dictionary of `drug-named-entity-recognition`, a compressed pickle of plain containers.

A pickle can run code when it is read. This reader allows no class and no function at all, and the file's hash
has been checked before; nothing but dictionaries, lists, strings, numbers and truth values can come out.
"""

import bz2
import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from models.lexicon.wording import said_aloud

_LONGEST_WORDS = 2
_SHORTEST_LETTERS = 4
_DESCRIBED = ("nhs_url", "medline_plus_id", "drugbank_id")
"""A drug that none of these describe is a substance of the laboratory."""


class _PlainUnpickler(pickle.Unpickler):
    def find_class(self, module_name: str, global_name: str) -> NoReturn:
        raise pickle.UnpicklingError(
            f"the drug dictionary must be plain data, yet names {module_name}.{global_name}"
        )


def read_drug_names(path: Path) -> set[str]:
    """Generic, brand and other names of drugs, as they are said.

    Raises:
        pickle.UnpicklingError: the file holds more than plain data.
    """
    with bz2.open(path) as file:
        content = _PlainUnpickler(file).load()
    described: Mapping[str, Mapping[str, Any]] = content["drug_canonical_to_data"]
    names: Mapping[str, list[str]] = content["drug_variant_to_canonical"]
    said = (
        said_aloud(name, _LONGEST_WORDS)
        for name, drugs in names.items()
        if any(key in described.get(drug, ()) for drug in drugs for key in _DESCRIBED)
    )
    return {name for name in said if name and len(name) >= _SHORTEST_LETTERS}
