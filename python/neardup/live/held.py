"""The documents that an index holds, one after another."""

from collections.abc import Iterator

from neardup._core import Index

Held = tuple[int, str, str, str | None, int | None, str]
"""A document: the number of its step, id, text, url, time in Unix seconds, original."""

_BATCH = 256


def held_after(index: Index, step: int) -> Iterator[Held]:
    """Give the documents that came after a step, in order; what is added meanwhile is seen, too."""
    while held := index.held(step + 1, _BATCH):
        yield from held
        step = held[-1][0]
