"""Where a clinician's read-back disagrees with what the patient said.

A clinician takes an answer up in their own first words ("no, okay", "four days, right") and sums up later ("so
you've had no fever"). They heard the patient, not the transcript: where both differ, one was misheard.
"""

import re
from collections.abc import Iterator, Sequence

from rapidfuzz import fuzz

from service.dialogue.answers import read_answer
from service.dialogue.conflicts import Conflict, as_said, plain_sentence
from service.dialogue.lines import Line
from service.dialogue.memory import Memory
from service.dialogue.mentions import Mention
from service.dialogue.presuppositions import presupposed
from service.dialogue.quantities import Quantity
from service.dialogue.reading import LineReading, read_line
from service.dialogue.self_consistency import stems
from service.dialogue.side_conflicts import other_sides
from service.dialogue.speakers import STAFF
from service.dialogue.terms import TermMatcher
from streams.messages import Related, Severity

_BEFORE_ECHO = frozenset("okay right alright so and fine oh sure well good".split())
_AFTER_ECHO = frozenset(
    "okay right alright fine good and so any do have any are is did has does was what how where when who great then "
    "now apart otherwise well excellent".split()
)
_READING_BACK = re.compile(
    r"\b(?:you (?:mentioned|said|told|reported|described|were saying|say)|"
    r"you've (?:mentioned|said|told|had|got|been|noticed)|you (?:haven't|don't|didn't|aren't)|you're not|"
    r"reporting|summari[sz]e|resummari[sz]e|recap|to confirm|double check|so you|so it's|so no|"
    r"it(?:'s| has)? (?:all )?(?:been|started)|for the (?:last|past))\b"
)
_ADVISING = re.compile(
    r"\b(?:if|i'd like|i want|we|we'll|i'll|i can|you can|you could|you should|take|need to|going to|would|"
    r"should|could|might|may|next|come back|let's|increase|until|unless|normally|usually|sounds like)\b"
)
_ECHOED = frozenset({"no", "yeah", "yes"})
_ECHO_LEAD = 4
_ECHO_WORDS = _BEFORE_ECHO | frozenset("for about just it's that's around the last past your a".split())
_PLAIN_ANSWER = 3
_SHORT_READ_BACK = 8
_STRENGTH_ECHO = 0.75
_STRENGTH_SUMMARY = 0.7
_STRENGTH_PRESUPPOSED = 0.6
_MEASURING = frozenset({("how", "many"), ("how", "much"), ("how", "often"), ("how", "long"), ("when", "did")})
_STRENGTH_DRUG = 0.6
_SIMILAR = 55.0
_SAME = 95.0


def disagreeing_read_back(
    reading: LineReading, before: Sequence[Line], memory: Memory, matcher: TermMatcher
) -> Iterator[Conflict]:
    """Conflicts of a clinician's line with what the patient said."""
    answering = _line_taken_up(reading.line, before) if _may_take_up(reading) else None
    if answering is not None:
        answer = read_line(
            answering, [line for line in before if line.sequence < answering.sequence], matcher
        )
        yield from _other_answer(reading, answer)
        yield from _presupposed(reading, answer)
        yield from _other_quantity(reading, answer)
        yield from _other_drug(reading, answer)
    yield from _presupposes_denied(reading, memory)
    if _reads_back(reading.said.words):
        yield from _other_assertion(reading, memory)
        yield from _other_time(reading, memory)
        yield from other_sides(
            reading,
            reading.sides,
            memory,
            _STRENGTH_SUMMARY,
            lambda side: f"The clinician reads back the {side.side}; the patient said the {side.opposite}.",
        )


def _may_take_up(reading: LineReading) -> bool:
    """Whether the line holds what could take an answer up: most lines do not, and need no look back."""
    return (
        bool(reading.quantities)
        or _echoed(reading.said.words) is not None
        or any(mention.category == "drug" for mention in reading.mentions)
        or any(question.words[:2] in _MEASURING for question in reading.questions[:1])
    )


