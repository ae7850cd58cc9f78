"""Clinical questions that the transcript leaves unanswered: the clinician goes on, and nothing was said in between.

Whoever asks takes the answer up ("okay", "no, right") before asking on, and waits for it until then (the third turn
of a question sequence; Heritage, 1984; Schegloff, 2007). An asker who takes up, or asks about something else, where the
transcript has no answer, has heard one that was lost, or has been left without one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from service.dialogue.answers import answer_by_sound
from service.dialogue.lines import Line
from service.dialogue.questions import Question, read_questions
from service.dialogue.self_consistency import stems
from service.dialogue.speakers import STAFF
from service.dialogue.terms import TermMatcher
from service.dialogue.wording import wording

_TAKING_UP = frozenset(
    "okay right alright no yes yeah great good fine perfect sure lovely brilliant thanks thank excellent".split()
)
_BARE_ANSWER = frozenset("no yes".split())
"""From who asks, these alone are the answer, given to the wrong speaker."""
_CALLING = frozenset("hello sorry pardon hi".split())
_TURN_SECONDS = 0.7
"""A shorter pause is the same turn going on: nobody answered in it (turns are taken about 0.2 s apart, and the
shortest answer takes about 0.3 s; Stivers et al., 2009)."""
_SILENCE_SECONDS = 2.5
"""After such a pause a question that is not asked again was answered, or given up."""


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A clinical question without an answer in the transcript.

    Attributes:
        shown_by: The asker takes an answer up, asks about something else, or goes on after a silence.
        silence: Seconds between the question's end and the asker's going on; None where times are not known.
    """

    question: Question
    shown_by: Literal["taken_up", "asked_on", "silence"]
    silence: float | None


def unanswered_question(line: Line, before: Sequence[Line], matcher: TermMatcher) -> Unanswered | None:
    """The clinical question that `line` shows was left unanswered, if any.

    Conservative: only a question that ends its line, and that nobody has said a word after, counts; one asked again,
    or put in other words, is still open.

    Args:
        line: The new line.
        before: Lines before it, oldest first; only the last few are read.
        matcher: Finds clinical terms.
    """
    words = wording(line.tokens).words
    asking = _last_asking(before) if words and line.speaker in STAFF else None
    if asking is None or words[0] in _CALLING or _BARE_ANSWER.issuperset(words):
        return None
    silence = _seconds_between(asking, line)
    if silence is not None and silence < _TURN_SECONDS:
        return None
    question = _open_question(asking, matcher)
    if question is None:
        return None
    shown_by = _shown_by(line, words, question, matcher, silence)
    return None if shown_by is None else Unanswered(question, shown_by, silence)


def _last_asking(before: Sequence[Line]) -> Line | None:
    """The line of staff just before, if nobody has said a word since."""
    for earlier in reversed(before):
        if earlier.speaker in STAFF and earlier.spoken:
            return earlier
        if answer_by_sound(earlier.tokens) or not _CALLING.issuperset(wording(earlier.tokens).words):
            return None
    return None


def _open_question(asking: Line, matcher: TermMatcher) -> Question | None:
    """The clinical question with which a line ends."""
    questions = read_questions(asking, matcher)
    if not questions:
        return None
    last = questions[-1]
    ends = last.last == len(wording(asking.tokens).words) - 1
    return last if ends and last.clinical and last.form != "statement" else None


def _shown_by(
    line: Line, words: Sequence[str], question: Question, matcher: TermMatcher, silence: float | None
) -> Literal["taken_up", "asked_on", "silence"] | None:
    if words[0] in _TAKING_UP:
        return "taken_up"
    asked_on = next((asked for asked in read_questions(line, matcher) if asked.form != "statement"), None)
    if asked_on is not None:
        moved_on = silence is not None and (_follows_up(asked_on, question) or _another(asked_on, question))
        return "asked_on" if moved_on else None
    return "silence" if silence is not None and silence >= _SILENCE_SECONDS else None


def _follows_up(asked: Question, question: Question) -> bool:
    """Whether it only makes sense after a yes: "do you drink" and then "how much do you drink"."""
    return asked.form == "wh" and question.form == "yes_no"


def _another(asked: Question, question: Question) -> bool:
    """Whether it asks about something else, and does not only put the question in other words."""
    if asked.kind == "repair":
        return False
    if asked.subjects and question.subjects:
        return set(asked.subjects).isdisjoint(question.subjects)
    here, there = stems(asked.words), stems(question.words)
    return 2 * len(here & there) < min(len(here), len(there))


def _seconds_between(asking: Line, line: Line) -> float | None:
    if asking.end is None or line.start is None:
        return None
    return line.start - asking.end
