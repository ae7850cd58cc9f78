"""Words that carry no topic: function words, acknowledgements and hesitations of spoken English."""

from collections.abc import Iterable

from service.dialogue.tokens import FILLERS, Token

STOPWORDS = FILLERS | frozenset(
    """
    a about actually after again all alright also am an and any anything are as at back be because been before
    being bit but by bye came can can't come could course did didn't do does doesn't doing don't done either else
    even every exactly fair few fine first for from get gets getting go goes going gonna good got great had has
    have haven't having he he'd he's hello her here hi him his how i i'd i'll i'm i've if in into is isn't it it'd
    it'll it's its just kind know last let like little look lot make many may maybe mean might more most much must
    my need never next nice no nope not nothing now of off oh okay on once one only or other our out over part
    perfect please pretty probably put quite rather really right said same say see she she's should sir so some
    something sometimes soon sorry sort still such sure take tell than thank thanks that that'd that'll that's the
    their them then there there's these they they're thing things think this those though through to today
    together too try two um until up us use used very want was wasn't way we we'll we're we've well were weren't
    what what's when where which while who why will with won't would wouldn't yeah yep yes yet you you'd you'll
    you're you've your
    """.split()
)


def content_words(tokens: Iterable[Token]) -> int:
    """How many of the tokens carry a topic."""
    return sum(token.text not in STOPWORDS for token in tokens)
