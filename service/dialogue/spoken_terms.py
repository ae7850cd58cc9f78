"""How people say what a consultation is about: one name for "throwing up", "vomited" and "vomiting".

A short list of facts for reading questions and answers. The large lexicons of drugs and conditions come beside it.
"""

import tomllib
from functools import cache
from importlib.resources import files
from typing import get_args

from service.dialogue.terms import PhraseMatcher, TermCategory

_FACTS = "spoken_terms.toml"


@cache
def spoken_terms() -> PhraseMatcher:
    """The matcher over `spoken_terms.toml`."""
    groups = tomllib.loads(files(__package__).joinpath(_FACTS).read_text("utf-8"))
    return PhraseMatcher(
        {
            form: (category, name)
            for category in get_args(TermCategory)
            for name, forms in groups.get(category, {}).items()
            for form in forms
        }
    )
