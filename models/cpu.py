"""How many CPUs this process may use: the container's quota, else the affinity. Not the host's count."""

import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

_CGROUP_ROOT = Path("/sys/fs/cgroup")
_MEMBERSHIP = Path("/proc/self/cgroup")


def usable_cpus(cgroup: Path = _CGROUP_ROOT, membership: Path = _MEMBERSHIP) -> int:
    """Whole CPUs that this process can keep busy, at least 1.

    A quota is rounded down: a thread more than the quota has CPU for would be throttled. Every group from the
    process's own up to the root may have one, and the smallest holds.

    Args:
        cgroup: Where the control groups are mounted (version 2, or version 1 as its fall-back).
        membership: Lists the process's groups, one a line: `hierarchy:controllers:path`.
    """
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    smallest = min(_quotas(cgroup, membership), default=allowed)
    return max(1, min(allowed, int(smallest)))


def _quotas(cgroup: Path, membership: Path) -> Iterator[float]:
    for controllers, group in _groups(membership):
        mounted = cgroup / "cpu" if controllers else cgroup
        for name in (group, *group.parents):
            yield from _quota(mounted / name)


def _groups(membership: Path) -> Iterator[tuple[str, PurePosixPath]]:
    """The controllers, none in version 2, and the path below the mount of each group that may limit CPU.

    The mount's root comes always: in a container the path may be the host's, which is not mounted there.
    """
    yield "", PurePosixPath()
    yield "cpu", PurePosixPath()
    for line in _lines(membership):
        _, controllers, path = line.split(":", maxsplit=2)
        outside = ".." in path.split("/")  # of the namespace: such a group cannot be seen from here
        if not outside and (not controllers or "cpu" in controllers.split(",")):
            yield controllers, PurePosixPath(path.lstrip("/"))


def _quota(folder: Path) -> Iterator[float]:
    """What a group may use, in CPUs; nothing where it sets no limit."""
    for quota, period in (_version_2(folder), _version_1(folder)):
        if quota.isdigit() and period.isdigit() and int(period) > 0:
            yield int(quota) / int(period)


def _version_2(folder: Path) -> tuple[str, str]:
    quota, _, period = "".join(_lines(folder / "cpu.max")[:1]).partition(" ")
    return quota, period


def _version_1(folder: Path) -> tuple[str, str]:
    quota, period = ("".join(_lines(folder / f"cpu.cfs_{name}_us")) for name in ("quota", "period"))
    return quota, period


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return []
