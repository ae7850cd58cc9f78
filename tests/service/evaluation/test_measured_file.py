from pathlib import Path

import pytest

from service.evaluation.measured import Measured
from service.evaluation.measured_file import NotMeasured, read_measured, write_measured
from service.evaluation.measured_segment import MeasuredProposal, MeasuredReading, MeasuredSegment
from tests.service.evaluation.studies import StudyBuilder, measured


def some() -> Measured:
    builder = StudyBuilder()
    reading = MeasuredReading(0.1 + 0.2, 1 / 3, (((2, 5), 7.5), (None, None)))
    proposals = (
        MeasuredProposal("misheard_term", "high", (2, 5), 0, 0.9),
        MeasuredProposal("lost_speech", "low", None, 1, 0.1),
    )
    builder.label("a", 2, MeasuredSegment(1, {"x": 1e-9}, {"silence": reading}, proposals))
    builder.call("b", [measured(0, -1.0)], bare=[measured(0, 2.0)])
    return builder.study().measured


def test_what_was_measured_is_read_back_to_the_last_digit(tmp_path: Path) -> None:
    file = tmp_path / "measured"

    write_measured(file, some(), "1234")

    assert read_measured(file, "1234") == some()
    assert [path.name for path in tmp_path.iterdir()] == ["measured"]


def test_what_was_measured_with_something_else_is_not_taken(tmp_path: Path) -> None:
    file = tmp_path / "measured"
    write_measured(file, some(), "1234")

    assert read_measured(file, "5678") is None
    assert read_measured(tmp_path / "none", "1234") is None


@pytest.mark.parametrize(
    "content", ["", "canary\n", '{"text": "canary"}\n', '["canary"]\n', '{"kind": "canary"}\n']
)
def test_another_file_is_refused_and_left_alone(tmp_path: Path, content: str) -> None:
    file = tmp_path / "labels.jsonl"
    file.write_text(content)

    with pytest.raises(NotMeasured, match=r"labels\.jsonl") as caught:
        read_measured(file, "1234")
    assert "canary" not in str(caught.value)
    assert file.read_text() == content


def test_a_file_that_was_cut_off_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "measured"
    write_measured(file, some(), "1234")
    file.write_bytes(file.read_bytes()[:-20])

    with pytest.raises(NotMeasured):
        read_measured(file, "1234")
