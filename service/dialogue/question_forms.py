"""Where questions begin and end in words without punctuation, and of what form they are.

Rests on inversion ("have you", "is there"), question words, the elliptic "any fever", requests and tags.
"""

import re
from collections.abc import Sequence
from typing import Literal

from service.dialogue.negation import NEGATORS

QuestionForm = Literal["yes_no", "choice", "wh", "request", "statement"]

_AUXILIARIES = frozenset(
    "do does did have has had am is are was were can could will would should shall don't doesn't didn't haven't "
    "hasn't isn't aren't wasn't weren't can't couldn't won't wouldn't".split()
)
_PERSONS = frozenset("you he she they we i anyone anybody someone somebody u".split())
_THINGS = frozenset("it there that this these those".split())
_NOUN_STARTS = frozenset("the your his her their any everything anything all mum dad".split())
_WH = frozenset(
    "what where whereabouts when how why who which what's where's when's how's who's whose whats wheres "
    "hows".split()
)
_WH_CONTRACTED = frozenset("what's where's when's how's who's whats wheres hows whereabouts".split())
_WH_FOLLOWED = frozenset(
    "about many much long often old far bad severe else kind sort type colour color dose medication medications "
    "side part ones one time size frequently regularly come painful tall heavy happened made makes brings brought "
    "seems caused causes triggers exactly lives".split()
)
_EMBEDDING = frozenset(
    "know remember sure see wonder understand tell explain if whether like that's is was on of about to depends "
    "and's say said exactly knows matter no idea".split()
)
_LEADS = frozenset(
    "okay right so and or also now then well no yes yeah yep fine great good thanks thank sorry oh but alright "
    "perfect excellent lovely brilliant sure ah hi hello please sir doctor today mentioned example just otherwise "
    "ma'am madam again symptoms actually again first moment uhhuh".split()
)
_NOT_BEFORE_ANY = frozenset(
    "had have has got getting get noticed take taking taken is was see having need be been do at in of for to with "
    "without by from on if not than doing use using used without didn't haven't don't doesn't hasn't isn't wasn't "
    "aren't no never nor tried found seen drink aware made there about try want affecting below like hardly find "
    "feel cause into giving given know it's her him me my see i've are as that'll done worth has there's before "
    "your you i give felt feeling look show being where through under over against it take know when".split()
)
_REQUEST = re.compile(
    r"\b(?:tell (?:me|us)|describe|confirm your|confirm you're|confirm that you're|talk me through|"
    r"(?:can|could|may) i (?:just )?(?:take|confirm|check|have|get|grab) your|explain (?:a bit|to me|more)|"
    r"remind me|give me your|spell your)\b"
)
_TAG = re.compile(
    r"\b(?:is that (?:right|correct|okay|so)|isn't it|aren't you|have you|haven't you|has it|hasn't it|do you|"
    r"don't you|did you|didn't you|are you|were you|is it|was it|does it|doesn't it|(?<!all )right|correct|yeah|yes|"
    r"is that)$"
)
_TELLING = re.compile(
    r"\b(?:let (?:me|us) know|(?:call|ring|phone|contact|see) (?:me|us)|come (?:back|in|and see))\b"
)
_ADDRESSED = frozenset("you you're you've you'd your".split())
_AGREED = frozenset({("right",), ("correct",), ("okay",), ("so",)})
_LISTING = frozenset("any had noticed ever problems anything problem difficulty".split())
_ANY = frozenset({"any", "anything", "anyone", "anybody"})
_TROUBLES = frozenset("problems issues difficulty difficulties".split())
_ELLIPTIC = frozenset({"any", "ever"})
_PARTICIPLES = frozenset("had have been noticed felt smoked taken tried get got broken used passed".split())
_SUPPOSING = frozenset("if should unless case".split())
_PLANNING = frozenset(
    "if we i'd i'll we'll we're we'd should can could might may need want welcome would going let's unless bye "
    "worry".split()
)
_NOT_BEFORE_INVERSION = (
    _WH | _PERSONS | (NEGATORS - {"no"}) | frozenset("to not what's as than it this if the".split())
)
_SINGULAR_ONLY = frozenset("is was does has isn't wasn't doesn't hasn't".split())
_SINGULAR_PERSONS = frozenset("he she anyone anybody someone somebody".split())
_STATEMENT_STARTS = frozenset({"sorry", "i'm", "i'll", "i'd"})
_AFTER_OKAY = frozenset("so and i i'm right alright then but the we no yeah now great good fine".split())
_SHORTEST_QUESTION = 2
_BARE_PHRASE = 8
_DENIED_LIST = 8
_WH_PHRASE = 6
_LONGEST_QUESTION = 40


