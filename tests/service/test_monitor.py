from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from models.interfaces import ModelFailure
from service.composition import build_signals, new_ledger
from service.flagging import SEVERITIES
from service.monitor import Monitor
from service.monitor_settings import CallSettings, MonitorSettings
from service.observation import Observation
from service.risk import load_risk_model
from service.rounds import Answerer
from service.signals.base import ModelName
from streams.messages import Assessment, CallEnded, Segment, Speaker
from tests.service.moments import FAKE_ANSWERERS, LEXICON

SETTINGS = MonitorSettings(call=CallSettings(open_calls=3, silence_seconds=60.0))
DIALOGUE: list[tuple[Speaker, str]] = [
    ("clinician", "hello how can i help"),
    ("patient", "i have had a headache for four days"),
    ("clinician", "any fever"),
    ("patient", "no no fever at all"),
    ("clinician", "so you have had a fever for two weeks"),
    ("patient", ""),
    ("patient", "yes and my break does not help"),
]


def monitor(
    settings: MonitorSettings = SETTINGS, answerers: Mapping[ModelName, Answerer] = FAKE_ANSWERERS
) -> Monitor:
    return Monitor(
        settings=settings,
        signals=build_signals(settings, LEXICON, contradiction_available=True),
        answerers=answerers,
        risk_model=load_risk_model(None),
        new_ledger=lambda: new_ledger(settings, LEXICON),
    )


def call(call_id: str = "call") -> list[Segment]:
    return [
        Segment(
            call_id=call_id,
            sequence=sequence,
            speaker=speaker,
            text=text,
            start=5.0 * sequence,
            end=5.0 * sequence + 4.0,
        )
        for sequence, (speaker, text) in enumerate(DIALOGUE)
    ]


def sequences(observation: Observation) -> list[int]:
    return [assessment.segment.sequence for assessment in observation.assessments]


def one_by_one(segments: Sequence[Segment]) -> list[Assessment]:
    watching = monitor()
    return [assessment for segment in segments for assessment in watching.observe([segment], 0.0).assessments]


def test_every_segment_has_one_assessment_in_the_order_of_the_batch() -> None:
    interleaved = [segment for pair in zip(call("a"), call("b"), strict=True) for segment in pair]

    assessments = monitor().observe(interleaved, 0.0).assessments

    assert [one.segment for one in assessments] == interleaved


def test_how_segments_are_batched_changes_no_assessment() -> None:
    together = monitor().observe([*call("a"), *call("b")], 0.0).assessments

    assert [*one_by_one(call("a")), *one_by_one(call("b"))] == list(together)


def test_later_segments_change_no_earlier_assessment() -> None:
    whole = monitor().observe(call(), 0.0).assessments

    for length in range(1, len(DIALOGUE)):
        assert monitor().observe(call()[:length], 0.0).assessments == whole[:length]


def test_a_repetition_is_dropped_and_counted() -> None:
    watching = monitor()
    watching.observe(call(), 0.0)

    again = watching.observe(call()[2:3], 0.0)

    assert again.assessments == ()
    assert again.oddities == {"repeated": 1}


def test_other_content_of_a_known_sequence_is_a_revision_under_the_same_id() -> None:
    watching = monitor()
    first = watching.observe(call(), 0.0).assessments[3]

    revised = watching.observe([replace(call()[3], text="yes a high fever")], 0.0)

    assert revised.oddities == {"revised": 1}
    assert revised.assessments[0].revision
    assert revised.assessments[0].id == first.id


def test_a_late_segment_is_assessed_and_marked_and_sees_only_what_was_before_it() -> None:
    watching = monitor()
    segments = call()
    in_order = one_by_one(segments)[2]
    watching.observe([*segments[:2], *segments[3:]], 0.0)

    late = watching.observe([segments[2]], 0.0)

    assert late.oddities == {"late": 1}
    assert late.assessments[0].late
    assert late.assessments[0].signals["perplexity"] == in_order.signals["perplexity"]


def test_a_language_that_is_not_understood_makes_signals_absent_and_no_flags() -> None:
    segment = replace(call()[1], text="j'ai mal " * 40, language="fr-FR")

    observation = monitor().observe([segment], 0.0)

    (assessment,) = observation.assessments
    assert observation.oddities == {"unsupported_language": 1}
    assert {reading.absent for reading in assessment.signals.values()} == {"unsupported_language"}
    assert assessment.flags == ()


@pytest.mark.parametrize("language", [None, "en", "en-GB", "EN_us"])
def test_english_in_any_form_is_understood(language: str | None) -> None:
    observation = monitor().observe([replace(call()[1], language=language)], 0.0)

    assert observation.oddities == {}


def test_a_call_that_ends_is_summarised_with_all_its_segments_and_forgotten() -> None:
    watching = monitor()

    observation = watching.observe([*call(), CallEnded(call_id="call")], 0.0)

    (summary,) = observation.summaries
    assert (summary.segments, summary.ended_by) == (len(DIALOGUE), "event")
    assert watching.open_calls == 0


