"""Work in a forked process, so that the test can observe it end or hang."""

import os
import signal
import time
from collections.abc import Callable

WAIT = 120.0
"""Seconds after which a child counts as hanging."""


def in_child(work: Callable[[], object]) -> None:
    """Call `work` in a forked process, which must end by itself without an error."""
    child = os.fork()
    if child == 0:
        try:
            work()
            os._exit(0)
        finally:
            os._exit(1)
    end = time.monotonic() + WAIT
    while (found := os.waitpid(child, os.WNOHANG)) == (0, 0) and time.monotonic() < end:
        time.sleep(0.01)
    if found == (0, 0):
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    assert found[1] == 0
