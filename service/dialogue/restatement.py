"""Where a patient's line disagrees with what the patient said before."""

from collections.abc import Iterator

from service.dialogue.assertions import Assertion
from service.dialogue.conflicts import Conflict, as_said, plain_sentence
from service.dialogue.corrections import corrects, reports_change
from service.dialogue.memory import Memory, Said
from service.dialogue.quantities import Quantity
from service.dialogue.reading import LineReading
from service.dialogue.side_conflicts import other_sides
from streams.messages import Related, Severity

_WIDE_REACH = 4
_COMPARED_TOPICS = frozenset({"allergy"})
_STRENGTH_STATED = 0.7
_STRENGTH_ANSWERED = 0.6
_STRENGTH_NUMBER = 0.75
_STRENGTH_SIDE = 0.6
_TIME_ASKED = frozenset({"onset", "duration"})
_KINDS = {
    "dose": "dose_conflict",
    "amount": "dose_conflict",
    "frequency": "frequency_conflict",
    "time": "duration_conflict",
}


def restated_otherwise(reading: LineReading, memory: Memory) -> Iterator[Conflict]:
    """Conflicts of a patient's line with the memory of the call. A correction is none, nor is news."""
    words = reading.said.words
    if corrects(words):
        return
    said_so = {made.subject for made in reading.assertions if not made.denied}
    both = said_so & {made.subject for made in reading.assertions if made.denied}
    for made in () if reports_change(words) else reading.assertions:
        earlier = memory.asserted(made.subject, reading.line.sequence)
        if earlier is None or earlier.denied == made.denied or not made.settled or made.subject in both:
            continue
        if _comparable(reading, made, earlier):
            yield _negation(reading, made, earlier)
    measured = measured_subject(reading)
    if measured:
        for quantity in reading.quantities:
            yield from _other_quantity(reading, measured, quantity, memory)
    yield from other_sides(
        reading,
        [side for side in reading.sides if side.place != "side"],
        memory,
        _STRENGTH_SIDE,
        lambda side: f"The {side.side} {side.place} here, the {side.opposite} one earlier.",
    )


def measured_subject(reading: LineReading) -> str:
    """What the quantities of a line are of: its drug, or what the question asked about; empty where unknown."""
    drugs = [made.subject for made in reading.assertions if made.category == "drug"]
    if len(drugs) == 1:
        return drugs[0]
    question = reading.question
    if drugs or question is None or len(question.subjects) != 1:
        return ""
    return question.subjects[0] if question.kind in {*_TIME_ASKED, "dose", "frequency"} else ""


def _comparable(reading: LineReading, made: Assertion, earlier: Said) -> bool:
    """What may be true in one sense and not in another is compared only where it is plain.

    A topic ("allergy") may have been affirmed of one thing and be denied of the rest. A symptom without a place is
    only compared within the same exchange.
    """
    if made.category == "topic" and (made.denied or made.subject not in _COMPARED_TOPICS):
        return False
    if made.answer and earlier.answer:
        return not made.wide
    return not (made.wide or earlier.wide) or reading.line.sequence - earlier.sequence <= _WIDE_REACH


def _negation(reading: LineReading, made: Assertion, earlier: Said) -> Conflict:
    verb, before = ("denies", "affirmed") if made.denied else ("affirms", "denied")
    return Conflict(
        kind="answer_conflict" if made.answer else "negation_conflict",
        subject=made.subject,
        span=reading.said.span(made.first, made.last),
        earlier=Related(earlier.sequence, earlier.span),
        explanation=f"The patient {verb} {made.subject} here and {before} it earlier.",
        premise=plain_sentence(made.subject, made.category, denied=not made.denied),
        hypothesis=as_said(reading, made),
        confirm=True,
        severity="high",
        strength=_STRENGTH_ANSWERED if made.answer else _STRENGTH_STATED,
    )


def _other_quantity(
    reading: LineReading, measured: str, quantity: Quantity, memory: Memory
) -> Iterator[Conflict]:
    kind = _KINDS.get(quantity.kind)
    earlier = [
        (before, said)
        for subject, before, said in memory.quantities(quantity, reading.line.sequence)
        if subject == measured
    ]
    if kind is None or not earlier or any(before.agrees(quantity) for before, _ in earlier):
        return
    _before, said = earlier[-1]
    severity: Severity = "medium" if quantity.kind == "time" else "high"
    yield Conflict(
        kind=kind,
        subject=f"{measured} {quantity.kind}",
        span=reading.said.span(quantity.first, quantity.last),
        earlier=Related(said.sequence, said.span),
        explanation=f"Another number of {quantity.unit}s for {measured} than earlier.",
        severity=severity,
        strength=_STRENGTH_NUMBER,
    )
