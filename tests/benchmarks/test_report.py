import json
import os
import sys
from pathlib import Path

import pytest

from benchmarks import suite
from benchmarks.process_usage import cpu_seconds, resident_megabytes
from benchmarks.report import page, write_report
from benchmarks.results import write_json

ROWS = [
    {"arm": 10, "cpu_ratio": 1.0, "inner": {"p50": 2}},
    {"arm": 20, "cpu_ratio": 1.05, "inner": {"p50": 3}},
]


def test_results_name_the_machine_and_become_a_table(tmp_path: Path) -> None:
    write_json(tmp_path / "scaling_calls.json", "scaling_calls", [*ROWS, {"fixed_mb": 600}], "2 calls")
    write_report(tmp_path)
    text = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "| arm | cpu_ratio | inner.p50 |\n| --- | --- | --- |\n| 10 | 1.0 | 2 |\n| 20 | 1.05 | 3 |" in text
    assert "| fixed_mb |" in text
    machine = json.loads((tmp_path / "scaling_calls.json").read_bytes())["machine"]
    assert {"cpu", "cores", "flags", "python", "onnxruntime", "revision"} <= machine.keys()
    assert machine["python"] in text


def test_a_page_of_no_results_is_a_page() -> None:
    assert page({}, ["a.svg"]).endswith("![a.svg](a.svg)\n")


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_the_usage_of_a_process_is_read() -> None:
    assert cpu_seconds(os.getpid()) > 0.0
    assert 10.0 < resident_megabytes(os.getpid()) < 100_000.0


def test_an_unknown_benchmark_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["suite", "--only", "nothing"])
    with pytest.raises(SystemExit, match="2"):
        suite.main()
