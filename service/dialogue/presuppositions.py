"""What a question takes for granted: "how long have you had the cough" is only asked of someone with a cough.

Definite noun phrases and the complements of "how long", "how often", "how much" presuppose what they name; a yes or no
leaves it standing (Levinson, 1983).
"""

from service.dialogue.mentions import Mention
from service.dialogue.questions import Question

_DEFINITE = frozenset("the your this that these those".split())
_MEASURING = frozenset(
    {("how", "long"), ("how", "often"), ("how", "bad"), ("how", "severe"), ("how", "many"), ("what", "dose")}
    | {("when", "did"), ("what", "strength"), ("how", "much"), ("how", "frequently")}
)
_SUPPOSED_ONLY = frozenset("if any might ever risk chance unless family".split())
_PRESUPPOSED = frozenset({"symptom", "condition", "drug"})


def presupposed(question: Question) -> tuple[Mention, ...]:
    """The subjects that a question takes for granted; none where it asks for their presence."""
    if question.presence or not question.mentions or not _SUPPOSED_ONLY.isdisjoint(question.words):
        return ()
    measures = question.form == "wh" and question.words[:2] in _MEASURING
    return tuple(
        mention
        for mention in question.mentions
        if mention.category in _PRESUPPOSED and (measures or _definite(question, mention))
    )


def _definite(question: Question, mention: Mention) -> bool:
    place = mention.first - question.first
    return place > 0 and question.words[place - 1] in _DEFINITE