def _line_taken_up(line: Line, before: Sequence[Line]) -> Line | None:
    """The patient's line just before, if nobody else spoke since."""
    for earlier in reversed(before):
        if earlier.tokens:
            return earlier if earlier.speaker != line.speaker and earlier.speaker not in STAFF else None
    return None


def _reads_back(words: Sequence[str]) -> bool:
    text = " ".join(words)
    if _ADVISING.search(text):
        return False
    if _READING_BACK.search(text):
        return True
    start = next((at for at, word in enumerate(words) if word not in _BEFORE_ECHO), 0)
    return len(words) <= _SHORT_READ_BACK and words[start : start + 1] == ("no",)


def _other_answer(reading: LineReading, answered: LineReading) -> Iterator[Conflict]:
    """The bare "no" (or "yeah") with which a clinician takes up what was written as a plain "yes" (or "no")."""
    answer = read_answer(answered.said.words)
    place = _echoed(reading.said.words)
    if answer is None or place is None or not answer.explicit or len(answered.said.words) > _PLAIN_ANSWER:
        return
    question = answered.question
    took_no = reading.said.words[place] == "no"
    if answer.polarity != ("yes" if took_no else "no") or (question is not None and question.negative):
        return
    if not took_no and (question is None or not question.clinical):
        return
    clinical = question is not None and question.clinical
    taken = "no" if took_no else "yes"
    yield Conflict(
        kind="read_back_conflict",
        subject=question.subjects[0] if question is not None and question.subjects else "answer",
        span=reading.said.span(place, place),
        earlier=Related(answered.line.sequence, answered.said.span(0, len(answered.said.words) - 1)),
        explanation=f"The clinician takes the answer for a {taken}; the transcript has the opposite.",
        severity="high" if clinical else "medium",
        strength=_STRENGTH_ECHO,
    )


def _presupposed(reading: LineReading, answered: LineReading) -> Iterator[Conflict]:
    """A follow-up that only makes sense after a yes: "do you smoke" "no" "how many do you smoke a day"."""
    answer, question = read_answer(answered.said.words), answered.question
    follow_up = next(iter(reading.questions), None)
    if answer is None or question is None or follow_up is None or question.negative or question.form == "wh":
        return
    if answer.polarity != "no" or not answer.explicit or len(answered.said.words) > _PLAIN_ANSWER:
        return
    if follow_up.words[:2] not in _MEASURING or not _shared(question.words, follow_up.words[2:]):
        return
    yield Conflict(
        kind="presupposition_conflict",
        subject=question.subjects[0] if question.subjects else question.kind,
        span=reading.said.span(follow_up.first, follow_up.last),
        earlier=Related(answered.line.sequence, answered.said.span(0, len(answered.said.words) - 1)),
        explanation="The clinician asks on as after a yes; the transcript has a no.",
        severity="high" if question.clinical else "medium",
        strength=_STRENGTH_PRESUPPOSED,
    )


def _presupposes_denied(reading: LineReading, memory: Memory) -> Iterator[Conflict]:
    """A question that takes for granted what the patient has denied: "how long have you had the cough"."""
    for question in reading.questions:
        for mention in presupposed(question):
            earlier = memory.asserted(mention.subject, reading.line.sequence)
            if earlier is None or not earlier.denied or mention.wide or mention.narrowed:
                continue
            yield Conflict(
                kind="presupposition_conflict",
                subject=mention.subject,
                span=reading.said.span(question.first, question.last),
                earlier=Related(earlier.sequence, earlier.span),
                explanation=f"The clinician asks on as if there were {mention.subject}; the patient's words denied it.",
                severity="high",
                strength=_STRENGTH_PRESUPPOSED,
            )


def _shared(asked: Sequence[str], follow_up: Sequence[str]) -> bool:
    return not stems(asked).isdisjoint(stems(follow_up))


def _echoed(words: Sequence[str]) -> int | None:
    """The word with which a clinician takes an answer up, if it does no more than that: "no, okay", "yeah. how"."""
    place = next((at for at, word in enumerate(words) if word not in _BEFORE_ECHO), None)
    if place is None or place > 1 or words[place] not in _ECHOED:
        return None
    after = words[place + 1] if place + 1 < len(words) else "okay"
    return place if after in _AFTER_ECHO else None


