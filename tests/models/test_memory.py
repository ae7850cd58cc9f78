import ctypes
from pathlib import Path

import pytest

from models.memory import return_freed_memory


def resident_pages() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1])


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="needs glibc's malloc_trim")
def test_freed_memory_is_no_longer_resident() -> None:
    # Larger than the interpreter's own allocator takes, smaller than what the C library maps alone; every
    # hundredth block stays, so that the heap cannot simply shrink.
    blocks: list[bytes | None] = [bytes(4000) for _ in range(20_000)]
    for index in range(len(blocks)):
        if index % 100:
            blocks[index] = None
    before = resident_pages()

    return_freed_memory()

    assert resident_pages() < before - 10_000


def test_without_such_a_function_nothing_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_into: list[object] = []
    monkeypatch.setattr(ctypes, "CDLL", lambda name: looked_into.append(name))

    return_freed_memory()

    assert looked_into == [None]
