"""Questions in a line: what is asked; and which question a line answers.

Read from words alone: recognisers often write no question mark, and both forms of the same words must agree.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from service.dialogue.acknowledgements import is_acknowledgement
from service.dialogue.lines import Line
from service.dialogue.mentions import mentions_in
from service.dialogue.negation import NEGATORS
from service.dialogue.question_forms import QuestionForm, question_end, question_starts, waits_for_yes
from service.dialogue.question_kinds import AT_STAKE, CLINICAL_KINDS, QuestionKind, kind_of
from service.dialogue.terms import TermMatcher
from service.dialogue.wording import Wording, wording


@dataclass(frozen=True, slots=True)
class Question:
    """One question.

    Attributes:
        sequence: The segment that asks.
        first: Its first word, in the line's wording.
        last: Its last word (inclusive).
        form: `statement` is one that waits for a yes: "so you've had no fever".
        kind: What is asked for.
        words: What is asked, in words.
        subjects: Clinical subjects asked about, in order.
        negative: Whether it is asked in the negative ("you haven't had any fever").
        at_stake: How much a misheard answer would change the clinical picture, 0..1.
    """

    sequence: int
    first: int
    last: int
    form: QuestionForm
    kind: QuestionKind
    words: tuple[str, ...] = field(repr=False)
    subjects: tuple[str, ...] = field(default=(), repr=False)
    negative: bool = False

    @property
    def at_stake(self) -> float:
        """See `AT_STAKE`."""
        return AT_STAKE[self.kind]

    @property
    def clinical(self) -> bool:
        """Whether the answer is a clinical fact."""
        return self.kind in CLINICAL_KINDS


def read_questions(line: Line, matcher: TermMatcher) -> tuple[Question, ...]:
    """All questions of a line, in order."""
    return questions_in(wording(line.tokens), line.sequence, matcher)


def read_question(line: Line, matcher: TermMatcher) -> Question | None:
    """The question that a line leaves open: its last one."""
    found = read_questions(line, matcher)
    return found[-1] if found else None


def questions_in(said: Wording, sequence: int, matcher: TermMatcher) -> tuple[Question, ...]:
    """All questions in a wording, in order."""
    words = said.words
    starts = question_starts(words)
    if not starts:
        return (
            (_question(words, sequence, 0, len(words) - 1, "statement", matcher),)
            if waits_for_yes(words, matcher)
            else ()
        )
    ends = [*(start - 1 for start, _ in starts[1:]), len(words) - 1]
    return tuple(
        _question(words, sequence, first, question_end(words, first, last), form, matcher)
        for (first, form), last in zip(starts, ends, strict=True)
    )


def answered_question(
    line: Line, before: Sequence[Line], matcher: TermMatcher, *, look_back: int = 6
) -> Question | None:
    """The question by another speaker that `line` answers, or goes on answering.

    Looks through acknowledgements and through the answerer's own earlier words; stops at another speaker's turn
    that asks nothing.
    """
    open_questions = answered_questions(line, before, matcher, look_back=look_back)
    return open_questions[-1] if open_questions else None


def answered_questions(
    line: Line, before: Sequence[Line], matcher: TermMatcher, *, look_back: int = 6
) -> tuple[Question, ...]:
    """All questions of the turn that `line` answers, in order."""
    for earlier in reversed(before[-look_back:]):
        if earlier.speaker == line.speaker or not earlier.tokens:
            continue
        found = read_questions(earlier, matcher)
        asked = tuple(question for question in found if question.kind != "repair")
        if asked:
            return asked
        if not found and not is_acknowledgement(wording(earlier.tokens).words):
            return ()
    return ()


def _question(
    words: Sequence[str], sequence: int, first: int, last: int, form: QuestionForm, matcher: TermMatcher
) -> Question:
    asked = words[first : last + 1]
    subjects = tuple(dict.fromkeys(mention.subject for mention in mentions_in(asked, matcher)))
    return Question(
        sequence=sequence,
        first=first,
        last=last,
        form=form,
        kind=kind_of(asked, names_subject=bool(subjects) and form != "wh"),
        words=tuple(asked),
        subjects=subjects,
        negative=form != "wh" and not NEGATORS.isdisjoint(asked),
    )
