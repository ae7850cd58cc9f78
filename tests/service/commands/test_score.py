"""`auscult score`: one assessment a segment on standard output and nothing else; no spoken word in any message."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson
import pytest
from typer.testing import CliRunner, Result

from models.interfaces import ModelFailure
from models.store import ModelStore
from service.commands import app
from service.composition import Models
from service.monitor import Monitor
from tests.service.commands.conftest import CANARY

SAID = (
    ("clinician", "Hello, how can I help?"),
    ("patient", f"I've had a {CANARY} headache and a fever for four days."),
    ("clinician", "Any fever?"),
    ("patient", f"No, no fever. {CANARY}, 500 mg of it."),
    ("clinician", "So you have had a fever for two weeks."),
    ("patient", f"Yes. {CANARY}. My break does not help."),
)
PROMISED = {"call_id", "sequence", "risk", "quality", "signals", "flags"}
PROMISED_OF_A_FLAG = {"id", "type", "severity", "span", "reason", "suggestion", "related"}


def segment(sequence: int, call_id: str = "c1", **changes: Any) -> dict[str, Any]:
    speaker, text = SAID[sequence % len(SAID)]
    times = {"start": 6.0 * sequence, "end": 6.0 * sequence + 5.0}
    return {"call_id": call_id, "sequence": sequence, "speaker": speaker, "text": text, **times, **changes}


def lines(*records: dict[str, Any] | bytes) -> bytes:
    return b"".join((one if isinstance(one, bytes) else orjson.dumps(one)) + b"\n" for one in records)


def score(given: bytes = b"", *options: str) -> Result:
    result = CliRunner().invoke(app, ["score", *options], input=given)
    assert CANARY not in result.stderr
    return result


def assessments(written: bytes) -> list[dict[str, Any]]:
    return [orjson.loads(line) for line in written.splitlines()]


CALL = [segment(sequence) for sequence in range(len(SAID))]


@pytest.mark.usefixtures("fake_models")
def test_every_segment_gives_one_assessment_with_all_that_is_promised() -> None:
    result = score(lines(*CALL))

    assert (result.exit_code, result.stderr) == (0, "")
    written = assessments(result.stdout_bytes)
    assert [one["sequence"] for one in written] == list(range(len(CALL)))
    assert all(one.keys() >= PROMISED for one in written)
    flags = [flag for one in written for flag in one["flags"]]
    assert flags
    assert all(flag.keys() >= PROMISED_OF_A_FLAG for flag in flags)


@pytest.mark.usefixtures("fake_models")
def test_interleaved_calls_go_from_file_to_file_with_a_summary_each(tmp_path: Path) -> None:
    given, output, calls = tmp_path / "in.jsonl", tmp_path / "out.jsonl", tmp_path / "calls.jsonl"
    both = [segment(sequence, call) for sequence in range(len(SAID)) for call in ("c1", "c2")]
    given.write_bytes(lines(*both))

    result = score(b"", "--input", str(given), "--output", str(output), "--calls", str(calls))

    assert (result.exit_code, result.output) == (0, "")
    written = assessments(output.read_bytes())
    assert [(one["call_id"], one["sequence"]) for one in written] == [
        (one["call_id"], one["sequence"]) for one in both
    ]
    first, second = ([{**one, "call_id": "", "id": ""} for one in written[at::2]] for at in (0, 1))
    for one, other in zip(first, second, strict=True):
        assert (one["risk"], one["signals"], one["quality"]) == (
            other["risk"],
            other["signals"],
            other["quality"],
        )
    summaries = assessments(calls.read_bytes())
    assert [one["call_id"] for one in summaries] == ["c1", "c2"]
    assert all(one.keys() >= {"call_id", "recommendation", "risk", "quality"} for one in summaries)


@pytest.mark.usefixtures("fake_models")
def test_cutting_the_input_short_changes_no_earlier_line() -> None:
    whole = score(lines(*CALL)).stdout_bytes.splitlines()

    for length in range(len(CALL)):
        assert score(lines(*CALL[:length])).stdout_bytes.splitlines() == whole[:length]


@pytest.mark.usefixtures("fake_models")
def test_times_may_be_unknown() -> None:
    untimed = [{**one, "start": None, "end": None} for one in CALL]

    result = score(lines(*untimed))

    assert result.exit_code == 0
    written = assessments(result.stdout_bytes)
    assert [one["start"] for one in written] == [None] * len(CALL)
    assert {one["signals"]["speech_rate"]["absent"] for one in written} == {"no_times"}


@pytest.mark.usefixtures("fake_models")
@pytest.mark.parametrize("nothing", [b"", b"\n \n"])
def test_empty_input_gives_empty_output(nothing: bytes, tmp_path: Path) -> None:
    calls = tmp_path / "calls.jsonl"

    result = score(nothing, "--calls", str(calls))

    assert (result.exit_code, result.output) == (0, "")
    assert calls.read_bytes() == b""


@pytest.mark.usefixtures("fake_models")
def test_lines_that_cannot_be_read_are_numbered_and_the_others_scored() -> None:
    broken = [
        CANARY.encode(),
        CANARY.encode() + b"\xff",
        orjson.dumps([CANARY]),
        orjson.dumps({**segment(1), "call_id": None}),
        orjson.dumps({**segment(1), "call_id": f"{CANARY}\n"}),
        orjson.dumps({**segment(1), "text": [CANARY]}),
        orjson.dumps({**segment(1), "sequence": CANARY}),
        orjson.dumps({**segment(1), "start": 9.0, "end": 1.0}),
        orjson.dumps({**segment(1), "start": -1}),
        orjson.dumps({**segment(1), "text": CANARY * 2000}),
        orjson.dumps({**segment(1), "words": [{"text": CANARY, "start": CANARY}]}),
        orjson.dumps({**segment(1), "received_at": CANARY}),
    ]

    result = score(lines(CALL[0], *broken, CALL[1]))

    assert result.exit_code == 1
    assert [one["sequence"] for one in assessments(result.stdout_bytes)] == [0, 1]
    assert result.stderr.splitlines() == [
        "line 2: not_json",
        "line 3: not_utf8",
        "line 4: not_an_object",
        "line 5: missing_call_id at call_id",
        "line 6: invalid_call_id at call_id",
        "line 7: wrong_type at text",
        "line 8: wrong_type at sequence",
        "line 9: reversed_time at end",
        "line 10: negative_time at start",
        "line 11: text_too_long at text",
        "line 12: wrong_type at words[0].start",
        "line 13: invalid_timestamp at received_at",
    ]


@pytest.mark.usefixtures("fake_models")
def test_what_is_odd_is_no_error() -> None:
    odd = [
        {**CALL[1], "speaker": CANARY, "tenant": CANARY, "asr": {"provider": CANARY}, "more": {CANARY: 1}},
        {**CALL[2], "language": CANARY},
        {**CALL[3], "is_final": False},
        {"type": "call.ended", "call_id": "c1"},
    ]

    result = score(lines(CALL[0], *odd))

    assert (result.exit_code, result.stderr) == (0, "")
    unlisted, foreign = assessments(result.stdout_bytes)[1:]
    assert unlisted["speaker"] == "unknown"
    assert {reading["absent"] for reading in foreign["signals"].values()} == {"unsupported_language"}
    assert foreign["flags"] == []


@pytest.mark.parametrize("form", ["json", "console"])
@pytest.mark.parametrize("error", [ModelFailure("out of memory"), ValueError(CANARY)])
def test_a_failing_model_is_logged_beside_the_output_and_loses_no_segment(
    error: Exception, form: str, fake_models: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: Sequence[object]) -> list[object]:
        raise error

    monkeypatch.setattr(fake_models.language_model, "score", fail)
    monkeypatch.setenv("AUSCULT_LOGS__FORMAT", form)
    monkeypatch.setenv("AUSCULT_LOGS__LEVEL", "debug")

    result = score(lines(*CALL))

    assert result.exit_code == 0
    assert [one["signals"]["perplexity"]["absent"] for one in assessments(result.stdout_bytes)] == [
        "failed"
    ] * len(CALL)
    assert "signal_failed" in result.stderr


@pytest.mark.usefixtures("fake_models")
def test_a_defect_is_told_by_its_type_and_places_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_given: object, **_named: object) -> None:
        raise RuntimeError(CANARY)

    monkeypatch.setattr(Monitor, "observe", fail)

    result = score(lines(*CALL))

    assert (result.exit_code, result.stdout) == (70, "")
    assert result.stderr.startswith("auscult: a defect (RuntimeError), please report it:\n")
    assert "service/scoring.py" in result.stderr


@pytest.mark.usefixtures("fake_models")
@pytest.mark.parametrize(
    ("weights", "problem"),
    [
        (None, "No such file or directory"),
        (CANARY.encode(), "not JSON"),
        (orjson.dumps({"intercept": CANARY, CANARY: 1}), "4 wrong fields"),
    ],
)
def test_a_wrong_file_of_risk_weights_is_named(weights: bytes | None, problem: str, tmp_path: Path) -> None:
    path, output = tmp_path / "weights.json", tmp_path / "out.jsonl"
    output.write_text("earlier results")
    if weights is not None:
        path.write_bytes(weights)

    result = score(lines(*CALL), "--risk-model", str(path), "--output", str(output))

    assert result.exit_code == 2
    assert result.stderr == f"auscult: {path}: {problem}. `auscult calibrate` writes such a file.\n"
    assert output.read_text() == "earlier results"


@pytest.mark.usefixtures("fake_models")
@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (f'{CANARY} "', "not valid TOML"),
        (f'logs = "{CANARY}"', "logs: Input should be a valid dictionary"),
        (
            f'[monitor.drift]\nwindow_lines = "{CANARY}"',
            "monitor.drift.window_lines: Input should be a valid",
        ),
    ],
)
def test_a_wrong_setting_is_named_without_its_value(content: str, problem: str, tmp_path: Path) -> None:
    config = tmp_path / "auscult.toml"
    config.write_text(content)

    result = score(lines(*CALL), "--config", str(config))

    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("auscult: ")
    assert problem in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.usefixtures("fake_models")
def test_files_that_cannot_be_opened_are_named(tmp_path: Path) -> None:
    absent = tmp_path / "absent" / "file.jsonl"

    for option in ("--input", "--output", "--calls"):
        result = score(lines(*CALL), option, str(absent))
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == f"auscult: {absent}: No such file or directory\n"


@pytest.mark.usefixtures("fake_models")
def test_results_are_not_written_over_the_input_or_each_other(tmp_path: Path) -> None:
    given, output = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    given.write_bytes(lines(*CALL))

    over_input = score(b"", "--input", str(given), "--output", str(tmp_path / "." / "in.jsonl"))
    over_each_other = score(lines(*CALL), "--output", str(output), "--calls", str(output))

    assert (over_input.exit_code, over_each_other.exit_code) == (2, 2)
    assert "must be different files" in over_input.stderr
    assert given.read_bytes() == lines(*CALL)
    assert not output.exists()


def test_a_missing_model_says_what_to_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUSCULT_MODELS__STORE", str(tmp_path))

    result = score(lines(*CALL))

    assert result.exit_code == 2
    assert "Run: auscult models build smollm2-135m-instruct" in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_process_with_real_models_writes_assessments_alone_and_repeats_nothing(
    built_models: ModelStore,
) -> None:
    given = lines(*CALL, CANARY.encode(), *(segment(sequence, "c2") for sequence in range(len(SAID))))
    environment = os.environ | {
        "AUSCULT_MODELS__STORE": str(built_models.root),
        "AUSCULT_LOGS__LEVEL": "debug",
    }

    done = subprocess.run(
        [sys.executable, "-m", "service.commands", "score"],
        input=given,
        capture_output=True,
        env=environment,
        timeout=120,
        check=False,
    )

    assert done.returncode == 1
    assert len(assessments(done.stdout)) == 2 * len(SAID)
    assert done.stderr.decode().splitlines() == [f"line {len(SAID) + 1}: not_json"]
