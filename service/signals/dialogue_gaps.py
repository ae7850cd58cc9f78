"""Dialogue gaps: what was said and did not come as text.

The published form names three gaps: a clinical question without an answer before the next one, speech with no text,
a segment that stops mid-phrase. Each alone alarms at ordinary talk: askers go on in their own words, speakers trail
off and are interrupted. So a gap counts here where the *silence* fits it too. Recognisers end a segment at its last
recognised word: a lost answer or a lost end of a turn leaves seconds in which, by the transcript, nobody spoke. What
was lost shows when the next line comes, and points back.
"""

from collections.abc import Generator
from typing import Any

import numpy as np

from models.interfaces import ModelFailure, ScoreRequest
from service.dialogue.lines import Line, context_of, scored_text
from service.dialogue.question_kinds import QuestionKind
from service.dialogue.questions import Question, read_questions
from service.dialogue.reading import STAFF
from service.dialogue.terms import TermMatcher
from service.dialogue.unanswered import Unanswered, unanswered_question
from service.gaps.endings import CANNOT_END, RARELY_ENDS, breaks_off
from service.gaps.questions import open_question
from service.gaps.silence import silence_before
from service.gaps.turns import EndedTurn, ended_turn
from service.moment import Moment
from service.monitor_settings import GapSettings
from service.pace import speech_seconds
from service.signals.base import Ask, Finding, Measuring, Proposal, ask_scores
from streams.messages import Evidence, Related, Severity, SignalReading

_HIGH_STAKES: frozenset[QuestionKind] = frozenset({"drug", "dose", "allergy"})
_LEAST_SILENCE = 0.3
"""Seconds: less is the ordinary change of turns."""
_LINES_KNOWN = 4
_MOST_SILENCE = 2.0
"""Seconds of silence after a turn that speak for its being cut off, one nat each: silences between turns are about
exponential with a mean of a second or less; the longest are pauses for thought."""


class DialogueGaps:
    """Unanswered clinical questions, turns that break off, speech without text and silence that is too long.

    Args:
        settings: How much silence fits each gap.
        matcher: Finds clinical terms.
    """

    name = "dialogue_gaps"
    readings = ("dialogue_gaps",)

    def __init__(self, settings: GapSettings, matcher: TermMatcher) -> None:
        self._settings = settings
        self._matcher = matcher

    def measure(self, moment: Moment) -> Measuring:
        """Value: strength of the strongest gap that this segment shows, before or in it, 0 if none."""
        gap = yield from self._gap(moment)
        value = 0.0 if gap is None else gap.strength
        evidence = () if gap is None else (Evidence(gap.span, gap.reason, gap.strength),)
        return Finding(
            readings={"dialogue_gaps": SignalReading(value, 1.0 - value, evidence)},
            proposals=() if gap is None else (gap,),
            features={
                "gap": value,
                "lost_answer": self._lost_answer(moment),
                "speech_without_words": self._speech_without_words(moment),
            },
        )

    def _gap(self, moment: Moment) -> Generator[Ask, Any, Proposal | None]:
        """One loss is one gap: what explains it best comes first."""
        line, before = moment.line, moment.history
        if not line.tokens:
            return self._speech_without_text(moment)
        silence = silence_before(line, before)
        if silence is not None and silence < _LEAST_SILENCE:
            return None
        unanswered = unanswered_question(line, before, self._matcher)
        if unanswered is not None:
            return _unanswered(unanswered)
        turn = ended_turn(line, before)
        if turn is not None and (yield from self._cut_off(moment, turn)):
            return _cut_off(turn)
        return None if silence is None else self._silence(silence, line, before[-1])

    def _speech_without_text(self, moment: Moment) -> Proposal | None:
        seconds = speech_seconds(moment.segment)
        question = _clinical_question(moment)
        if question is not None and self._may_be_answer(seconds):
            return _answer_without_text(question, seconds or 0.0)
        if seconds is None or seconds < self._settings.speech_without_text:
            return None
        explanation = f"{seconds:.1f} s of speech came without a word."
        return _lost_speech("speech_without_text", explanation, min(1.0, 0.5 + seconds / 10.0))

    def _speech_without_words(self, moment: Moment) -> float:
        """1 where somebody was heard for as long as a short answer takes, and no word was written."""
        return float(not moment.line.tokens and self._may_be_answer(speech_seconds(moment.segment)))

    def _lost_answer(self, moment: Moment) -> float:
        """What is at stake, 0..1, where an answer to a clinical question was heard and came without a word."""
        question = None if moment.line.tokens else _clinical_question(moment)
        lost = question is not None and self._may_be_answer(speech_seconds(moment.segment))
        return question.at_stake if question is not None and lost else 0.0

    def _may_be_answer(self, seconds: float | None) -> bool:
        return seconds is not None and seconds >= self._settings.answer_without_text

    def _cut_off(self, moment: Moment, turn: EndedTurn) -> Generator[Ask, Any, bool]:
        """Whether a turn needed another word, by its last word, the language model and the silence after it.

        The model is asked where silence follows: at three segments in a hundred, of what is mostly in its cache.
        """
        settings, silence = self._settings, turn.silence
        if silence is None or silence < settings.cut_off_silence or turn.last.speaker in STAFF:
            return False
        need = breaks_off(turn.words)
        if (need < RARELY_ENDS and silence < settings.end_silence) or self._asks(turn.last):
            return False
        try:
            end_nll = yield from end_of_line_nll(turn.last, moment)
        except ModelFailure:
            return need >= CANNOT_END
        return end_nll + min(silence, _MOST_SILENCE) + need >= settings.cut_off_nats

    def _asks(self, line: Line) -> bool:
        """Whether a line asks: "who do you live with" ends as it should."""
        return bool(read_questions(line, self._matcher))

    def _silence(self, silence: float, line: Line, earlier: Line) -> Proposal | None:
        """Silence that is too long: where a turn goes on after a question, at the end of an answer, anywhere."""
        settings = self._settings
        asked = earlier.speaker == line.speaker and line.speaker in STAFF
        if asked and silence >= settings.silence_after_question:
            question = open_question(line, earlier, self._matcher)
            if question is not None:
                return _unanswered(Unanswered(question, "silence", silence))
        answered = earlier.speaker not in STAFF and line.speaker in STAFF
        if silence < (settings.silence_after_answer if answered else settings.silence):
            return None
        explanation = f"{silence:.1f} s passed before this without a word."
        return _lost_speech(
            "silence_between_lines", explanation, min(1.0, silence / 10.0), Related(earlier.sequence)
        )


