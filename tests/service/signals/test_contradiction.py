"""Conflicts become readings and proposals: proved by the words, or confirmed by the classifier."""

from collections.abc import Sequence

import pytest

from models.interfaces import ModelFailure
from service.dialogue.ledger import AssertionLedger, Conflict
from service.dialogue.spoken_terms import spoken_terms
from service.moment import Moment
from service.monitor_settings import ContradictionSettings
from service.signals.base import Finding
from service.signals.contradiction import Contradiction
from streams.messages import Related
from tests.service.moments import Said, finding_of, line, moment_of

MATCHER = spoken_terms()
SETTINGS = ContradictionSettings()
SIGNAL = Contradiction(SETTINGS, MATCHER)


def conflict(
    subject: str = "fever", *, confirm: bool = True, strength: float = 0.7, contradictory: bool = True
) -> Conflict:
    return Conflict(
        kind="negation_conflict",
        subject=subject,
        span=(0, 5),
        earlier=Related(1, (0, 2)),
        explanation="The patient affirms it here and denied it earlier.",
        premise=f"i do not have {subject}",
        hypothesis=f"i have {subject}" if contradictory else f"i never had {subject}",
        confirm=confirm,
        severity="high",
        strength=strength,
    )


def moment_after(said: Sequence[Said], text: str) -> Moment:
    """The moment at which a patient says `text`, with the conflicts that the ledger found."""
    ledger = AssertionLedger(MATCHER)
    lines = [line(sequence, one) for sequence, one in enumerate([*said, ("patient", text)])]
    conflicts: tuple[Conflict, ...] = ()
    for at, one in enumerate(lines):
        conflicts = ledger.compare(ledger.read(one, lines[:at]), lines[:at])
    return moment_of(text, said, conflicts=conflicts)


def finding(moment: Moment, signal: Contradiction = SIGNAL) -> Finding:
    return finding_of(signal, moment)


def failing(_: object) -> list[float]:
    raise ModelFailure("unavailable")


def test_a_confirmed_conflict_is_proposed_and_points_back() -> None:
    found = finding(moment_after([("clinician", "Any fever?"), ("patient", "No.")], "I have a fever."))

    (proposal,) = found.proposals
    assert (proposal.type, proposal.severity, proposal.reason, proposal.subject) == (
        "contradiction",
        "high",
        "negation_conflict",
        "fever",
    )
    assert [related.sequence for related in proposal.related] == [1]
    assert found.readings["contradiction"].value == proposal.strength
    assert found.readings["contradiction"].score == pytest.approx(1.0 - proposal.strength)
    assert found.features["conflict"] == proposal.strength


def test_missing_words_are_flagged_as_such_and_contradict_nothing() -> None:
    found = finding(moment_after([("clinician", "When did it start?")], "It started ago."))

    assert [(proposal.type, proposal.reason) for proposal in found.proposals] == [
        ("lost_words", "lost_quantity")
    ]
    assert found.readings["contradiction"].score == 1.0
    assert found.features["lost_words"] > 0.0


def test_without_a_conflict_the_score_is_healthy() -> None:
    found = finding(moment_after([("clinician", "Any fever?")], "No."))

    assert found.proposals == ()
    assert (found.readings["contradiction"].value, found.readings["contradiction"].score) == (0.0, 1.0)


def test_what_the_classifier_does_not_confirm_is_dropped() -> None:
    assert finding(moment_of("fever", conflicts=(conflict(contradictory=False),))).proposals == ()


def test_what_the_words_prove_needs_no_classifier() -> None:
    found = finding_of(
        SIGNAL, moment_of("fever", conflicts=(conflict(confirm=False),)), {"contradiction": failing}
    )

    assert len(found.proposals) == 1


@pytest.mark.parametrize(("strength", "stands"), [(0.9, True), (0.3, False)])
def test_without_the_classifier_only_strong_rules_stand(strength: float, stands: bool) -> None:
    moment = moment_of("fever", conflicts=(conflict(strength=strength),))
    unavailable = Contradiction(SETTINGS, MATCHER, classifier_available=False)

    assert bool(finding(moment, unavailable).proposals) is stands
    assert bool(finding_of(SIGNAL, moment, {"contradiction": failing}).proposals) is stands


def test_the_classifier_is_not_asked_where_there_is_nothing_to_confirm() -> None:
    asked: list[object] = []

    def answer(pairs: Sequence[tuple[str, str]]) -> list[float]:
        asked.extend(pairs)
        return [1.0] * len(pairs)

    finding_of(SIGNAL, moment_of("No fever."), {"contradiction": answer})
    finding_of(SIGNAL, moment_of("fever", conflicts=(conflict(confirm=False),)), {"contradiction": answer})
    assert asked == []


def test_the_strongest_pairs_are_asked_within_the_budget() -> None:
    conflicts = tuple(
        conflict(name, strength=strength) for name, strength in (("weak", 0.5), ("strong", 0.9))
    )
    signal = Contradiction(ContradictionSettings(pairs_per_segment=1), MATCHER)

    assert [one.subject for one in finding(moment_of("fever", conflicts=conflicts), signal).proposals] == [
        "strong"
    ]


@pytest.mark.parametrize(
    ("said", "text", "count"),
    [
        ([("patient", "I have no fever.")], "I have a fever.", 1),
        ([("patient", "I have no fever or cough.")], "I have a fever and a cough.", 2),
        ([("patient", "I have a fever.")], "I have a fever.", 0),
        ([("clinician", "Do you have a fever?")], "I have no fever.", 0),
        ([("patient", "My mother has no asthma.")], "I have asthma.", 1),
    ],
)
def test_the_simple_form_counts_terms_affirmed_and_negated(said: list[Said], text: str, count: int) -> None:
    reading = finding(moment_of(text, said)).readings["contradiction_simple"]

    assert reading.value == count
    assert reading.score == pytest.approx(1.0 - 0.2 * count)
