"""Lines that disagree with themselves: a "yes" whose sentence says no, an "any" without its "not"."""

import re
from collections.abc import Sequence

from service.dialogue.clauses import clauses
from service.dialogue.conflicts import Conflict
from service.dialogue.negation import NEGATORS, denied_words
from service.dialogue.questions import Question
from service.dialogue.reading import LineReading
from streams.messages import Related

_STRENGTH_BODY = 0.8
_STRENGTH_ECHO = 0.7
_DENYING_AFTER_YES = frozenset({"no", "none", "nothing", "never", "not"})
_SHORT_FORMS = frozenset(
    (
        "i am",
        "i do",
        "i have",
        "i did",
        "it is",
        "it does",
        "it has",
        "i can",
        "i was",
        "i've had",
        "there is",
        "we do",
    )
)
_SHORT_DENIALS = frozenset(
    "i'm not|i don't|i haven't|i didn't|it isn't|it's not|it doesn't|i can't|i wasn't|i've not|we don't".split(
        "|"
    )
)
_EMPTY_WORDS = frozenset(
    "do does did have has had are is was were you your it there that this the a an any at all much in way of and so "
    "or okay um feel feeling been be to for on with yourself currently still ever i i'm my me can tell get got".split()
)
_LIMITING = frozenset(
    "but sometimes occasionally necessarily always bit little just only apart except used before".split()
)
_SETTING_APART = frozenset("but used only just before never stopped quit gave finally".split())
_STEM = 4
_UNLICENSED = re.compile(
    r"\b(?:i|i've|we|we've|there|there's)(?: have| had| got| is| are| take| notice| noticed| feel| felt)+"
    r" any(?:thing)?\b(?! (?:time|way|day|kind of way|help|advice|more than))|"
    r"^(?:that i (?:know of|can remember|remember|can think of|am aware of)|that i'm aware of|anymore|at all)\b|"
    r"\bbut anymore\b"
)
_LICENSING = NEGATORS | frozenset(
    "if whether when do does did have you are is can could should wondering hardly barely rarely before than without "
    "only doubt too unless sure know since".split()
)


def mixed_answer(reading: LineReading) -> Conflict | None:
    """A yes whose own words deny, or a no whose own words affirm, what was asked."""
    answer, question = reading.answer, reading.question
    if answer is None or question is None or not answer.explicit or answer.polarity not in {"yes", "no"}:
        return None
    body = reading.said.words[answer.words :]
    if question.negative or question.form not in {"yes_no", "statement"} or not body:
        return None
    denies = answer.polarity == "no"
    strength = _mixed(reading, body, question, denies=denies)
    if not strength:
        return None
    word = "no" if denies else "yes"
    return Conflict(
        kind="answer_conflict",
        subject=question.subjects[0] if question.subjects else question.kind,
        span=reading.said.span(0, len(reading.said.words) - 1),
        earlier=Related(question.sequence),
        explanation=f"Answers {word}, but the rest of the answer says the opposite.",
        severity="high" if question.clinical else "medium",
        strength=strength,
    )


def _mixed(reading: LineReading, body: Sequence[str], question: Question, *, denies: bool) -> float:
    if _short_form(body, denies=denies):
        return _STRENGTH_BODY
    stated = {
        made.denied
        for made in reading.assertions
        if question.subjects == (made.subject,) and made.settled and not made.answer
    }
    if question.presence and stated == {not denies} and _LIMITING.isdisjoint(body):
        return _STRENGTH_BODY
    if denies:
        alone = len(reading.answering) == 1
        return _STRENGTH_ECHO if alone and _repeats_question(body, question.words) else 0.0
    said_yes = reading.said.words[len(reading.said.words) - len(body) - 1] == "yes"
    return _STRENGTH_ECHO if said_yes and body[0] in _DENYING_AFTER_YES else 0.0


def _short_form(body: Sequence[str], *, denies: bool) -> bool:
    first, last = clauses(body)[0]
    clause = " ".join(body[first : last + 1])
    return clause in (_SHORT_FORMS if denies else _SHORT_DENIALS) and last == len(body) - 1


def _repeats_question(body: Sequence[str], asked: Sequence[str]) -> bool:
    """Whether the first clause after a "no" affirms, word for word, all that was asked ("no I smoke a bit")."""
    first, last = clauses(body)[0]
    clause = body[first : last + 1]
    if not clause or clause[0] not in {"i", "i'm", "i've", "it's"} or denied_words(clause):
        return False
    asked_stems = stems(asked)
    if not _SETTING_APART.isdisjoint(clause):
        return False
    return bool(asked_stems) and asked_stems <= stems(clause) and NEGATORS.isdisjoint(clause)


def stems(words: Sequence[str]) -> frozenset[str]:
    """Beginnings of the words that carry a question's meaning: "smoking" and "smoke" share one."""
    return frozenset(word[:_STEM] for word in words if word not in _EMPTY_WORDS)


def lost_negation(reading: LineReading) -> Conflict | None:
    """A word that English allows only under a negation or in a question, with neither: "I have any allergies".

    Polarity items: "any" as an object, "anymore", "at all", "that I know of" (Giannakidou, 2011).
    """
    said = reading.said
    text = " ".join(said.words)
    match = _UNLICENSED.search(text)
    if match is None:
        return None
    first = text.count(" ", 0, match.start())
    last = text.count(" ", 0, match.end())
    if first in reading.asked or not _LICENSING.isdisjoint(said.words[max(first - 4, 0) : first]):
        return None
    return Conflict(
        kind="lost_negation",
        subject=said.words[last],
        span=said.span(first, min(last, len(said.words) - 1)),
        earlier=None,
        explanation="Worded like a denial, but the word that denies is missing.",
        severity="high",
        strength=0.8,
    )
