import os
from pathlib import Path

import pytest

from models.cpu import usable_cpus


@pytest.fixture
def eight_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)), raising=False)


def write(root: Path, name: str, content: str) -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    return root


@pytest.mark.parametrize(
    ("quota", "expected"),
    [
        ("max 100000", 8),
        ("200000 100000", 2),
        ("250000 100000", 2),
        ("50000 100000", 1),
        ("1600000 100000", 8),
    ],
)
@pytest.mark.usefixtures("eight_allowed")
def test_a_quota_of_control_groups_2_is_kept_and_rounded_down(
    tmp_path: Path, quota: str, expected: int
) -> None:
    assert usable_cpus(write(tmp_path, "cpu.max", quota)) == expected


@pytest.mark.parametrize(("quota", "expected"), [("-1", 8), ("300000", 3)])
@pytest.mark.usefixtures("eight_allowed")
def test_a_quota_of_control_groups_1_is_kept(tmp_path: Path, quota: str, expected: int) -> None:
    write(tmp_path, "cpu/cpu.cfs_period_us", "100000")
    assert usable_cpus(write(tmp_path, "cpu/cpu.cfs_quota_us", quota)) == expected


@pytest.mark.usefixtures("eight_allowed")
def test_without_a_quota_the_affinity_counts(tmp_path: Path) -> None:
    assert usable_cpus(tmp_path) == 8
