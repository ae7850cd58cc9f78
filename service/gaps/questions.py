"""Questions of any kind that their asker goes on after: was an answer lost, or is the same asked again?"""

from service.dialogue.lines import Line
from service.dialogue.question_kinds import ADMINISTRATIVE_KINDS
from service.dialogue.questions import Question, read_questions
from service.dialogue.stopwords import STOPWORDS
from service.dialogue.terms import TermMatcher
from service.dialogue.wording import wording

_WORDS_AFTER = 3
_WORDS_OF_A_REPEAT = 2


def open_question(line: Line, asking: Line, matcher: TermMatcher) -> Question | None:
    """The question that `asking` ends with and `line`, of the same speaker, no longer asks; None without one.

    Questions about names, the connection or consent are left out: they are answered by doing.

    Args:
        line: What the asker says next.
        asking: What the asker said before.
        matcher: Finds clinical terms.
    """
    questions = read_questions(asking, matcher)
    if not questions:
        return None
    question = questions[-1]
    ends = question.last >= len(wording(asking.tokens).words) - _WORDS_AFTER
    return (
        question
        if ends and question.kind not in ADMINISTRATIVE_KINDS and not _again(question, line)
        else None
    )


def _again(question: Question, line: Line) -> bool:
    asked = set(question.words) - STOPWORDS
    repeated = len(asked.intersection(token.text for token in line.tokens))
    return repeated >= _WORDS_OF_A_REPEAT and 2 * repeated > len(asked)