def end_of_line_nll(line: Line, moment: Moment) -> Generator[Ask, Any, float]:
    """How improbable it is that an earlier line ended where it did, in nats, after the lines before it.

    Where the model's context began anew just before that line, the lines before count all the same: any end is
    improbable to a model that has read nothing.
    """
    text = scored_text(line.spoken)
    known = [one for one in moment.context if one.sequence < line.sequence]
    stream: str | None = moment.stream
    if len(known) < _LINES_KNOWN:
        known, stream = [one for one in moment.history if one.sequence < line.sequence][-_LINES_KNOWN:], None
    context = context_of(known, line.speaker)
    (scores,) = yield from ask_scores((ScoreRequest(context, text, stream, extends=False),))
    end = int(np.searchsorted(scores.spans[:, 0], len(text) - 1))
    return float(scores.nll[end:].sum())


def _clinical_question(moment: Moment) -> Question | None:
    """The clinical question that the segment would answer, had it words."""
    question = None if moment.reading is None else moment.reading.question
    return question if question is not None and question.clinical else None


def _answer_without_text(question: Question, seconds: float) -> Proposal:
    asked = " ".join(question.words)
    return Proposal(
        type="unanswered_question",
        severity=_severity(question),
        span=None,
        reason="answer_without_text",
        explanation=f"The answer to “{asked}” ({seconds:.1f} s of speech) came without a word.",
        subject=f"{_severity(question)} at stake",
        strength=0.5 + question.at_stake / 2,
        related=(Related(question.sequence),),
    )


def _cut_off(turn: EndedTurn) -> Proposal:
    word = turn.last.spoken[-1]
    return Proposal(
        type="cut_off_turn",
        severity="medium",
        span=None,
        reason="stops_mid_phrase",
        explanation=f"What was said before stops in the middle of a phrase (at “{word.text}”).",
        subject=f"line {turn.last.sequence}",
        strength=min(1.0, 0.6 + 0.1 * (turn.silence or 0.0)),
        related=(Related(turn.last.sequence, (word.start, word.end)),),
    )


def _unanswered(unanswered: Unanswered) -> Proposal:
    question = unanswered.question
    severity = _severity(question)
    asked = " ".join(question.words)
    return Proposal(
        type="unanswered_question",
        severity=severity,
        span=None,
        reason=unanswered.shown_by,
        explanation=f"No answer to “{asked}” was written down before the call went on.",
        subject=f"{severity} at stake",
        strength=0.8 if unanswered.silence is None else min(1.0, 0.5 + unanswered.silence / 5.0),
        related=(Related(question.sequence),),
    )


def _severity(question: Question) -> Severity:
    return "high" if question.kind in _HIGH_STAKES else "medium"


def _lost_speech(reason: str, explanation: str, strength: float, *related: Related) -> Proposal:
    return Proposal(
        type="lost_speech",
        severity="medium",
        span=None,
        reason=reason,
        explanation=explanation,
        subject=reason,
        strength=strength,
        related=related,
    )