def question_starts(words: Sequence[str]) -> list[tuple[int, QuestionForm]]:
    """Where questions begin, and their form. What a question word asks by inversion is one question with it."""
    requests = _word_indexes(" ".join(words), _REQUEST)
    starts: list[tuple[int, QuestionForm]] = []
    for at in range(len(words)):
        form: QuestionForm | None = "request" if at in requests else _form_at(words, at)
        if form is None or (starts and _continues(words, at, form, starts[-1])):
            continue
        if not starts and words[at : at + 2] == ("is", "that") and words[at + 2 : at + 3] in _AGREED:
            at, form = 0, "statement"
        starts.append((at, form))
    return starts


def _continues(words: Sequence[str], at: int, form: QuestionForm, begun: tuple[int, QuestionForm]) -> bool:
    start, begun_form = begun
    if at - start < _SHORTEST_QUESTION:
        return True
    if begun_form == "wh" and form != "wh":
        return at - start < _WH_PHRASE and words[at - 1] not in _LEADS
    return begun_form == "request" and at - start < _WH_PHRASE


def _word_indexes(text: str, pattern: re.Pattern[str]) -> frozenset[int]:
    return frozenset(text.count(" ", 0, match.start()) for match in pattern.finditer(text))


def _form_at(words: Sequence[str], at: int) -> QuestionForm | None:
    word = words[at]
    if word in _WH:
        return "wh" if _asks_wh(words, at) else None
    if word in _AUXILIARIES:
        return _yes_no_or_choice(words, at) if _inverted(words, at) else None
    if word == "ever":
        return "yes_no" if _asks_ever(words, at) else None
    return "yes_no" if word in _ANY and _asks_any(words, at) else None


def _yes_no_or_choice(words: Sequence[str], at: int) -> QuestionForm:
    """Alternatives exclude each other ("dry or chesty"), unless they only list ("any pain or swelling")."""
    asked = words[at : at + _WH_PHRASE + 6]
    return "choice" if "or" in asked[2:] and _LISTING.isdisjoint(asked) else "yes_no"


def _asks_any(words: Sequence[str], at: int) -> bool:
    before = words[at - 1] if at else ""
    if at + 1 == len(words) or not _SUPPOSING.isdisjoint(words[:at]) or _advises(words[at:]):
        return False
    if before in {"or", "nor"} and not NEGATORS.isdisjoint(words[max(at - _DENIED_LIST, 0) : at]):
        return False  # "no rash or any itching"
    if before in {"or", "and"} and words[at] == "anything" and words[at + 1] not in {"else", "other"}:
        return False  # "or anything" trails off
    if at == 0 or before in _LEADS:
        return True
    listing = words[0] in _AUXILIARIES | _LEADS | _ELLIPTIC
    return words[at + 1] != "more" and before not in _NOT_BEFORE_ANY and listing


def _asks_ever(words: Sequence[str], at: int) -> bool:
    """Whether an elliptic question begins: "ever had a seizure"."""
    opens = at == 0 or words[at - 1] in _LEADS
    return opens and words[at + 1 : at + 2] != () and words[at + 1] in _PARTICIPLES


def _advises(words: Sequence[str]) -> bool:
    """Whether "any" is a condition: "any dizziness, let me know"."""
    text = " ".join(words)
    return _TELLING.search(text) is not None


