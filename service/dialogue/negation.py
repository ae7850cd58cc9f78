"""Negation in speech: which words are denied.

Follows NegEx (Chapman et al., 2001: triggers, pseudo-triggers, terminators, scope before and after) with the
triggers and limits of spoken English: "no" that only answers, "haven't had any", "not that I know of".
"""

from collections.abc import Sequence

from service.dialogue.clauses import INTERJECTIONS, SUBJECTS, clauses
from service.dialogue.numbers import is_number_word

NEGATORS = frozenset(
    "no not never none neither nor without don't doesn't didn't haven't hasn't hadn't isn't aren't wasn't weren't "
    "can't couldn't won't wouldn't shouldn't ain't denies denied deny denying nothing nobody noone".split()
)
_ABILITY = frozenset({"can't", "couldn't"})
_NOT_SAID_TO_BE = frozenset(
    "sure certain bothered doing dealing helped arsed without that so too more".split()
)
"""After "can't be" they rule out nothing: "can't be sure", where "can't be tonsillitis" does."""
_ANSWERS_ONLY_BEFORE = (
    SUBJECTS
    | INTERJECTIONS
    | frozenset(
        "the this that these those just only but not never none nothing no okay and so actually problem worries "
        "need idea thank because if when sometimes maybe mostly mainly everything it's all please doctor".split()
    )
)
_NOT_DENYING = frozenset(
    (first, second)
    for first, seconds in {
        "not": "only just sure necessarily certain because getting going better very really being too so "
        "helping helped gone improving until great good nice clear long enough",
        "no": "idea doubt wonder longer worries matter change better",
        "don't": "know mind remember worry understand want like forget",
        "didn't": "know want sleep go realise catch mean hear like stop",
        "doesn't": "go matter stop make affect get seem sound want let",
        "hasn't": "gone stopped improved changed settled",
        "haven't": "gone stopped improved changed slept settled measured checked",
        "wasn't": "sure able until",
        "isn't": "helping getting going working better",
        "aren't": "getting going helping",
        "won't": "go stop help",
        "wouldn't": "go stop know mind",
    }.items()
    for second in seconds.split()
)
_INEFFECTIVE = frozenset(
    "help helps helped helping touch touched touching ease eased easing shift shifted shifting work worked working "
    "relieve relieved relieving control controlled controlling".split()
)
"""What a remedy fails to do leaves the complaint standing: "it isn't touching the pain"."""
_AFTER_NOT_GET = frozenset("better worse it to why how rid enough over through up any".split())
_LITOTES = tuple(
    tuple(opening.split())
    for opening in (
        "not like",
        "not as if",
        "wouldn't say",
        "haven't been",
        "never been",
        "don't not",
        "didn't not",
        "can't not",
        "not that i'm not",
        "not that i don't",
        "not that i haven't",
        "not that i didn't",
        "not that it doesn't",
        "not that there isn't",
    )
)
"""Openings whose negation cancels the one after them: "it's not like I don't have any pain"."""
_CLOSING = frozenset("today now anymore lately recently anywhere tonight yesterday".split())
_CLOSING_PAIRS = frozenset(
    {("at", "all"), ("so", "far"), ("any", "more"), ("right", "now"), ("this", "morning")}
)
_GOING_ON = frozenset("and or nor in on of to with any from when while after during like".split())
_ELLIPTIC_AFTER = frozenset({("think", "so"), ("believe", "so"), ("really", "no")})
_STOPS = frozenset("just except apart besides only some sometimes occasionally mainly mostly rather".split())
_STOP_PAIRS = frozenset(
    {("a", "bit"), ("a", "little"), ("other", "than"), ("aside", "from"), ("a", "mild")}
    | {("more", "a"), ("more", "of"), ("more", "like"), ("it's", "more")}
)
_AFTER_PREFIXES = frozenset(
    {("negative", "for"), ("free", "of"), ("free", "from"), ("absence", "of"), ("clear", "of")}
    | {("rules", "out"), ("unlikely", "to"), ("unlikely", "that"), ("unlikely", "it's"), ("ruled", "out")}
)
_AFTERWARDS = frozenset({"negative", "unlikely", "none", "absent", "no"})
_TRIGGERS = NEGATORS | _AFTERWARDS | {first for first, _ in _AFTER_PREFIXES}
_ELLIPTIC_ANSWER = 6
_WITHOUT_REACH = 3
_SO_MUCH = ("so", "much")


