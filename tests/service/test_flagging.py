from dataclasses import replace

from service.flagging import RecentFlags, decide_flags
from service.monitor_settings import FlagSettings
from service.signals.base import Proposal
from streams.messages import Segment

SEGMENT = Segment(call_id="call", sequence=7, speaker="patient", text="i take my break for it")
NEXT = replace(SEGMENT, sequence=8)
PROPOSAL = Proposal(
    type="misheard_term",
    severity="medium",
    span=(7, 15),
    reason="sounds_like_expected_term",
    explanation="It sounds like another word.",
    subject="ibuprofen",
    strength=0.5,
    suggestion="ibuprofen",
)
SETTINGS = FlagSettings(cooldown_segments=3, per_segment=2)


def test_a_proposal_becomes_a_flag_with_all_that_it_says() -> None:
    (flag,) = decide_flags(SEGMENT, 0, [PROPOSAL], {}, SETTINGS)

    assert (flag.call_id, flag.sequence) == ("call", 7)
    assert (flag.type, flag.severity, flag.span, flag.suggestion) == (
        "misheard_term",
        "medium",
        (7, 15),
        "ibuprofen",
    )


def test_one_subject_is_one_flag_until_the_cooldown_has_passed() -> None:
    recent: RecentFlags = {}
    flagged = [
        bool(decide_flags(replace(SEGMENT, sequence=at), at, [PROPOSAL], recent, SETTINGS))
        for at in (0, 1, 3, 4)
    ]

    assert flagged == [True, False, False, True]


def test_another_subject_is_not_held_back_by_the_cooldown() -> None:
    recent: RecentFlags = {}
    decide_flags(SEGMENT, 0, [PROPOSAL], recent, SETTINGS)

    assert decide_flags(NEXT, 1, [replace(PROPOSAL, subject="nausea")], recent, SETTINGS)


def test_the_most_severe_flag_of_overlapping_words_stands() -> None:
    severe = replace(PROPOSAL, type="sound_alike_drug", severity="critical", span=(10, 20))

    flags = decide_flags(SEGMENT, 0, [PROPOSAL, severe], {}, SETTINGS)

    assert [flag.severity for flag in flags] == ["critical"]


def test_a_segment_has_no_more_flags_than_its_bound_and_keeps_the_most_severe() -> None:
    proposals = [
        replace(PROPOSAL, span=(0, 1), subject="a", severity="low"),
        replace(PROPOSAL, span=(2, 3), subject="b", severity="high"),
        replace(PROPOSAL, span=(4, 5), subject="c", severity="medium"),
    ]

    flags = decide_flags(SEGMENT, 0, proposals, {}, SETTINGS)

    assert [flag.severity for flag in flags] == ["high", "medium"]


def test_what_was_dropped_is_not_cooling_down() -> None:
    recent: RecentFlags = {}
    severe = replace(PROPOSAL, severity="critical", subject="other")
    decide_flags(SEGMENT, 0, [PROPOSAL, severe], recent, SETTINGS)

    assert decide_flags(NEXT, 1, [PROPOSAL], recent, SETTINGS)


def test_a_revised_segment_is_flagged_again_for_what_it_still_says_and_for_nothing_else() -> None:
    recent: RecentFlags = {}
    other = replace(PROPOSAL, span=(0, 1), subject="other")
    first = decide_flags(SEGMENT, 0, [PROPOSAL, other], recent, SETTINGS)

    revised = decide_flags(SEGMENT, 1, [PROPOSAL], recent, SETTINGS)

    assert [flag.id for flag in revised] == [flag.id for flag in first if flag.span == PROPOSAL.span]
    assert not decide_flags(NEXT, 2, [PROPOSAL], recent, SETTINGS)
    assert decide_flags(NEXT, 2, [other], recent, SETTINGS)


def test_the_same_problem_in_a_redelivered_segment_has_the_same_id() -> None:
    (first,) = decide_flags(SEGMENT, 0, [PROPOSAL], {}, SETTINGS)
    (again,) = decide_flags(SEGMENT, 5, [PROPOSAL], {}, SETTINGS)

    assert first.id == again.id
