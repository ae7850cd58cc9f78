"""How much better the opposite of what a line says fits its dialogue, in nats: log-odds of a flipped yes or no.

Two places tell: a statement that would be likelier with a negation in it ("I do know what it was"), and the next
speaker's words, who heard the answer itself.
"""

import sys
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from models.interfaces import ScoreRequest, TokenScores
from service.dialogue.lines import Line, context_of, scored_text, unended_text
from service.dialogue.speakers import STAFF
from service.dialogue.surprise import word_surprise
from service.dialogue.tokens import Token
from service.moment import Moment
from service.polarity.settings import PolaritySettings
from service.polarity.turned import Turned, TurnedAnswer, turned_answer, with_negations
from service.repair.rescoring import Reading
from service.signals.base import Ask, ask_scores

_AS_IT_IS = Turned(0, 0, ())
_REACH = 3
"""Words from a lost negation on, one of which is surprising without it."""


@dataclass(frozen=True, slots=True)
class PolarityGain:
    """By how many nats a line reads better turned round; below 0, worse.

    Attributes:
        first, last: The words that are turned round (inclusive).
        reading: The line turned round, as far as it was compared.
    """

    nats: float
    first: int
    last: int
    reading: str = field(repr=False)


def lost_negation_gain(
    moment: Moment, settings: PolaritySettings
) -> Generator[Ask, Any, PolarityGain | None]:
    """Whether the line fits better with a negation in it; None where it has no place for one worth asking about.

    Raises:
        ModelFailure: the language model did not answer.
    """
    words = moment.line.spoken
    places = [place for place in with_negations([word.text for word in words]) if place.first < len(words)]
    if not places:
        return None
    (base,) = yield from ask_scores([_as_said(moment)])
    surprise = word_surprise(base, words)
    promise = {place: float(surprise[place.first : place.first + _REACH].max()) for place in places}
    worth = [place for place in places if promise[place] >= settings.least_surprise]
    tried = sorted(worth, key=lambda place: -promise[place])[: settings.places]
    if not tried:
        return None
    nats = yield from _nats(moment, words, tried, settings)
    gains = [
        _reading(words, place, settings.following_words).nats_of(base) - after
        for place, after in zip(tried, nats, strict=True)
    ]
    best = int(np.argmax(gains))
    place = tried[best]
    return PolarityGain(gains[best], place.first, max(place.first, place.end - 1), " ".join(place.put_in))


def taken_up_gain(moment: Moment, settings: PolaritySettings) -> Generator[Ask, Any, PolarityGain | None]:
    """Whether the bare answer just before and this line, taken together, fit better with the opposite answer.

    None where there is no such answer, or where this is not the other speaker's line. All words for either answer
    count as that answer; what follows is read after one of them.

    Raises:
        ModelFailure: the language model did not answer.
    """
    answer = _bare_answer(moment, settings)
    if answer is None:
        return None
    line, turned = answer
    opposite = turned.opposite[0]
    otherwise = Line(line.sequence, line.speaker, _put_in(line.spoken, opposite))
    taken_up = _opening(moment.line.spoken, settings.taken_up_words)
    before = context_of(moment.context[:-1], line.speaker)
    after_it = context_of((*moment.context[:-1], otherwise), moment.line.speaker)
    wordings = [_put_in(line.spoken, one) for one in (_AS_IT_IS, *turned.same, *turned.opposite)]
    base, other, *answers = yield from ask_scores(
        [
            _as_said(moment),
            ScoreRequest(after_it, taken_up.text, moment.stream, extends=False),
            *(ScoreRequest(before, scored_text(words), moment.stream, extends=False) for words in wordings),
        ]
    )
    nats = [float(scores.nll.sum()) for scores in answers]
    same = 1 + len(turned.same)
    odds = _log_odds(nats[:same], nats[same:]) + taken_up.nats_of(base) - float(other.nll.sum())
    return PolarityGain(odds, 0, len(line.spoken) - 1, opposite.put_in[0])


def _bare_answer(moment: Moment, settings: PolaritySettings) -> tuple[Line, TurnedAnswer] | None:
    """The answer of a few words that another speaker gave just before."""
    if not moment.context or not moment.line.spoken:
        return None
    line = moment.context[-1]
    if line.speaker == moment.line.speaker or line.speaker in STAFF:
        return None
    if not 0 < len(line.spoken) <= settings.bare_words:
        return None
    turned = turned_answer([word.text for word in line.spoken])
    return None if turned is None else (line, turned)


def _as_said(moment: Moment) -> ScoreRequest:
    """What perplexity asks too: so it costs nothing more."""
    return ScoreRequest(
        context_of(moment.context, moment.line.speaker), scored_text(moment.line.spoken), moment.stream
    )


def _nats(
    moment: Moment, words: Sequence[Token], variants: Sequence[Turned], settings: PolaritySettings
) -> Generator[Ask, Any, list[float]]:
    """Negative log-likelihood of each variant from where it differs, nats."""
    context = context_of(moment.context, moment.line.speaker)
    readings = [_reading(words, variant, settings.following_words) for variant in variants]
    scores: list[TokenScores] = yield from ask_scores(
        [ScoreRequest(context + one.shared, one.text, moment.stream, extends=False) for one in readings]
    )
    return [float(one.nll.sum()) for one in scores]


def _reading(words: Sequence[Token], turned: Turned, following: int) -> Reading:
    compared = turned.end + following
    goes_on = compared < len(words)
    changed = _put_in(words[:compared], turned)[turned.first :]
    return Reading(
        unended_text(words[: turned.first]),
        (unended_text if goes_on else scored_text)(changed),
        len(unended_text(words[:compared])) if goes_on else sys.maxsize,
    )


def _opening(words: Sequence[Token], count: int) -> Reading:
    """The first words of a line, as they are."""
    if len(words) <= count:
        return Reading("", scored_text(words), sys.maxsize)
    text = unended_text(words[:count])
    return Reading("", text, len(text))


def _put_in(words: Sequence[Token], turned: Turned) -> tuple[Token, ...]:
    return (*words[: turned.first], *(Token(word, 0, 0) for word in turned.put_in), *words[turned.end :])


def _log_odds(said: Sequence[float], opposite: Sequence[float]) -> float:
    """Log-odds of the opposite from negative log-likelihoods of all wordings of either, nats."""
    return float(np.logaddexp.reduce(-np.array(opposite)) - np.logaddexp.reduce(-np.array(said)))
