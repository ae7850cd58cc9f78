"""The polarity of a spoken answer: "yeah no", "not really", "not that I know of", "just a bit"."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Literal, get_args

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
        of_all: Whether it is said of all that was asked ("both").
    """

    polarity: Polarity
    words: int
    explicit: bool
    form: AnswerForm = "word"
    past: bool = False
    of_all: bool = False
    relative: bool = False


_AGREEING = frozenset("that's that correct exactly absolutely indeed sure positive".split())
_VERBS_OF = frozenset("i i've i'm it there we he she they".split())
_PAST_FORMS = frozenset(
    {("i", "was"), ("it", "was"), ("i", "used"), ("used", "to"), ("i", "did"), ("there", "was")}
)
_OF_ALL = frozenset({("both",), ("a", "bit", "of", "both"), ("bit", "of", "both"), ("all", "of", "them")})
_MARKER = ("yeah", "no")
"""Only a way to begin, where a verb follows: "yeah, no, I have"."""
_LEADS = frozenset(
    "okay oh well so actually honestly like and but right mean i'd say um ah then to be honest sorry".split()
)
_YES = frozenset(
    "yes yeah yep yup yea aye ya correct absolutely definitely exactly certainly sure indeed positive".split()
)
_NO = frozenset("no nope nah never none nothing neither".split())
_FACTS = "answer_phrases.toml"


def _phrases() -> dict[str, tuple[tuple[tuple[str, ...], Polarity], ...]]:
    """Phrases with their polarity by first word, the longest first."""
    listed = tomllib.loads(files(__package__).joinpath(_FACTS).read_text("utf-8"))
    known = [
        (tuple(phrase.split()), polarity) for polarity in get_args(Polarity) for phrase in listed[polarity]
    ]
    known.sort(key=lambda entry: -len(entry[0]))
    return {
        first: tuple(entry for entry in known if entry[0][0] == first)
        for first in {entry[0][0] for entry in known}
    }


_BY_FIRST = _phrases()
_SOUNDS_OF_YES = frozenset(
    {("mm", "hmm"), ("mhm",), ("uh", "huh"), ("mmhmm",), ("uhhuh",), ("mm", "mm", "hmm")}
)
_SOUNDS_OF_NO = frozenset({("uh", "uh"), ("nuh", "uh"), ("mm", "mm")})
_MOST_LEADS = 4
_SHORT = 6
_RELATIVES_VERBS = frozenset("does did has had is was 's".split())


def read_answer(words: tuple[str, ...]) -> Answer | None:
    """The polarity that a line's words open with, or None where they open with neither yes nor no."""
    start = _after_leads(words)
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


def _of_relative(words: tuple[str, ...], at: int) -> Answer | None:
    """A relative of whom it is so: "my dad does", "my aunt did"."""
    if words[at] != "my" or words[at + 1 : at + 2] == () or words[at + 1] not in FAMILY:
        return None
    after = words[at + 2 : at + 3]
    if after and after[0] not in _RELATIVES_VERBS | _YES:
        return None
    return Answer("yes", at + 2 + len(after), explicit=False, form="verb", relative=True)


def _at_end(words: tuple[str, ...]) -> Answer | None:
    """A yes or no that closes a short answer: "when I was younger, yeah"."""
    if not 1 < len(words) <= _SHORT or words[-1] not in _YES | _NO:
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
    for at, word in enumerate(words[: _MOST_LEADS + 1]):
        if word not in _LEADS and not (word == "i" and words[at + 1 : at + 2] == ("mean",)):
            return at
    return min(len(words), _MOST_LEADS)


def _phrase_at(words: tuple[str, ...], at: int) -> tuple[Polarity, int] | None:
    if at >= len(words):
        return None
    for phrase, polarity in _BY_FIRST.get(words[at], ()):
        if words[at : at + len(phrase)] == phrase:
            return polarity, len(phrase)
    return None


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
