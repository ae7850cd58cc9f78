"""Whose, when and how surely: the experiencer, time and certainty under which a word was said."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from service.dialogue.negation import NEGATORS

Experiencer = Literal["patient", "family", "other"]
Temporality = Literal["current", "past", "hypothetical"]

FAMILY = frozenset(
    "mother mum mom mummy mother's mum's mom's father dad dad's father's brother brother's sister sister's son son's "
    "daughter daughter's grandma grandmother gran nan grandad grandfather granddad granny uncle aunt auntie cousin "
    "wife wife's husband husband's parents family children kids child kid baby twin siblings grandparents nephew "
    "niece brothers sisters sons daughters grandads mums dads".split()
)
_OTHERS = frozenset(
    "friend friend's friends colleague colleague's colleagues neighbour neighbor partner partner's boyfriend "
    "girlfriend flatmate flatmates roommate roommates housemate someone somebody people everyone patients boss "
    "boyfriend's girlfriend's class school".split()
)
_THIRD = frozenset("he he's she she's they they're they've him her his their".split())
_SPEAKER = frozenset("i i'm i've i'd i'll myself".split())
_ADDRESSEE = frozenset("you you're you've you'd".split())
_FILLING_AFTER_YOU = frozenset({"know", "see"})
_PERSON_REACH = 14
_RELATIVE_REACH = 6
_PAST = frozenset("previously previous childhood formerly history past once".split())
_PAST_PHRASES = (
    "used to",
    "years ago",
    "year ago",
    "months ago",
    "when i was",
    "when you were",
    "as a child",
    "as a kid",
    "as a baby",
    "last year",
    "last month",
    "a while ago",
    "a while back",
    "long ago",
    "at that time",
    "back then",
    "back in",
    "at the time",
    "growing up",
    "had before",
    "had it before",
    "ever had",
    "ever been",
    "in the beginning",
    "at first",
    "initially",
    "to begin with",
    "at the start",
    "last time",
    "last night",
    "i had",
)
_ENDED = frozenset("gone stopped settled cleared resolved anymore vanished disappeared finished".split())
_ENDED_PHRASES = (
    "no longer",
    "any more",
    "went away",
    "going away",
    "better now",
    "got better",
    "gets better",
    "gone away",
    "went down",
    "going down",
    "cleared up",
    "is better",
    "it's better",
    "that's better",
    "easing off",
    "not anymore",
)
_SUPPOSED = frozenset(
    "if unless might may could would maybe perhaps wonder whether worried worry worries worrying concern concerned "
    "scared afraid risk prevent avoid should suspect wondering possibly possible potentially develop suggest "
    "suggestive likely case".split()
)
_SUPPOSED_PHRASES = (
    "in case",
    "look out",
    "rule out",
    "sign of",
    "signs of",
    "such as",
    "for example",
    "side effect",
    "side effects",
    "don't want",
    "i read",
    "googled",
    "googling",
    "sounds like",
    "similar to",
    "make sure",
    "caused by",
    "due to",
    "things like",
    "check for",
    "looking for",
    "help with",
    "good for",
    "treat the",
    "watch out",
    "i'll",
    "die of",
    "dying of",
    "died of",
    "go away",
)
_HEDGED = frozenset(
    "think guess probably sort kind seems suppose apparently usually normally sometimes".split()
)
_DOUBTED_PHRASES = ("not sure", "don't know", "can't say", "hard to say", "can't remember", "no idea")


@dataclass(frozen=True, slots=True)
class Stance:
    """When and how surely something was said.

    Attributes:
        certainty: 0..1; 1 is said outright, about 0.7 hedged, about 0.3 doubted.
    """

    temporality: Temporality
    certainty: float


def stance_of(clause: Sequence[str]) -> Stance:
    """Reads the stance of a clause."""
    text = f" {' '.join(clause)} "
    return Stance(_temporality(clause, text), _certainty(clause, text))


def experiencer_of(words: Sequence[str], at: int, *, by_staff: bool) -> Experiencer:
    """Whose word `at` is: the nearest person named before it, else a relative named just after it.

    A patient's "you" is people in general, and a clinician's "I" is the clinician.
    """
    own, others = (_ADDRESSEE, _SPEAKER) if by_staff else (_SPEAKER, _ADDRESSEE)
    for place in range(at - 1, max(at - _PERSON_REACH, 0) - 1, -1):
        word = words[place]
        if word in FAMILY:
            return "family"
        if word in own:
            return "patient"
        if word in _OTHERS or (word in others and words[place + 1] not in _FILLING_AFTER_YOU):
            return "other"
        if word in _THIRD:
            return "family" if not FAMILY.isdisjoint(words[:place]) else "other"
    after = words[at + 1 : at + 1 + _RELATIVE_REACH]
    return "family" if "from" in after and not FAMILY.isdisjoint(after) else "patient"


def _says(text: str, phrases: Sequence[str]) -> bool:
    return any(f" {phrase} " in text for phrase in phrases)


def _temporality(clause: Sequence[str], text: str) -> Temporality:
    if not _SUPPOSED.isdisjoint(clause) or _says(text, _SUPPOSED_PHRASES):
        return "hypothetical"
    ended = any(_ends(clause, at) for at in range(len(clause))) or _says(text, _ENDED_PHRASES)
    if ended or not _PAST.isdisjoint(clause) or _says(text, _PAST_PHRASES):
        return "past"
    return "past" if clause[-1] == "before" else "current"


def _ends(clause: Sequence[str], at: int) -> bool:
    """Whether a word says that it is over, and is not itself negated ("hasn't gone")."""
    return clause[at] in _ENDED and NEGATORS.isdisjoint(clause[max(at - 2, 0) : at])


def _certainty(clause: Sequence[str], text: str) -> float:
    if _says(text, _DOUBTED_PHRASES):
        return 0.3
    return 0.7 if not _HEDGED.isdisjoint(clause) else 1.0
