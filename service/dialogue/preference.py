"""The answer that a yes/no question prefers: answers against it come with an explanation, or come misheard.

In medical talk questions are built towards an answer: "any fever" expects no, "you're eating okay" expects yes.
Answers that go the other way are explained far more often than not (preference organisation; Heritage, 2010, in
"Why Do You Ask?"; Stivers and Robinson, 2006).
"""

from typing import Literal

from service.dialogue.answers import Answer
from service.dialogue.questions import Question

_TOWARDS_NO = frozenset("any ever anything anyone problems problem difficulty difficulties trouble".split())
_TOWARDS_YES = frozenset("okay well fine alright normal normally happy correct right private able".split())
_MOST_BARE_WORDS = 3


def preferred_answer(question: Question) -> Literal["yes", "no"] | None:
    """What the question is built to hear; None where it is neutral or no yes/no question."""
    if question.form == "statement":
        return None if question.negative else "yes"
    if question.form == "request" and question.words[:1] == ("confirm",) and not question.negative:
        return "yes"
    if question.form != "yes_no" or question.negative:
        return None
    if not _TOWARDS_NO.isdisjoint(question.words) or question.words[-2:] == ("at", "all"):
        return "no"
    if question.kind in {"administrative", "closing"} or not _TOWARDS_YES.isdisjoint(question.words):
        return "yes"
    return None


def bare_against_preference(answer: Answer | None, question: Question | None, words: int) -> bool:
    """Whether an answer of so many words goes against its question's preference and explains nothing."""
    if answer is None or question is None or not answer.explicit or words > _MOST_BARE_WORDS:
        return False
    preferred = preferred_answer(question)
    return preferred is not None and answer.polarity in {"yes", "no"} and answer.polarity != preferred