def denied_words(words: Sequence[str]) -> frozenset[int]:
    """Indexes of the words that stand under a negation."""
    denied: set[int] = set()
    if _TRIGGERS.isdisjoint(words):
        return frozenset()
    for first, last in clauses(words):
        cancelled = False
        for at in range(first, last + 1):
            if _denies(words, at, last):
                scope = range(at + 1, _reach(words, at, last) + 1)
                if cancelled or (words[at] == "without" and not NEGATORS.isdisjoint(words[first:at])):
                    denied.difference_update(scope)
                else:
                    denied.update(scope)
                cancelled = any(tuple(words[at : at + len(opening)]) == opening for opening in _LITOTES)
            elif _denies_before(words, at, first, last):
                denied.update(range(first, at))
    return frozenset(denied)


def _denies(words: Sequence[str], at: int, last: int) -> bool:
    word = words[at]
    after = words[at + 1] if at < last else ""
    if (word, after) in _AFTER_PREFIXES:
        return True
    if word not in NEGATORS or not after:
        return False
    if _likens(words, at, last):
        return True
    if (word, after) in _NOT_DENYING or tuple(words[at + 1 : at + 3]) in _ELLIPTIC_AFTER:
        return False
    if word != "no" and (
        after in _INEFFECTIVE or (after in {"get", "got"} and _fails_to_get(words[at + 2 : at + 4]))
    ):
        return False
    if word == "no" and is_number_word(after) and after != "one":
        return False  # "three, no, four weeks"
    if word in _ABILITY or after == "able" or tuple(words[at + 1 : at + 3]) == ("been", "able"):
        return "any" in words[at + 1 : at + 5] or _rules_out(words[at + 1 : last + 1])
    return word != "no" or after not in _ANSWERS_ONLY_BEFORE


def _likens(words: Sequence[str], at: int, last: int) -> bool:
    """Whether one word is put in place of another: "not so much a pain as a tightness"."""
    return tuple(words[at + 1 : at + 3]) == _SO_MUCH and "as" in words[at + 3 : last + 1]


def _rules_out(after: Sequence[str]) -> bool:
    """Whether what follows "can't" says that it is something else: "can't be tonsillitis"."""
    being = 2 if tuple(after[:2]) == ("have", "been") else int(tuple(after[:1]) == ("be",))
    return bool(being) and being < len(after) and after[being] not in _NOT_SAID_TO_BE


def _fails_to_get(after: Sequence[str]) -> bool:
    """Whether "not get" means that something stays as it is ("better", "any better"), rather than that it is absent."""
    if not after or after[0] not in _AFTER_NOT_GET:
        return False
    return after[0] != "any" or tuple(after[1:]) in {("better",), ("worse",), ("sleep",)}


def _reach(words: Sequence[str], at: int, last: int) -> int:
    """The last word that a negation at `at` denies."""
    if words[at] == "without":
        last = min(last, at + _WITHOUT_REACH)
    elif _likens(words, at, last):
        return words.index("as", at) - 1
    for place in range(at + 1, last + 1):
        after = words[place + 1] if place < last else ""
        if words[place] in _STOPS or (place > at + 1 and (words[place], after) in _STOP_PAIRS):
            return place - 1
        if place > at + 1 and after not in _GOING_ON and _closes(words[place - 1], words[place]):
            return place
    return last


def _closes(before: str, word: str) -> bool:
    """Whether an adverb ends what is denied: "no fever today"."""
    return word in _CLOSING or (before, word) in _CLOSING_PAIRS


def _denies_before(words: Sequence[str], at: int, first: int, last: int) -> bool:
    """Whether a word denies what stands before it: "is negative", "chest pain no"."""
    word = words[at]
    if word not in _AFTERWARDS or at == first:
        return False
    if word == "no":
        return at == last == len(words) - 1 and at - first < _ELLIPTIC_ANSWER and _verbless(words[first:at])
    after = words[at + 1] if at < last else ""
    return (word, after) not in _AFTER_PREFIXES and words[at - 1] in {
        "is",
        "was",
        "are",
        "were",
        "very",
        "came",
        "back",
    }


def _verbless(words: Sequence[str]) -> bool:
    return SUBJECTS.isdisjoint(words) and NEGATORS.isdisjoint(words)
