"""Gives freed memory back to the operating system."""

import ctypes


def return_freed_memory() -> None:
    """Asks the C library to return what it holds free; does nothing where it cannot.

    Loading a graph needs several times its final memory for a moment, and glibc keeps that: after opening the
    contradiction model 430 MB stay resident, of which 180 MB are in use.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
