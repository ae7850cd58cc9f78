"""One call in which everything happens that a call can remember."""

from collections.abc import Sequence
from dataclasses import replace

from service.state.snapshot import OpenCall
from streams.messages import Recogniser, Segment, Speaker
from tests.service.state.replicas import replica

_OPENING: Sequence[tuple[Speaker, str]] = (
    ("clinician", "Hello. Have you had any fever?"),
    ("patient", "No."),
    ("clinician", "Any pain?"),
    ("patient", "Well, yes, I've got a pain, and my left knee hurts. It started about 3 days ago."),
    ("clinician", "So it is the right knee, and you have had a fever for two weeks?"),
    ("patient", "I take ibuprofen 400 mg twice a day, and hydroxyzine for 10 years, or a few."),
    ("agent", "One moment please."),
    ("unknown", ""),
    ("patient", "Yes, I have had a fever. " + "and so it goes on " * 45),
    ("patient", "my break does not help and thank you for watching"),
)


def segments() -> list[Segment]:
    """With revisions, a late one, a language that is not understood, and small talk enough to fill every bound."""
    said = [
        *_OPENING,
        *((("clinician", "patient")[turn % 2], f"it is {turn}, you see") for turn in range(90)),
    ]
    spoken = [
        Segment(
            call_id="busy",
            sequence=sequence,
            speaker=speaker,
            text=text,
            start=6.0 * sequence + 1.0,
            end=6.0 * sequence + 5.5,
            asr=Recogniser("northwind", "stream-en-2"),
            tenant="clinic",
        )
        for sequence, (speaker, text) in enumerate(said)
    ]
    spoken.insert(12, spoken.pop(9))
    spoken.insert(
        20, replace(spoken[5], text="I take ibuprofen 200 mg, twice a day, and my right hip hurts.")
    )
    spoken[60] = replace(spoken[60], language="fr")
    ended_in_pain = replace(
        spoken[-1], sequence=200, text="and no, I have no headache, or my break", start=700.0
    )
    return [*spoken, replace(ended_in_pain, end=702.0)]


def busy_call() -> OpenCall:
    """The call once all of it was heard, and many more segments were added up."""
    monitor = replica()
    assessments = [one for segment in segments() for one in monitor.observe([segment], 0.0).assessments]
    call = monitor._calls["busy"]
    flagged = next(one for one in assessments if one.flags)
    for sequence in range(1000, 2001):
        call.tally.add(replace(flagged, segment=replace(flagged.segment, sequence=sequence)))
    return call
