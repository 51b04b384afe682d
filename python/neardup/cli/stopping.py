"""Stopping: what a command does when it is told to end."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def stopped_by_term() -> Iterator[None]:
    """Let SIGTERM stop the block as ^C does: a machine that goes down, or a time limit, is told how to go on, too."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