def _other_quantity(reading: LineReading, answered: LineReading) -> Iterator[Conflict]:
    """The number with which a clinician takes up an answer: "four days, okay"."""
    echo = next(iter(reading.quantities), None)
    if echo is None or not _opens(reading.said.words, echo):
        return
    given = [
        quantity
        for quantity in answered.quantities
        if (quantity.kind, quantity.unit) == (echo.kind, echo.unit)
    ]
    if not given or any(quantity.agrees(echo) for quantity in given):
        return
    yield _quantity_conflict(
        reading, echo, Related(answered.line.sequence, answered.said.span(given[-1].first, given[-1].last))
    )


def _other_drug(reading: LineReading, answered: LineReading) -> Iterator[Conflict]:
    """The drug with which a clinician takes up the only drug just named, where both look alike.

    A brand for its generic name is another word for the same drug, and seldom looks like it.
    """
    given = {mention.subject: mention for mention in answered.mentions if mention.category == "drug"}
    echo = next((mention for mention in reading.mentions if mention.category == "drug"), None)
    if echo is None or len(given) != 1 or echo.subject in given or not _opens(reading.said.words, echo):
        return
    if any(word in echo.subject.split() for subject in given for word in subject.split()):
        return
    if any(mention.subject in given for mention in reading.mentions):
        return
    (mention,) = given.values()
    if not _SIMILAR <= fuzz.ratio(echo.subject, mention.subject) < _SAME:
        return
    yield Conflict(
        kind="drug_conflict",
        subject=echo.subject,
        span=reading.said.span(echo.first, echo.last),
        earlier=Related(answered.line.sequence, answered.said.span(mention.first, mention.last)),
        explanation="The clinician takes up another drug than the one just named.",
        severity="critical",
        strength=_STRENGTH_DRUG,
    )


def _opens(words: Sequence[str], echo: Quantity | Mention) -> bool:
    return echo.first <= _ECHO_LEAD and _ECHO_WORDS.issuperset(words[: echo.first])


def _other_time(reading: LineReading, memory: Memory) -> Iterator[Conflict]:
    """A length of time that the clinician sums up and that the patient never gave, though they gave others."""
    for quantity in reading.quantities:
        if quantity.kind != "time":
            continue
        given = list(memory.quantities(quantity, reading.line.sequence))
        if given and not any(before.agrees(quantity) for _, before, _ in given):
            said = given[-1][2]
            yield _quantity_conflict(reading, quantity, Related(said.sequence, said.span))


def _quantity_conflict(reading: LineReading, quantity: Quantity, earlier: Related) -> Conflict:
    severity: Severity = "medium" if quantity.kind in {"time", "age"} else "high"
    return Conflict(
        kind="number_conflict",
        subject=f"{quantity.unit} {quantity.kind}",
        span=reading.said.span(quantity.first, quantity.last),
        earlier=earlier,
        explanation=f"The clinician reads back another number of {quantity.unit}s than the patient gave.",
        severity=severity,
        strength=_STRENGTH_ECHO,
    )


def _other_assertion(reading: LineReading, memory: Memory) -> Iterator[Conflict]:
    for made in reading.assertions:
        earlier = memory.asserted(made.subject, reading.line.sequence)
        if earlier is None or earlier.denied == made.denied:
            continue
        if made.wide or made.category == "topic" or not made.settled:
            continue
        given, read = ("affirmed", "denied") if made.denied else ("denied", "affirmed")
        yield Conflict(
            kind="read_back_conflict",
            subject=made.subject,
            span=reading.said.span(made.first, made.last),
            earlier=Related(earlier.sequence, earlier.span),
            explanation=f"The clinician reads {made.subject} back as {read}; the patient's words {given} it.",
            premise=plain_sentence(made.subject, made.category, denied=not made.denied),
            hypothesis=as_said(reading, made),
            confirm=True,
            severity="high",
            strength=_STRENGTH_SUMMARY,
        )