def test_a_segment_after_the_end_makes_the_summary_whole_again() -> None:
    watching = monitor()
    watching.observe([*call()[:-1], CallEnded(call_id="call")], 0.0)

    (summary,) = watching.observe([call()[-1], CallEnded(call_id="call")], 0.0).summaries

    assert summary.segments == len(DIALOGUE)


def test_the_end_of_an_unknown_call_says_nothing() -> None:
    assert monitor().observe([CallEnded(call_id="unheard")], 0.0) == Observation()


def test_a_call_that_falls_silent_is_summarised_once() -> None:
    watching = monitor()
    watching.observe(call("quiet"), 0.0)
    watching.observe(call("alive"), 50.0)

    silent = watching.silent(70.0)

    assert [(summary.call_id, summary.ended_by) for summary in silent.summaries] == [("quiet", "silence")]
    assert watching.silent(70.0).summaries == ()


def test_calls_are_counted_by_their_worst_flag_so_far() -> None:
    watching = monitor()
    assessments = watching.observe([*call("a"), *call("b")[:1]], 0.0).assessments
    worst = min((flag.severity for one in assessments for flag in one.flags), key=SEVERITIES.index)

    assert watching.calls_by_worst_flag() == {worst: 1, "none": 1}

    watching.observe([CallEnded(call_id="a")], 1.0)
    assert watching.calls_by_worst_flag() == {"none": 1}


def test_beyond_the_bound_of_open_calls_the_quietest_is_ended() -> None:
    watching = monitor()
    for call_id in "abc":
        watching.observe(call(call_id)[:1], 0.0)
    watching.observe(call("a")[1:2], 0.0)

    observation = watching.observe(call("d")[:1], 0.0)

    assert [summary.call_id for summary in observation.summaries] == ["b"]
    assert observation.oddities == {"evicted_call": 1}
    assert watching.open_calls == 3


def test_calls_that_moved_away_are_dropped_without_a_summary() -> None:
    watching = monitor()
    watching.observe([*call("a"), *call("b")], 0.0)

    watching.forget(["a", "unheard"])

    assert [summary.call_id for summary in watching.finish().summaries] == ["b"]


def test_a_call_that_is_joined_midway_is_assessed_as_if_it_had_been_followed() -> None:
    followed = one_by_one(call())[-1]
    joining = monitor()
    joining.listen(call()[:-1], 0.0)

    (joined,) = joining.observe(call()[-1:], 0.0).assessments

    assert (joined.signals, joined.risk) == (followed.signals, followed.risk)


def test_a_failing_model_makes_its_signals_absent_and_loses_no_segment() -> None:
    def fail(_: object) -> list[object]:
        raise ModelFailure("out of memory")

    assessments = (
        monitor(answerers={**FAKE_ANSWERERS, "language_model": fail}).observe(call(), 0.0).assessments
    )

    assert len(assessments) == len(DIALOGUE)
    assert assessments[1].signals["perplexity"].absent == "failed"
    assert assessments[1].signals["embedding_drift_simple"].value is not None


def test_signals_that_are_shed_are_absent_and_change_no_other() -> None:
    shed = ("entity_validity", "embedding_drift")
    usual = monitor().observe(call(), 0.0).assessments
    watching = monitor()
    hurried = watching.observe(call()[:4], 0.0, shed).assessments
    caught_up = watching.observe(call()[4:], 0.0).assessments

    for one, other in zip(hurried, usual, strict=False):
        absent = {name for name, reading in one.signals.items() if reading.absent == "shed"}
        assert absent == {name for name in other.signals if name.startswith(shed)}
        assert {name: one.signals[name] for name in other.signals if name not in absent} == {
            name: reading for name, reading in other.signals.items() if name not in absent
        }
        assert set(one.features) < set(other.features)
    assert [one.signals for one in caught_up] == [one.signals for one in usual[4:]]
    assert [one.risk for one in caught_up] == [one.risk for one in usual[4:]]


def test_what_the_risk_does_not_know_counts_as_average() -> None:
    everything = tuple(
        signal.name for signal in build_signals(SETTINGS, LEXICON, contradiction_available=True)
    )
    assessments = monitor().observe(call(), 0.0, everything).assessments
    assert {one.risk for one in assessments} == {load_risk_model(None).risk({})}
    assert {one.quality for one in assessments} == {None}


def test_memory_of_a_long_call_is_bounded() -> None:
    settings = MonitorSettings(call=CallSettings(history_lines=8, remembered_sequences=16))
    watching = monitor(settings)
    for sequence in range(60):
        watching.observe([replace(call()[1], sequence=sequence)], 0.0)

    state = watching._calls["call"].state
    assert len(state.history.lines) == 8
    assert len(state.contents) == 16
