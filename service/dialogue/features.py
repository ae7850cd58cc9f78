"""What the dialogue tells the risk model of a line: what was asked of it, and how much hangs on its answer."""

from collections.abc import Sequence

from service.dialogue.lines import Line
from service.dialogue.mentions import mentions_in
from service.dialogue.negation import NEGATORS
from service.dialogue.question_kinds import ADMINISTRATIVE_KINDS
from service.dialogue.questions import answered_question, questions_in
from service.dialogue.terms import TermMatcher
from service.dialogue.wording import wording


def dialogue_features(line: Line, before: Sequence[Line], matcher: TermMatcher) -> dict[str, float]:
    """Features of a line after the lines before it, oldest first.

    `at_stake` (0..1) is given only where a question is open or asked by the line itself; the others always.
    """
    said = wording(line.tokens)
    own = questions_in(said, line.sequence, matcher)
    question = answered_question(line, before, matcher)
    asked = question or (own[-1] if own else None)
    features = {
        "answers_question": float(question is not None),
        "asks_question": float(any(mine.form != "statement" for mine in own)),
        "asked_clinical": float(question is not None and question.clinical),
        "asked_administrative": float(question is not None and question.kind in ADMINISTRATIVE_KINDS),
        "negations": float(sum(word in NEGATORS for word in said.words)),
        "clinical_terms": float(len(mentions_in(said.words, matcher))),
    }
    return features | ({"at_stake": asked.at_stake} if asked is not None else {})
