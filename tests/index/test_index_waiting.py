"""Waiting for another writer of an index: signals are handled meanwhile, and nothing is lost."""

import fcntl
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from neardup import Index


@contextmanager
def alarms(handler: Any) -> Iterator[None]:
    """Call a signal handler every 10 ms."""
    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_a_signal_does_not_end_the_wait(tmp_path: Path) -> None:
    index = Index.create(tmp_path / "index")
    with (tmp_path / "index/lock").open("w") as other:
        handled = 0

        def handle(*_: object) -> None:
            nonlocal handled
            handled += 1
            if handled % 3 == 0:
                fcntl.flock(other, fcntl.LOCK_UN)

        add, remove = partial(index.add, "a heron stands in the water"), partial(index.remove, "#1")
        calls: list[Callable[[], object]] = [add, remove, index.expire, index.compact]
        for number, call in enumerate(calls, 1):
            fcntl.flock(other, fcntl.LOCK_EX)
            with alarms(handle):
                call()
            assert handled >= 3 * number
            handled = 3 * number
    assert (len(index), index.position) == (0, 2)


def test_an_exception_of_a_handler_ends_the_wait(tmp_path: Path) -> None:
    index = Index.create(tmp_path / "index")

    def refuse(*_: object) -> None:
        raise TimeoutError("it has waited for long enough")

    with (tmp_path / "index/lock").open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(TimeoutError, match="long enough"), alarms(refuse):
            index.add("a heron stands in the water")
        assert len(index) == 0
        fcntl.flock(other, fcntl.LOCK_UN)
    assert index.add("a heron stands in the water")[0].verdict.id == "#1"
