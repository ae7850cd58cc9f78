import json
from pathlib import Path
from typing import Any

import pytest

from service.calibration.labelled import (
    CONTEXT_SEGMENTS,
    SEGMENTS_AFTER,
    InvalidLabels,
    read_calls,
    read_impact,
    read_injected,
    read_unclear,
)

LABELLED = {
    "call_id": "visit",
    "context": [{"speaker": "clinician", "text": "Any fever?"}],
    "hypothesis": "no fever",
    "start": 4.0,
    "speech_seconds": 1.5,
    "impact": 2,
}


def lines(path: Path, *rows: Any) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def recorded_call(folder: Path, length: int = 40) -> Path:
    rows = [
        {"sequence": at, "speaker": "patient", "start": at, "end": at + 1, "text": f"word {at}"}
        for at in range(length)
    ]
    lines(folder / "visit.jsonl", *rows)
    return folder


def test_a_labelled_item_is_its_context_and_the_misheard_segment(tmp_path: Path) -> None:
    (item,) = read_impact(lines(tmp_path / "impact.jsonl", LABELLED))

    assert [segment.text for segment in item.segments] == ["Any fever?", "no fever"]
    assert (item.segments[-1].start, item.segments[-1].end) == (4.0, 5.5)
    assert (item.source_call, item.harmful) == ("visit", 1.0)


def test_an_injected_error_stands_beside_the_same_stretch_untouched(tmp_path: Path) -> None:
    calls = read_calls(recorded_call(tmp_path))
    injected = lines(
        tmp_path / "injected.txt",
        {"call_id": "visit", "sequence": 35, "type": "negation_flip", "altered": "no"},
    )

    altered, untouched = read_injected(injected, calls)

    assert [item.segments[-1].text for item in (altered, untouched)] == ["no", "word 35"]
    assert [item.harmful for item in (altered, untouched)] == [1.0, 0.0]
    assert len(altered.segments) == CONTEXT_SEGMENTS + 1
    assert altered.segments[:-1] != untouched.segments[:-1]  # calls of their own
    assert [one.text for one in altered.segments[:-1]] == [one.text for one in untouched.segments[:-1]]


def test_what_follows_an_injected_error_goes_with_it(tmp_path: Path) -> None:
    calls = read_calls(recorded_call(tmp_path))
    errors = [
        {"call_id": "visit", "sequence": at, "type": "negation_flip", "altered": "no"} for at in (10, 38, 39)
    ]

    items = list(read_injected(lines(tmp_path / "injected.txt", *errors), calls))

    after = [[segment.sequence for segment in item.after] for item in items[::2]]
    assert after == [[10 + step for step in range(1, SEGMENTS_AFTER + 1)], [39], []]
    assert all(segment.call_id == item.segments[-1].call_id for item in items for segment in item.after)


def test_what_was_truly_said_may_be_left_out(tmp_path: Path) -> None:
    rows = [LABELLED, {**LABELLED, "reference": "No. Fever?"}]

    items = read_impact(lines(tmp_path / "impact.jsonl", *rows))

    assert [item.reference for item in items] == [None, "No. Fever?"]
    assert [item.impact for item in items] == [2, 2]
    assert "Fever" not in repr(items)


def test_a_call_has_each_sequence_once(tmp_path: Path) -> None:
    row = {"sequence": 1, "speaker": "patient", "text": "canary"}
    lines(tmp_path / "visit.jsonl", {**row, "sequence": 0}, row, row)

    with pytest.raises(InvalidLabels, match=r"visit\.jsonl, line 3: the sequence of an earlier line"):
        read_calls(tmp_path)


def test_unclear_segments_are_those_that_are_marked(tmp_path: Path) -> None:
    row = {"speaker": "patient", "text": "hm"}
    marks: list[dict[str, Any]] = [{}, {"unclear": True}, {"unclear": False}]
    lines(tmp_path / "visit.jsonl", *({**row, **mark, "sequence": at} for at, mark in enumerate(marks)))

    assert read_unclear(tmp_path) == {"visit": frozenset({1})}


@pytest.mark.parametrize(
    "row",
    [
        {"call_id": "other", "sequence": 1, "type": "x", "altered": "no"},
        {"call_id": "visit", "sequence": 99, "type": "x", "altered": "no"},
        {"call_id": "visit", "sequence": 1, "type": "x", "altered": None},
        {"call_id": "visit", "sequence": "1", "type": "x", "altered": "no"},
        {"call_id": "visit"},
    ],
)
def test_an_injected_error_that_fits_no_segment_is_named_by_its_line(
    tmp_path: Path, row: dict[str, Any]
) -> None:
    calls = read_calls(recorded_call(tmp_path))

    with pytest.raises(InvalidLabels, match="line 1"):
        list(read_injected(lines(tmp_path / "injected.txt", row), calls))


@pytest.mark.parametrize(
    "row",
    [
        {},
        {**LABELLED, "impact": 7},
        {**LABELLED, "context": None},
        {**LABELLED, "hypothesis": 5},
        {**LABELLED, "speech_seconds": -2.0},
        {**LABELLED, "call_id": "../visit"},
        {**LABELLED, "reference": 5},
    ],
)
def test_a_wrong_row_is_named_by_file_and_line_without_its_text(tmp_path: Path, row: dict[str, Any]) -> None:
    path = lines(tmp_path / "impact.jsonl", LABELLED, {**row, "canary": "canary"} if row else row)

    with pytest.raises(InvalidLabels, match=r"impact\.jsonl, line 2") as caught:
        read_impact(path)
    assert "canary" not in str(caught.value)


def test_a_folder_without_calls_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InvalidLabels, match="no recorded calls"):
        read_calls(tmp_path)
