"""Work in a forked process: what it does to itself, such as to end or to hang, is seen from outside."""

import os
import signal
import time
from collections.abc import Callable

WAIT = 120.0
"""Seconds after which a child counts as hanging."""


def in_child(work: Callable[[], object]) -> None:
    """Do something in a forked process, which is to end by itself."""
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
