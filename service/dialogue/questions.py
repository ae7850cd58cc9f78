"""Questions in a line: what is asked; and which question a line answers.

Read from words alone: recognisers often write no question mark, and both forms of the same words must agree.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from service.dialogue.acknowledgements import is_acknowledgement
from service.dialogue.lines import Line
from service.dialogue.mentions import Mention, mentions_in
from service.dialogue.negation import NEGATORS
from service.dialogue.question_forms import QuestionForm, question_end, question_starts, waits_for_yes
from service.dialogue.question_kinds import AT_STAKE, CLINICAL_KINDS, QuestionKind, kind_of
from service.dialogue.terms import TermMatcher
from service.dialogue.wording import Wording, wording

_PRESENCE_WORDS = frozenset(
    "any have you you've had got noticed notice do did does get getting feel feeling felt been are is there or and "
    "at all a an some suffer suffering from having experienced experiencing problems difficulty issues also the "
    "with your so okay no not don't haven't aren't isn't as well drink much in way of like anything that then "
    "symptoms such either nor it's it".split()
)
"""Words with which a question asks for plain presence, and no more."""


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
        presence: Whether it asks for the plain presence of its subjects, so that a yes or no settles them: "any
            fever or cough" does, "is the cough worse at night" does not.
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
    presence: bool = False

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
    mentions = mentions_in(asked, matcher)
    subjects = tuple(dict.fromkeys(mention.subject for mention in mentions))
    return Question(
        sequence=sequence,
        first=first,
        last=last,
        form=form,
        kind=kind_of(asked, names_subject=bool(subjects) and form != "wh"),
        words=tuple(asked),
        subjects=subjects,
        presence=form in {"yes_no", "statement"} and _asks_presence(asked, mentions),
        negative=form != "wh" and not NEGATORS.isdisjoint(asked),
    )


def _asks_presence(words: Sequence[str], mentions: Sequence[Mention]) -> bool:
    named = {place for mention in mentions for place in range(mention.first, mention.last + 1)}
    return (
        bool(mentions)
        and not any(mention.narrowed for mention in mentions)
        and all(word in _PRESENCE_WORDS for at, word in enumerate(words) if at not in named)
    )
