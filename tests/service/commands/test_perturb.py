"""`auscult perturb`: a list of errors on standard output, altered calls in a folder, no spoken word in any message."""

from pathlib import Path
from typing import Any

import orjson
import pytest
from typer.testing import CliRunner, Result

from models.store import ModelStore
from service.calibration.labelled import read_calls, read_injected
from service.commands import app
from service.perturbation.registry import ERROR_NAMES
from tests.service.commands.conftest import CANARY
from tests.service.perturbation.consultations import LEXICON, SAID


def lines(call_id: str = "c1") -> bytes:
    return b"".join(
        orjson.dumps(
            {
                "call_id": call_id,
                "sequence": sequence,
                "speaker": speaker,
                "text": f"{text} {CANARY}",
                "start": 5.0 * sequence,
                "end": 5.0 * sequence + 4.0,
            }
        )
        + b"\n"
        for sequence, (speaker, text) in enumerate(SAID)
    )


@pytest.fixture
def lexicon(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command finds a small lexicon instead of a built one."""

    class Store:
        def path(self, model_id: str) -> Path:
            return Path(model_id)

    monkeypatch.setattr("service.composition.model_store", lambda settings: Store())
    monkeypatch.setattr("models.lexicon.load_lexicon", lambda folder: LEXICON)


def perturb(given: bytes = b"", *options: str) -> Result:
    result = CliRunner().invoke(app, ["perturb", *options], input=given)
    assert CANARY not in result.stderr
    return result


def manifest(written: bytes) -> list[dict[str, Any]]:
    return [orjson.loads(line) for line in written.splitlines()]


@pytest.mark.usefixtures("lexicon")
def test_standard_input_gives_a_manifest_on_standard_output() -> None:
    result = perturb(lines(), "--per-type", "1")

    assert result.exit_code == 0
    rows = manifest(result.stdout_bytes)
    assert {row["type"] for row in rows} == set(ERROR_NAMES)
    assert all(set(row) == {"id", "call_id", "sequence", "type", "original", "altered"} for row in rows)
    assert all(row["original"].endswith(CANARY) for row in rows)
    assert result.stderr.splitlines() == [f"{name}: 1 in 1 calls" for name in ERROR_NAMES]


@pytest.mark.usefixtures("lexicon")
def test_the_manifest_is_what_calibrate_reads(tmp_path: Path) -> None:
    calls, output = tmp_path / "calls", tmp_path / "injected.jsonl"
    calls.mkdir()
    for name in ("c1", "c2"):
        (calls / f"{name}.jsonl").write_bytes(lines(name))

    assert perturb(b"", "--input", str(calls), "--output", str(output)).exit_code == 0

    rows = manifest(output.read_bytes())
    items = list(read_injected(output, read_calls(calls)))
    assert {row["call_id"] for row in rows} == {"c1", "c2"}
    assert [item.kind for item in items[::2]] == [row["type"] for row in rows]
    assert [item.segments[-1].text for item in items[::2]] == [row["altered"] for row in rows]


@pytest.mark.usefixtures("lexicon")
def test_each_error_gets_a_copy_of_its_call(tmp_path: Path) -> None:
    folder = tmp_path / "copies"

    result = perturb(lines(), "--calls", str(folder), "--types", "negation_flip,censor_value")

    rows = manifest(result.stdout_bytes)
    assert {row["type"] for row in rows} == {"negation_flip", "censor_value"}
    assert sorted(path.stem for path in folder.iterdir()) == sorted(row["id"] for row in rows)
    originals = manifest(lines())
    for row in rows:
        copy = manifest((folder / f"{row['id']}.jsonl").read_bytes())
        expected = [one | {"call_id": row["id"]} for one in originals]
        expected[row["sequence"]]["text"] = row["altered"]
        assert copy == expected


@pytest.mark.usefixtures("lexicon")
def test_a_rate_gives_one_copy_with_many_errors(tmp_path: Path) -> None:
    folder = tmp_path / "copies"

    result = perturb(lines(), "--calls", str(folder), "--rate", "0.5", "--speaker", "any")

    rows = manifest(result.stdout_bytes)
    [path] = folder.iterdir()
    altered = {row["sequence"]: row["altered"] for row in rows}
    assert path.name == "c1.jsonl"
    assert len(altered) == len(rows) > 1
    assert [one["text"] for one in manifest(path.read_bytes())] == [
        altered.get(one["sequence"], one["text"]) for one in manifest(lines())
    ]


@pytest.mark.usefixtures("lexicon")
def test_the_same_seed_gives_the_same_bytes() -> None:
    first, second = (perturb(lines(), "--seed", "5").stdout_bytes for _ in range(2))

    assert first == second
    assert any(perturb(lines(), "--seed", str(seed)).stdout_bytes != first for seed in range(5))


@pytest.mark.usefixtures("lexicon")
def test_an_unreadable_line_is_named_by_its_number_and_the_others_are_used() -> None:
    result = perturb(lines() + CANARY.encode() + b"\n")

    assert result.exit_code == 1
    assert result.stderr.splitlines()[0] == f"line {len(SAID) + 1}: not_json"
    assert manifest(result.stdout_bytes)


@pytest.mark.usefixtures("lexicon")
def test_what_is_not_there_or_in_the_way_is_said_in_one_line(tmp_path: Path) -> None:
    empty, taken = tmp_path / "empty", tmp_path / "taken"
    empty.mkdir()
    taken.mkdir()
    (taken / "old.jsonl").touch()

    for given, reason in (
        (perturb(b"", "--input", str(empty)), "no recorded calls"),
        (perturb(b"", "--input", str(tmp_path / "absent.jsonl")), "No such file"),
        (perturb(lines(), "--calls", str(taken)), "not empty"),
    ):
        assert given.exit_code == 2
        assert reason in given.stderr
        assert given.stderr.count("\n") == 1


@pytest.mark.parametrize("types", ["typo", "negation_flip,typo", ""])
def test_an_unknown_type_is_refused(types: str) -> None:
    result = perturb(lines(), "--types", types)

    assert result.exit_code == 2
    assert "medical_homophone" in result.stderr


def test_a_missing_lexicon_says_what_to_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUSCULT_MODELS__STORE", str(tmp_path))

    result = perturb(lines())

    assert result.exit_code == 2
    assert "auscult models build clinical-lexicon" in result.stderr


def test_real_calls_get_every_error_with_the_real_lexicon(
    shared_data: Path, built_models: ModelStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUSCULT_MODELS__STORE", str(built_models.root))

    result = perturb(b"", "--input", str(shared_data / "primock57"), "--per-type", "3")

    assert result.exit_code == 0
    rows = manifest(result.stdout_bytes)
    calls = len(list((shared_data / "primock57").glob("*.jsonl")))
    for name in ERROR_NAMES:
        assert sum(row["type"] == name for row in rows) >= 2 * calls
    assert all(row["altered"] != row["original"] for row in rows)
