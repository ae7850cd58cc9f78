"""What a call's state keeps: of a revised or late segment its last version alone, of a long call the end."""

from dataclasses import replace

import pytest

from service.call import CallState
from service.dialogue.ledger import AssertionLedger
from service.moment import Moment
from service.monitor_settings import CallSettings, ContradictionSettings, PaceSettings
from service.signals.contradiction import Contradiction
from streams.messages import Segment, Speaker, Word
from tests.service.dialogue.calls import MATCHER
from tests.service.moments import finding_of

CALL = CallSettings()
PACE = PaceSettings()


def segment(sequence: int, text: str, speaker: Speaker = "patient") -> Segment:
    start = 6.0 * sequence
    return Segment(
        call_id="call", sequence=sequence, speaker=speaker, text=text, start=start, end=start + 5.0
    )


ASKED = segment(0, "Have you had any fever?", "clinician")
DENIED = segment(1, "No, I've had no fever.")
AFFIRMED = replace(DENIED, text="No, I've had a fever since Monday.")
PRESENT = segment(2, "With the fever I have my left knee hurts, for 4 days.")


def call_after(*segments: Segment, settings: CallSettings = CALL) -> tuple[CallState, Moment]:
    """The call once all segments have come, and the moment of the last one."""
    state = CallState.begin(AssertionLedger(MATCHER), settings)
    for one in segments:
        assert state.arrival(one) != "repeated"
        moment = state.admit(one, True, settings, PACE)
    return state, moment


def context_after(*texts: str) -> list[str]:
    """What the language model reads before the line that follows these, with room for twenty words."""
    said = [segment(sequence, text) for sequence, text in enumerate((*texts, "next"))]
    settings = CALL.model_copy(update={"context_words": 20, "context_kept_words": 4})
    return [line.text for line in call_after(*said, settings=settings)[1].context]


def kinds(moment: Moment) -> list[str]:
    return [conflict.kind for conflict in moment.conflicts or ()]


def test_what_a_segment_said_before_it_was_revised_is_contradicted_no_more() -> None:
    _, contradicting = call_after(ASKED, DENIED, PRESENT)
    _, agreeing = call_after(ASKED, DENIED, AFFIRMED, PRESENT)

    assert kinds(contradicting) == ["negation_conflict"]
    assert kinds(agreeing) == []


@pytest.mark.parametrize(
    ("first", "revised"),
    [
        (DENIED, AFFIRMED),
        (PRESENT, replace(PRESENT, text="There's no fever now but my right knee hurts, for 14 days.")),
    ],
)
def test_a_revision_does_not_contradict_its_own_earlier_version(first: Segment, revised: Segment) -> None:
    _, moment = call_after(first, revised)

    assert kinds(moment) == []


def test_a_revised_call_is_known_as_if_the_last_version_had_been_the_first() -> None:
    revised, _ = call_after(ASKED, replace(DENIED, text="Yes.", end=40.0), PRESENT, DENIED)
    plain, _ = call_after(ASKED, DENIED, PRESENT)

    following = segment(3, "So you've had no fever, and it's the right knee.", "clinician")
    assert revised.history == plain.history
    assert revised.paces.of("patient") == call_after(ASKED, PRESENT, DENIED)[0].paces.of("patient")
    assert (
        revised.admit(following, True, CALL, PACE).conflicts
        == plain.admit(following, True, CALL, PACE).conflicts
    )


def test_what_was_established_before_a_revised_segment_still_stands() -> None:
    again = segment(2, "As I said, no fever.")
    third = segment(3, "I have a fever.")

    _, moment = call_after(ASKED, DENIED, again, replace(again, text="As I said."), third)

    assert kinds(moment) == ["negation_conflict"]
    assert [conflict.earlier.sequence for conflict in moment.conflicts or () if conflict.earlier] == [1]


def test_a_late_segment_is_not_held_against_what_was_said_after_it() -> None:
    _, moment = call_after(ASKED, PRESENT, DENIED)

    assert kinds(moment) == []


@pytest.mark.parametrize(
    "other",
    [
        replace(DENIED, text="no i've had no fever"),
        replace(DENIED, speech_seconds=1.0),
        replace(DENIED, end_of_turn=True),
        replace(DENIED, words=(Word("No", confidence=0.2),)),
    ],
)
def test_whatever_an_assessment_may_depend_on_makes_a_revision(other: Segment) -> None:
    state, _ = call_after(ASKED, DENIED)

    assert state.arrival(replace(DENIED)) == "repeated"
    assert state.arrival(other) == "revised"


def test_a_line_that_breaks_the_ledger_is_one_absent_signal_and_the_call_goes_on(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def fail(*_given: object) -> None:
        raise IndexError("xylocanary")

    state, _ = call_after(ASKED)
    with monkeypatch.context() as broken:
        broken.setattr(AssertionLedger, "compare", fail)
        moment = state.admit(DENIED, True, CALL, PACE)

    assert moment.conflicts is None
    finding = finding_of(Contradiction(ContradictionSettings(), MATCHER), moment)
    assert {reading.absent for reading in finding.readings.values()} == {"failed"}
    assert kinds(state.admit(replace(DENIED, text="Yes, no fever."), True, CALL, PACE)) == ["answer_conflict"]
    assert "xylocanary" not in "".join(capfd.readouterr())


def letters(count: int) -> str:
    """A line of so many words: b c d ..."""
    return " ".join("bcdefghjklmnpqrstuvwxyz"[:count])


def test_a_context_with_room_left_is_whole() -> None:
    assert context_after(letters(20)) == [letters(20)]
    assert context_after("one two three", "four five") == ["one two three", "four five"]


def test_a_full_context_begins_anew_with_its_last_whole_lines() -> None:
    assert context_after(*["one two three"] * 6, "so they say") == ["so they say"]
    assert context_after(*["one two three"] * 6, "they say", "yes") == ["they say", "yes"]


def test_a_context_that_a_long_line_fills_begins_anew_with_the_last_words_of_that_line() -> None:
    assert context_after(letters(22)) == [" ".join(letters(22).split()[-4:])]
    assert context_after(letters(22), "yes") == [" ".join(letters(22).split()[-4:]), "yes"]


def test_a_context_of_one_long_line_after_another_never_grows_beyond_its_bound() -> None:
    for count in range(1, 8):
        assert sum(len(line.split()) for line in context_after(*[letters(18)] * count)) <= 20
