import os
from pathlib import Path

import pytest

from models.cpu import usable_cpus


@pytest.fixture
def eight_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)), raising=False)


@pytest.fixture
def in_no_group(tmp_path: Path) -> Path:
    return tmp_path / "no-membership"


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
    tmp_path: Path, in_no_group: Path, quota: str, expected: int
) -> None:
    assert usable_cpus(write(tmp_path, "cpu.max", quota), in_no_group) == expected


@pytest.mark.parametrize(("quota", "expected"), [("-1", 8), ("300000", 3)])
@pytest.mark.usefixtures("eight_allowed")
def test_a_quota_of_control_groups_1_is_kept(
    tmp_path: Path, in_no_group: Path, quota: str, expected: int
) -> None:
    write(tmp_path, "cpu/cpu.cfs_period_us", "100000")
    assert usable_cpus(write(tmp_path, "cpu/cpu.cfs_quota_us", quota), in_no_group) == expected


@pytest.mark.parametrize(
    ("own", "parent", "expected"),
    [
        ("max 100000", "300000 100000", 3),
        ("200000 100000", "max 100000", 2),
        ("600000 100000", "400000 100000", 4),
    ],
)
@pytest.mark.usefixtures("eight_allowed")
def test_the_smallest_quota_on_the_way_to_the_root_holds(
    tmp_path: Path, own: str, parent: str, expected: int
) -> None:
    write(tmp_path, "mount/machine/pod/container/cpu.max", own)
    write(tmp_path, "mount/machine/pod/cpu.max", parent)
    write(tmp_path, "mount/elsewhere/cpu.max", "100000 100000")
    write(tmp_path, "membership", "0::/machine/pod/container\n")

    assert usable_cpus(tmp_path / "mount", tmp_path / "membership") == expected


@pytest.mark.usefixtures("eight_allowed")
def test_in_control_groups_1_the_cpu_controllers_group_counts(tmp_path: Path) -> None:
    for folder, quota in (("pod", "300000"), ("other", "100000")):
        write(tmp_path, f"mount/cpu/{folder}/cpu.cfs_quota_us", quota)
        write(tmp_path, f"mount/cpu/{folder}/cpu.cfs_period_us", "100000")
    write(tmp_path, "membership", "4:memory:/other\n2:cpu,cpuacct:/pod\n1:cpuset:/other\n")

    assert usable_cpus(tmp_path / "mount", tmp_path / "membership") == 3


@pytest.mark.parametrize("path", ["/host/only/container", "/../../sibling"])
@pytest.mark.usefixtures("eight_allowed")
def test_a_group_that_is_not_mounted_here_leaves_the_mounts_root(tmp_path: Path, path: str) -> None:
    write(tmp_path, "mount/cpu.max", "200000 100000")
    write(tmp_path, "sibling/cpu.max", "100000 100000")
    write(tmp_path, "membership", f"0::{path}\n")

    assert usable_cpus(tmp_path / "mount", tmp_path / "membership") == 2


@pytest.mark.usefixtures("eight_allowed")
def test_without_a_quota_the_affinity_counts(tmp_path: Path, in_no_group: Path) -> None:
    assert usable_cpus(tmp_path, in_no_group) == 8
