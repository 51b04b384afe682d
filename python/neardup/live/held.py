"""The documents that an index holds, one after another."""

from collections.abc import Iterator

from neardup._core import Index

Held = tuple[int, str, str, str | None, int | str | None, str]
"""A document: the number of its step, id, text, url, time, original."""

_BATCH = 256


def all_held(index: Index) -> Iterator[Held]:
    """Give all documents in order of arrival; what is added meanwhile is seen, too."""
    step = 0
    while held := index.held(step + 1, _BATCH):
        yield from held
        step = held[-1][0]
