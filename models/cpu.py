"""How many CPUs this process may use: the container's quota, else the affinity. Not the host's count."""

import os
from pathlib import Path

_CGROUP_ROOT = Path("/sys/fs/cgroup")


def usable_cpus(cgroup: Path = _CGROUP_ROOT) -> int:
    """Whole CPUs that this process can keep busy, at least 1.

    A quota is rounded down: a thread more than the quota has CPU for would be throttled.

    Args:
        cgroup: Where the control groups are mounted (version 2, or version 1 as its fall-back).
    """
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    quota = _quota(cgroup)
    return allowed if quota is None else max(1, min(allowed, int(quota)))


def _quota(cgroup: Path) -> float | None:
    unified = _fields(cgroup / "cpu.max")
    if len(unified) == 2 and unified[0] != "max":
        return float(unified[0]) / float(unified[1])
    quota = _fields(cgroup / "cpu" / "cpu.cfs_quota_us")
    period = _fields(cgroup / "cpu" / "cpu.cfs_period_us")
    if quota and period and float(quota[0]) > 0:
        return float(quota[0]) / float(period[0])
    return None


def _fields(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="ascii").split()
    except OSError:
        return []
