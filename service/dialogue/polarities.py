"""Terms of a line with their polarity, as a reader of single sentences sees them: without question and answer."""

from service.dialogue.lines import Line
from service.dialogue.negation import denied_words
from service.dialogue.questions import questions_in
from service.dialogue.terms import TermMatcher
from service.dialogue.wording import wording


def polarities_in(line: Line, matcher: TermMatcher) -> frozenset[tuple[str, bool]]:
    """Canonical terms and whether each is denied. Terms within a question are left out."""
    said = wording(line.tokens)
    terms = [term for term in matcher.match(said.words) if term.category != "anatomy"]
    if not terms:
        return frozenset()
    asked = {
        word
        for question in questions_in(said, line.sequence, matcher)
        if question.form != "statement"
        for word in range(question.first, question.last + 1)
    }
    denied = denied_words(said.words)
    return frozenset((term.canonical, term.first in denied) for term in terms if term.first not in asked)
