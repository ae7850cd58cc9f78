"""Questions in a line: what is asked; and which question a line answers.

Read from words alone: recognisers often write no question mark, and both forms of the same words must agree.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from service.dialogue.acknowledgements import is_acknowledgement
from service.dialogue.experiencer import FAMILY
from service.dialogue.lines import Line
from service.dialogue.mentions import Mention, mentions_in
from service.dialogue.question_forms import (
    QuestionForm,
    denies_what_it_asks,
    question_end,
    question_starts,
    waits_for_yes,
)
from service.dialogue.question_kinds import AT_STAKE, CLINICAL_KINDS, QuestionKind, kind_of
from service.dialogue.speakers import STAFF
from service.dialogue.terms import TermMatcher
from service.dialogue.wording import Wording, wording

_PRESENCE_WORDS = (
    frozenset(
        "any have you you've had got noticed notice do did does get getting feel feeling felt been are is there or and "
        "at all a an some suffer suffering from having experienced experiencing problems difficulty issues also the "
        "with your so okay no not don't haven't aren't isn't as well drink much in way of like anything that then "
        "symptoms such either nor it's it does he she anyone ever anywhere taking take using use tried on to currently "
        "that this sure there's no still has settled gone stopped cleared resolved away chance could be today can "
        "see find hear what about how else house home history of year week month recently lately yet past few last "
        "days weeks months before was were you're".split()
    )
    | FAMILY
)
"""Words with which a question asks for plain presence, and no more."""

_CONDITIONS = frozenset({"when", "whenever", "if", "while"})
_MENTIONING = frozenset({("what", "about"), ("how", "about")})
_AT_OTHER_TIMES = frozenset("normally usually ordinarily generally previously before otherwise".split())
_REPHRASING = frozenset({("you", "know"), ("i", "mean"), ("so", "like")})


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
        mentions: The clinical subjects asked about, in the line's wording.
        presence: Whether it asks for the plain presence of its subjects, so that a yes or no settles them: "any
            fever or cough" does, "is the cough worse at night" does not.
        conditional: Whether it asks for their presence under a condition only ("any pain when you swallow").
        negative: Whether it is asked in the negative ("you haven't had any fever"), so that agreeing denies.
        at_stake: How much a misheard answer would change the clinical picture, 0..1.
    """

    sequence: int
    first: int
    last: int
    form: QuestionForm
    kind: QuestionKind
    words: tuple[str, ...] = field(repr=False)
    mentions: tuple[Mention, ...] = field(default=(), repr=False)
    negative: bool = False
    presence: bool = False
    conditional: bool = False

    @property
    def subjects(self) -> tuple[str, ...]:
        """Names of the clinical subjects asked about, each once, in order."""
        return tuple(dict.fromkeys(mention.subject for mention in self.mentions))

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
    said = wording(line.tokens)
    return questions_in(said, line.sequence, mentions_in(said.words, matcher), by_staff=line.speaker in STAFF)


def questions_in(
    said: Wording, sequence: int, mentions: Sequence[Mention], *, by_staff: bool = False
) -> tuple[Question, ...]:
    """All questions in a wording whose clinical subjects are known, in order.

    From staff a mere name asks too: "dizziness?".
    """
    words = said.words
    starts = question_starts(words)
    if not starts:
        waits = waits_for_yes(words, names_subject=bool(mentions)) or (
            by_staff and _only_names(words, mentions)
        )
        return (_question(words, sequence, 0, len(words) - 1, "statement", mentions),) if waits else ()
    ends = [*(start - 1 for start, _ in starts[1:]), len(words) - 1]
    return tuple(
        _question(words, sequence, first, question_end(words, first, last), form, mentions)
        for (first, form), last in zip(starts, ends, strict=True)
    )


def answered_questions(
    line: Line, before: Sequence[Line], matcher: TermMatcher, *, look_back: int = 6
) -> tuple[Question, ...]:
    """All questions of the turn by another speaker that `line` answers, or goes on answering, in order.

    Looks through acknowledgements and through the answerer's own earlier words; stops at another speaker's turn
    that asks nothing.
    """
    for earlier in reversed(before[-look_back:]):
        if earlier.speaker == line.speaker or not earlier.tokens:
            continue
        found = read_questions(earlier, matcher)
        asked = tuple(question for question in found if question.kind != "repair")
        if asked:
            return asked
        if not found and not _goes_on(wording(earlier.tokens).words, matcher):
            return ()
    return ()


def _is_named(topic: Mention, about: Sequence[Mention]) -> bool:
    """Whether the allergy that is asked about is the one named after it: "allergic to penicillin"."""
    return topic.subject == "allergy" and any(mention.subject.endswith(" allergy") for mention in about)


def _only_names(words: Sequence[str], mentions: Sequence[Mention]) -> bool:
    named = sum(mention.last - mention.first + 1 for mention in mentions if mention.category != "drug")
    return bool(named) and named == len(words)


def _goes_on(words: Sequence[str], matcher: TermMatcher) -> bool:
    """Whether a line leaves the question before it open: an acknowledgement, or other words for what was asked."""
    if is_acknowledgement(words):
        return True
    start = 2 if tuple(words[:2]) in _REPHRASING else 0
    named = sum(mention.last - mention.first + 1 for mention in mentions_in(words, matcher))
    return bool(named) and len(words) - start <= named + 1


def _question(
    words: Sequence[str],
    sequence: int,
    first: int,
    last: int,
    form: QuestionForm,
    mentions: Sequence[Mention],
) -> Question:
    asked = tuple(words[first : last + 1])
    about = tuple(mention for mention in mentions if first <= mention.first and mention.last <= last)
    return Question(
        sequence=sequence,
        first=first,
        last=last,
        form=form,
        kind=kind_of(asked, named=about[0].category if about and form != "wh" else None),
        words=asked,
        mentions=about,
        presence=_may_be_of_presence(asked, form) and _asks_presence(words, first, last, about),
        conditional=form == "yes_no" and _asks_under_condition(words, first, about),
        negative=form != "wh" and denies_what_it_asks(asked),
    )


def _may_be_of_presence(asked: tuple[str, ...], form: QuestionForm) -> bool:
    return form in {"yes_no", "statement"} or asked[:2] in _MENTIONING


def _asks_presence(words: Sequence[str], first: int, last: int, about: Sequence[Mention]) -> bool:
    return (
        bool(about)
        and (first == 0 or words[first - 1] not in _AT_OTHER_TIMES)
        and not any(mention.narrowed for mention in about if not _is_named(mention, about))
        and _only_presence(words, first, last, about)
    )


def _asks_under_condition(words: Sequence[str], first: int, about: Sequence[Mention]) -> bool:
    """Whether all before a condition asks for the presence of one subject."""
    if len(about) != 1 or not about[0].narrowed:
        return False
    after = about[0].last + 1
    return (
        words[after : after + 1] != ()
        and words[after] in _CONDITIONS
        and _only_presence(words, first, after - 1, about)
    )


def _only_presence(words: Sequence[str], first: int, last: int, about: Sequence[Mention]) -> bool:
    named = {place for mention in about for place in range(mention.first, mention.last + 1)}
    return all(words[at] in _PRESENCE_WORDS for at in range(first, last + 1) if at not in named)
