"""What a line asserts: clinical subjects affirmed or denied, whose they are, when, and how surely."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from service.dialogue.clauses import clauses
from service.dialogue.experiencer import Experiencer, experiencer_of
from service.dialogue.mentions import Mention
from service.dialogue.negation import denied_words
from service.dialogue.questions import Question
from service.dialogue.stance import DOUBTED, Stance, Temporality, stance_of
from service.dialogue.terms import TermCategory
from service.dialogue.wording import Wording

PARTLY = 0.6
"""The certainty of what is said with a limit, or only follows."""
_SETTLED = 0.65
_ONLY_BEFORE_NOW = frozenset(
    {("used", "to"), ("use", "to"), ("like", "this"), ("this", "bad"), ("so", "bad")}
)
_HABITUAL = frozenset({"usually", "normally", "generally"})
_NOT_NOW = frozenset({("not", "now"), ("not", "anymore"), ("not", "any"), ("no", "longer"), ("not", "at")})
_ELLIPTIC = 4
_SOMEWHAT = frozenset((word,) for word in "maybe perhaps possibly a some sometimes just".split())
_IT_IS_NOT = frozenset(
    {("it's", "not"), ("it", "isn't"), ("it", "wasn't"), ("they're", "not"), ("apparently", "not")}
)
_BY_MY_GUESS = frozenset(("i", word) for word in "reckon think guess suppose imagine expect suspect".split())
_NAMING = frozenset({"it's", "that's", "and", "it"})
_WONDERED = 4
_WONDERING = frozenset("wonder wondering wondered sure certain".split())
_DEFINITE = frozenset("the this these my".split())
_TAKING_UP = frozenset("it it's that that's they they've which".split())
_JOINING = frozenset({"and", "or", "but"})
_CONDITIONS = frozenset({"if", "unless"})


@dataclass(frozen=True, slots=True)
class Assertion:
    """One subject, affirmed or denied.

    Attributes:
        first: First word it rests on, in the line's wording.
        last: Last word (inclusive).
        answer: Whether it follows from a yes or no to a question, rather than from a statement.
        wide: See `Mention.wide`.
    """

    subject: str = field(repr=False)
    category: TermCategory
    denied: bool
    experiencer: Experiencer
    temporality: Temporality
    certainty: float
    first: int
    last: int
    answer: bool = False
    wide: bool = False

    @property
    def settled(self) -> bool:
        """Whether it says how things are with the patient now, outright."""
        return self.experiencer == "patient" and self.temporality == "current" and self.certainty >= _SETTLED


def stated(
    said: Wording, questions: Sequence[Question], mentions: Sequence[Mention], *, by_staff: bool
) -> tuple[Assertion, ...]:
    """What the words themselves assert. What stands within a question asserts nothing."""
    words = said.words
    if not mentions:
        return ()
    asked = _asked_words(questions)
    denied = denied_words(words)
    limits = clauses(words)
    made: list[Assertion] = []
    for mention, previous in zip(mentions, (None, *mentions), strict=False):
        denies = mention.first in denied and not _put_right(words, mention, previous)
        if mention.first in asked or (mention.narrowed and denies):
            continue
        at = next(at for at, limit in enumerate(limits) if mention.first <= limit[1])
        first, last = limits[at]
        clause = words[first : last + 1]
        after = words[last + 1 : last + 2]
        excepted = after == ("unless",) or (after == ("but",) and not _HABITUAL.isdisjoint(clause))
        unheard_of = words[mention.first - 1 : mention.first] == ("this",) and "never" in clause
        if denies and (excepted or unheard_of or _was_not_so(clause)):
            denies, stance = False, Stance("current", PARTLY)
        elif denies and _takes_back_in_part(words, last + 1):
            denies, stance = False, Stance("current", DOUBTED)
        elif not denies and "thought" in clause and _says_it_is_not(words, last + 1):
            denies, stance = True, Stance("current", 1.0)
        elif _only_wonders_about(words, mention.first):
            stance = Stance("current", 1.0)
        else:
            stance = _stance_among(words, limits, at, denied=denies)
        whose = experiencer_of(words, mention.first, by_staff=by_staff)
        made.append(_assertion(mention, stance, whose, denied=denies))
    return tuple(made)


def _stance_among(
    words: Sequence[str], limits: Sequence[tuple[int, int]], at: int, *, denied: bool
) -> Stance:
    """The stance of a clause, with what the clauses beside it add to it."""
    first, last = limits[at]
    stance = stance_of(words[first : last + 1])
    if denied and stance.temporality == "ended":
        return Stance("current", stance.certainty)  # "I don't smoke any more"
    if at and words[first] in _JOINING and not _CONDITIONS.isdisjoint(words[limits[at - 1][0] : first]):
        return Stance("hypothetical", stance.certainty)  # "if the pain gets worse or you start vomiting"
    if at + 1 < len(limits):
        if not denied and _tells_its_end(words, *limits[at + 1]):
            return Stance("ended", stance.certainty)
        if tuple(words[limits[at + 1][0] :]) in _BY_MY_GUESS and words[first] in _NAMING:
            return Stance(stance.temporality, DOUBTED)
    return stance


def _tells_its_end(words: Sequence[str], first: int, last: int) -> bool:
    """Whether a clause says that what was just spoken of is over: "but that's settled now"."""
    start = first + (words[first] in _JOINING)
    if tuple(words[start : start + 2]) in _NOT_NOW and last - start < _ELLIPTIC:
        return True
    over = start <= last and words[start] in _TAKING_UP
    return over and stance_of(words[start : last + 1]).temporality == "ended"


def _assertion(mention: Mention, stance: Stance, whose: Experiencer, *, denied: bool) -> Assertion:
    return Assertion(
        mention.subject,
        mention.category,
        denied,
        whose,
        stance.temporality,
        stance.certainty,
        mention.first,
        mention.last,
        wide=mention.wide,
    )


def _was_not_so(clause: Sequence[str]) -> bool:
    """Whether what is denied of earlier times is so now: "I never used to get headaches", "never a pain like this"."""
    return any(pair in _ONLY_BEFORE_NOW for pair in pairwise(clause))


def _put_right(words: Sequence[str], mention: Mention, previous: Mention | None) -> bool:
    """Whether a subject is named in place of the one before it: "not aspirin, ibuprofen"."""
    if previous is None or mention.first != previous.last + 1:
        return False
    return mention.category == previous.category and words[previous.first - 1 : previous.first] == ("not",)


def _takes_back_in_part(words: Sequence[str], at: int) -> bool:
    """Whether the clause that begins at a word limits what was denied: "no swelling, well, maybe a touch"."""
    return tuple(words[at : at + 1]) == ("well",) and tuple(words[at + 1 : at + 2]) in _SOMEWHAT


def _says_it_is_not(words: Sequence[str], at: int) -> bool:
    """Whether the clause that begins at a word takes back what was thought: "but it's not"."""
    start = at + (tuple(words[at : at + 1]) == ("but",))
    said = tuple(words[start : start + 2])
    return said in _IT_IS_NOT and len(words) - start <= _ELLIPTIC


def _only_wonders_about(words: Sequence[str], at: int) -> bool:
    """Whether what is open about a subject is something else than its presence: "I wonder if the rash is from that"."""
    if at < _WONDERED or words[at - 1] not in _DEFINITE or words[at - 2] not in {"if", "whether"}:
        return False
    return words[at - 3] in _WONDERING or tuple(words[at - 4 : at - 2]) == ("don't", "know")


def _asked_words(questions: Sequence[Question]) -> frozenset[int]:
    return frozenset(
        word
        for question in questions
        if question.form != "statement"
        for word in range(question.first, question.last + 1)
    )
