"""CPU time and memory of another process, as Linux counts them."""

import os
from pathlib import Path


def cpu_seconds(pid: int) -> float:
    """CPU time of all threads of a process since it began, in user and kernel mode.

    Raises:
        OSError: there is no such process, or this is not Linux.
    """
    # The name, in parentheses, may itself hold spaces: fields are counted from behind it.
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_megabytes(pid: int) -> float:
    """Memory of a process that is in RAM, in units of 2**20 bytes.

    Raises:
        OSError: there is no such process, or this is not Linux.
    """
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="utf-8").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
