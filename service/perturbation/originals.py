"""Reads a call's segments as the error types take them."""

from collections import Counter
from collections.abc import Iterator, Sequence

from service.dialogue.lines import Line
from service.dialogue.mentions import mentions_in
from service.dialogue.question_kinds import ADMINISTRATIVE_KINDS
from service.dialogue.questions import answered_questions, questions_in
from service.dialogue.speakers import STAFF
from service.dialogue.terms import TermMatcher
from service.dialogue.tokens import tokenise
from service.dialogue.wording import wording
from service.perturbation.base import Original
from streams.messages import Segment

_LINES_BEFORE = 6
_LANGUAGE = "en"


def originals(
    segments: Sequence[Segment], speaker: str | None, terms: TermMatcher
) -> Iterator[tuple[Segment, Original]]:
    """The segments in which an error may be put, with the dialogue before them in mind.

    Left out are other languages, silence, and sequences that were revised: their text is not one.

    Args:
        segments: All segments of a call, in order.
        speaker: Whose; None: everyone's.
        terms: Finds the clinical subjects of questions.
    """
    times = Counter(segment.sequence for segment in segments)
    lines: list[Line] = []
    for segment in segments:
        line = Line(segment.sequence, segment.speaker, tokenise(segment.text))
        suitable = times[segment.sequence] == 1 and (segment.language or _LANGUAGE).lower().startswith(
            _LANGUAGE
        )
        if line.spoken and suitable and speaker in {None, segment.speaker}:
            yield segment, _original(segment, line, lines[-_LINES_BEFORE:], terms)
        lines.append(line)


def _original(segment: Segment, line: Line, before: Sequence[Line], terms: TermMatcher) -> Original:
    said = wording(line.tokens)
    asked = questions_in(said, line.sequence, mentions_in(said.words, terms), by_staff=line.speaker in STAFF)
    return Original(
        text=segment.text,
        tokens=line.spoken,
        said=said,
        asks=tuple(
            said.span(question.first, question.last)
            for question in asked
            if question.form != "statement" or line.speaker in STAFF
        ),
        answers=any(
            question.kind not in ADMINISTRATIVE_KINDS for question in answered_questions(line, before, terms)
        ),
    )
