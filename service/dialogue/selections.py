"""Answers that pick from what was asked: "just the cough" of three symptoms, "the first one" of two."""

from collections.abc import Iterator, Sequence

from service.dialogue.assertions import PARTLY, Assertion
from service.dialogue.mentions import Mention
from service.dialogue.questions import Question

_LONGEST = 8
_ALONE = frozenset({"just", "only"})
_BETWEEN = frozenset("the a some this my that".split())
_ORDINALS = {
    ("first", "one"): 0,
    ("first", "bit"): 0,
    ("the", "former"): 0,
    ("last", "one"): -1,
    ("last", "bit"): -1,
    ("the", "latter"): -1,
    ("second", "one"): 1,
    ("third", "one"): 2,
}


def picked_out(
    words: Sequence[str], stated: Sequence[Assertion], questions: Sequence[Question]
) -> tuple[Assertion, ...]:
    """What a short answer says of the subjects asked about by picking one of them.

    Args:
        words: Of the answer.
        stated: What its own words assert.
        questions: That it answers, in order.
    """
    asked = [mention for question in questions if question.presence for mention in question.mentions]
    if len(asked) < 2 or len(words) > _LONGEST:
        return ()
    return tuple(_others_denied(words, stated, asked)) or tuple(_by_order(words, asked))


def _others_denied(
    words: Sequence[str], stated: Sequence[Assertion], asked: Sequence[Mention]
) -> Iterator[Assertion]:
    """Who has "just the cough" has none of the rest."""
    alone = {made.subject for made in stated if not made.denied and _stands_alone(words, made.first)}
    if alone and alone <= {mention.subject for mention in asked}:
        for mention in asked:
            if mention.subject not in alone:
                yield _given(mention, denied=True)


def _stands_alone(words: Sequence[str], at: int) -> bool:
    before = at - 1
    if before >= 0 and words[before] in _BETWEEN:
        before -= 1
    return before >= 0 and words[before] in _ALONE


def _by_order(words: Sequence[str], asked: Sequence[Mention]) -> Iterator[Assertion]:
    for at in range(len(words) - 1):
        place = _ORDINALS.get((words[at], words[at + 1]))
        if place is not None and place < len(asked) and "not" not in words[:at]:
            yield _given(asked[place], denied=False)


def _given(mention: Mention, *, denied: bool) -> Assertion:
    return Assertion(
        mention.subject,
        mention.category,
        denied,
        "patient",
        "current",
        PARTLY,
        0,
        0,
        answer=True,
        wide=mention.wide,
    )
