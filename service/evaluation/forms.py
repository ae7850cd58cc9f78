"""Two forms of the same words: as they were given, and as a recogniser without punctuation writes them."""

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final, Literal, get_args

from service.calibration.labelled import Item
from streams.messages import Segment

Form = Literal["given", "bare"]
"""`given`: as it stands in the files. `bare`: lower case, no punctuation."""

FORMS: Final[tuple[Form, ...]] = get_args(Form)

_NO_WORD: Final = re.compile(r"(?:[^\w' ]|_)+")


def bare_text(text: str) -> str:
    """Lower case, no punctuation but apostrophes, single spaces."""
    return " ".join(_NO_WORD.sub(" ", text.lower()).split())


def segments_in(form: Form, segments: Iterable[Segment]) -> tuple[Segment, ...]:
    """The segments in one form."""
    return tuple(segments) if form == "given" else tuple(map(_bare, segments))


def item_in(form: Form, item: Item) -> Item:
    """A labelled stretch in one form."""
    return replace(item, segments=segments_in(form, item.segments), after=segments_in(form, item.after))


def _bare(segment: Segment) -> Segment:
    words = tuple(replace(word, text=said) for word in segment.words if (said := bare_text(word.text)))
    return replace(segment, text=bare_text(segment.text), words=words)
