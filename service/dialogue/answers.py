"""The polarity of a spoken answer: "yeah no", "not really", "not that I know of", "just a bit"."""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import Literal, TypeVar, get_args

from service.dialogue.experiencer import FAMILY
from service.dialogue.tokens import Token

Polarity = Literal["yes", "no", "partial", "unknown"]
AnswerForm = Literal["word", "verb", "agreement"]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a line answers to a yes/no question.

    Attributes:
        polarity: `partial` affirms with a limit ("just a bit"); `unknown` cannot say.
        words: How many of the line's words the answer takes, from its beginning; what follows explains it.
        explicit: Whether it is a word of yes or no, rather than a statement that amounts to one.
        form: `verb` says how it is ("I have"), `agreement` that the asker has it right ("that's right"): they part ways
            after a question in the negative.
        past: Whether it was so and may not be now ("I was", "I used to").
        relative: Whether it is so of a relative ("my dad does").
        long_ago: Whether it is said to have been so long ago ("in the past, yes").
        of_all: Whether it is said of all that was asked ("both").
    """

    polarity: Polarity
    words: int
    explicit: bool
    form: AnswerForm = "word"
    past: bool = False
    of_all: bool = False
    relative: bool = False
    long_ago: bool = False


_LONG_AGO = re.compile(
    r"\b(?:in the past|years ago|(?:as a|when i was a?) ?(?:child|kid|teenager|baby|younger|little|young|at school)|"
    r"growing up|long time ago|back in (?:the|my)|in my (?:teens|twenties|thirties|forties|fifties)|not for years)\b"
)
_AGREEING = frozenset("that's that correct exactly absolutely indeed sure positive".split())
_VERBS_OF = frozenset("i i've i'm it there we he she they".split())
_PAST_FORMS = frozenset(
    {("i", "was"), ("it", "was"), ("i", "used"), ("used", "to"), ("i", "did"), ("there", "was")}
)
_OF_ALL = frozenset({("both",), ("a", "bit", "of", "both"), ("bit", "of", "both"), ("all", "of", "them")})
_MARKER = ("yeah", "no")
"""Only a way to begin, where a verb follows: "yeah, no, I have"."""
_YES = frozenset(
    "yes yeah yep yup yea aye ya correct absolutely definitely exactly certainly sure indeed positive".split()
)
_NO = frozenset("no nope nah never none nothing neither".split())
_LISTED = tomllib.loads(files(__package__).joinpath("answer_phrases.toml").read_text("utf-8"))

_Meaning = TypeVar("_Meaning")
_ByFirst = Mapping[str, tuple[tuple[tuple[str, ...], _Meaning], ...]]


def _by_first(known: Iterable[tuple[str, _Meaning]]) -> _ByFirst[_Meaning]:
    """Phrases with their meaning by first word, the longest first."""
    split = sorted(
        ((tuple(phrase.split()), meaning) for phrase, meaning in known), key=lambda one: -len(one[0])
    )
    return {
        first: tuple(entry for entry in split if entry[0][0] == first)
        for first in {phrase[0] for phrase, _ in split}
    }


_POLARITIES: _ByFirst[Polarity] = _by_first(
    (phrase, polarity) for polarity in get_args(Polarity) for phrase in _LISTED[polarity]
)
_LEADS = _by_first((phrase, None) for phrase in _LISTED["leads"])
_SOUNDS_OF_YES = frozenset(
    {("mm", "hmm"), ("mhm",), ("uh", "huh"), ("mmhmm",), ("uhhuh",), ("mm", "mm", "hmm")}
)
_SOUNDS_OF_NO = frozenset({("uh", "uh"), ("nuh", "uh"), ("mm", "mm")})
_MOST_LEADS = 6
_LONGEST_ECHO = 4
_SHORT = 6
_RELATIVES_VERBS = frozenset("does did has had is was 's on he she they who".split())


def read_answer(words: tuple[str, ...], asked: Sequence[str] = ()) -> Answer | None:
    """The polarity that a line's words open with, or None where they open with neither yes nor no.

    Args:
        words: Of the line.
        asked: Words of the question: a line may take up some of them before its yes or no ("a fever? no").
    """
    answer = _opening(words, asked)
    if answer is None or answer.polarity == "no" or _LONG_AGO.search(" ".join(words)) is None:
        return answer
    return replace(answer, long_ago=True)


def _opening(words: tuple[str, ...], asked: Sequence[str]) -> Answer | None:
    start = _after_leads(words)
    if echo := _echo(words, start, asked):
        start = _after_leads(words[start + echo :]) + start + echo
    phrase = _phrase_at(words, start)
    if phrase is not None:
        polarity, length = phrase
        end = start + length
        if polarity == "no" and words[end : end + 1] == ("but",):
            polarity = "partial"
        if words[start:end] == _MARKER and (verb := _phrase_at(words, end)) and words[end] in _VERBS_OF:
            polarity, end = verb[0], end + verb[1]
            return Answer(polarity, end, explicit=True, form="verb")
        return _answer(polarity, words, start, end)
    if start >= len(words):
        return None
    if words[start] in _NO:
        return _after_no(words, start)
    if words[start] in _YES:
        return _after_yes(words, start)
    return _of_relative(words, start) or _at_end(words)


def _echo(words: tuple[str, ...], start: int, asked: Sequence[str]) -> int:
    """How many words take up the question before a yes or no."""
    for at in range(start, min(start + _LONGEST_ECHO + 1, len(words))):
        if words[at] in _YES | _NO:
            return at - start
        if words[at] not in asked:
            return 0
    return 0


def _of_relative(words: tuple[str, ...], at: int) -> Answer | None:
    """A relative of whom it is so: "my dad does", "my aunt did", "an uncle on my dad's side"."""
    if words[at] not in {"my", "a", "an"} or words[at + 1 : at + 2] == () or words[at + 1] not in FAMILY:
        return None
    after = words[at + 2 : at + 3]
    if after and after[0] not in _RELATIVES_VERBS | _YES:
        return None
    return Answer("yes", at + 2 + len(after), explicit=False, form="verb", relative=True)


def _at_end(words: tuple[str, ...]) -> Answer | None:
    """A yes or no that closes a short answer, or that one comes to: "when I was younger, yeah", "so no"."""
    concluded = words[-2:-1] == ("so",)
    if not len(words) > 1 or words[-1] not in _YES | _NO or not (concluded or len(words) <= _SHORT):
        return None
    return Answer("yes" if words[-1] in _YES else "no", len(words), explicit=False)


def _answer(polarity: Polarity, words: tuple[str, ...], start: int, end: int) -> Answer:
    past = words[start : start + 2] in _PAST_FORMS
    of_all = words[start:end] in _OF_ALL
    return Answer(polarity, end, words[start] in _YES | _NO, _form(words, start), past, of_all)


def _form(words: tuple[str, ...], at: int) -> AnswerForm:
    if at < len(words) and (words[at] in _AGREEING or "percent" in words[at : at + 4]):
        return "agreement"
    return "verb" if at < len(words) and words[at] in _VERBS_OF else "word"


def answer_by_sound(tokens: Sequence[Token]) -> Answer | None:
    """An answer that is only a sound: "mm-hmm" agrees, "uh-uh" denies; a single "mm" is no answer."""
    sounds = tuple(token.text for token in tokens)
    if sounds in _SOUNDS_OF_YES:
        return Answer("yes", len(sounds), explicit=True)
    return Answer("no", len(sounds), explicit=True) if sounds in _SOUNDS_OF_NO else None


def _after_leads(words: tuple[str, ...]) -> int:
    """Where what is answered begins: after "oh", "to be honest", "touch wood"."""
    at = 0
    while at < _MOST_LEADS and (lead := _match(_LEADS, words, at)) is not None:
        answer = _phrase_at(words, at)
        if answer is not None and answer[1] > len(lead[0]):
            break  # "now and then"
        at += len(lead[0])
    return at


def _phrase_at(words: tuple[str, ...], at: int) -> tuple[Polarity, int] | None:
    found = _match(_POLARITIES, words, at)
    return None if found is None else (found[1], len(found[0]))


def _match(
    known: _ByFirst[_Meaning], words: tuple[str, ...], at: int
) -> tuple[tuple[str, ...], _Meaning] | None:
    """The longest known phrase that begins at a word."""
    listed = known.get(words[at], ()) if at < len(words) else ()
    return next((entry for entry in listed if words[at : at + len(entry[0])] == entry[0]), None)


def _after_no(words: tuple[str, ...], start: int) -> Answer:
    end = _past(words, start, _NO)
    follow = _phrase_at(words, end)
    if follow is not None and follow[0] == "unknown":
        return Answer("unknown", end + follow[1], explicit=True)
    if follow is not None and follow[0] == "no":
        end += follow[1]
    limited = words[end : end + 2] == ("not", "necessarily") or words[end : end + 1] == ("but",)
    return Answer("partial" if limited else "no", end, explicit=True)


def _after_yes(words: tuple[str, ...], start: int) -> Answer:
    end = _past(words, start, _YES)
    follow = _phrase_at(words, end)
    if follow is not None and follow[0] in {"partial", "unknown"}:
        return Answer(follow[0], end + follow[1], explicit=True)
    if end < len(words) and words[end] in _NO and words[start] != "yes":
        return Answer("no", end + 1, explicit=True)
    if follow is not None and follow[0] == "yes":
        return Answer("yes", end + follow[1], explicit=True, form=_form(words, end))
    return Answer("yes", end, explicit=True, form=_form(words, start))


def _past(words: tuple[str, ...], start: int, same: frozenset[str]) -> int:
    end = start
    while end < len(words) and words[end] in same:
        end += 1
    return end