def _asks_wh(words: Sequence[str], at: int) -> bool:
    before = words[at - 1] if at else ""
    after = words[at + 1] if at + 1 < len(words) else ""
    if before in _EMBEDDING or not after:
        return len(words) == 1
    opens = at == 0 or before in _LEADS
    if words[at] in _WH_CONTRACTED:
        return after != "called" and (opens or after in _NOUN_STARTS)
    if after in _AUXILIARIES:
        follow = words[at + 2] if at + 2 < len(words) else ""
        return follow in _PERSONS | _THINGS | _NOUN_STARTS or (words[at] != "when" and opens)
    if words[at] == "which" and opens:
        return True
    return after in _WH_FOLLOWED and (opens or words[at] == "how")


def _inverted(words: Sequence[str], at: int) -> bool:
    before = words[at - 1] if at else ""
    after = words[at + 1] if at + 1 < len(words) else ""
    if before in _NOT_BEFORE_INVERSION or (before == "that" and after != "you"):
        return False
    opens = at == 0 or before in _LEADS
    if after in _PERSONS and after != "i":
        agrees = words[at] not in _SINGULAR_ONLY or after in _SINGULAR_PERSONS
        conditional = words[at] == "should" and after == "you"  # "should you develop a rash"
        return at + 2 < len(words) and agrees and not conditional and (opens or after == "you")
    if after == "i":
        return opens and words[at] in {"should", "do", "am", "have", "shall", "will"}
    if after == "there":
        return at + 2 < len(words)
    if after in _THINGS:
        agreed = after == "that" and words[at + 2 : at + 3] in _AGREED
        return opens or agreed or (after == "it" and words[at] not in {"have", "had"} and at + 2 < len(words))
    return opens and after in _NOUN_STARTS and at + 2 < len(words)


def question_end(words: Sequence[str], first: int, last: int) -> int:
    """Where a question ends: before the next statement, and within bounds."""
    limit = min(last, first + _LONGEST_QUESTION)
    for at in range(first + _SHORTEST_QUESTION, limit):
        if words[at] in _STATEMENT_STARTS or (words[at] == "okay" and words[at + 1] in _AFTER_OKAY):
            return at - 1
    return limit


def waits_for_yes(words: Sequence[str], *, names_subject: bool) -> bool:
    """Whether a statement waits for a yes: a tag after it, about the listener, or a bare clinical noun phrase."""
    if not words or len(words) > _LONGEST_QUESTION or not _PLANNING.isdisjoint(words):
        return False
    if len(words) > _SHORTEST_QUESTION and _TAG.search(" ".join(words[-3:])):
        return True
    start = next((at for at, word in enumerate(words) if word not in _LEADS), len(words))
    if tuple(words[start : start + 2]) == ("you", "know"):
        return False
    if not _ADDRESSED.isdisjoint(words[start : start + 2]):
        return len(words) - start > 1
    if not _ADDRESSED.isdisjoint(words):
        return names_subject
    bare_phrase = len(words) <= _BARE_PHRASE and (
        words[0] in {"no", "and", "okay"} or tuple(words[:2]) == ("so", "no")
    )
    return bare_phrase and (names_subject or _asks_no_trouble(words))


def _asks_no_trouble(words: Sequence[str]) -> bool:
    """Whether trouble with something is asked about in the negative: "no problems passing urine", not "no problems"."""
    return words[0] == "no" and _TROUBLES.issuperset(words[1:2]) and tuple(words[2:3]) not in {(), ("at",)}


def denies_what_it_asks(asked: Sequence[str]) -> bool:
    """Whether a question is put in the negative ("you're not diabetic, are you").

    A negated auxiliary in front ("haven't you had a fever") or in a tag ("you have asthma, don't you") asks for a yes.
    """
    last = len(asked)
    if last > _SHORTEST_QUESTION and asked[-2] in _AUXILIARIES and asked[-1] in _PERSONS | _THINGS:
        last -= 2
    first = 1 if asked[0] in _AUXILIARIES else 0
    return not NEGATORS.isdisjoint(asked[first:last])
