"""Terms of a line with their polarity, as a reader of single sentences sees them: without question and answer."""

from service.dialogue.lines import Line
from service.dialogue.mentions import mentions_in
from service.dialogue.negation import denied_words
from service.dialogue.questions import questions_in
from service.dialogue.terms import TermMatcher
from service.dialogue.wording import wording


def named_words(line: Line, matcher: TermMatcher) -> frozenset[str]:
    """The words of which the line's subjects are made."""
    words = wording(line.tokens).words
    return frozenset(
        word for mention in mentions_in(words, matcher) for word in words[mention.first : mention.last + 1]
    )


def polarities_in(line: Line, matcher: TermMatcher) -> frozenset[tuple[str, bool]]:
    """Names of clinical subjects and whether each is denied. Those within a question are left out."""
    said = wording(line.tokens)
    mentions = mentions_in(said.words, matcher)
    if not mentions:
        return frozenset()
    asked = {
        word
        for question in questions_in(said, line.sequence, mentions)
        if question.form != "statement"
        for word in range(question.first, question.last + 1)
    }
    denied = denied_words(said.words)
    return frozenset(
        (mention.subject, mention.first in denied) for mention in mentions if mention.first not in asked
    )
