"""A command on a terminal."""

import os
import select
import subprocess
import sys
import time
from pathlib import Path

from command import PATIENCE
from systems import need_posix


def on_a_terminal(*arguments: str | Path, columns: int = 100, typed: str = "") -> str:
    """Run a command with a terminal as all its streams, type some keys, and return its output."""
    need_posix("terminals")
    import pty

    leader, follower = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": str(columns)}
    process = subprocess.Popen(
        [sys.executable, "-m", "neardup", *map(str, arguments)],
        stdin=follower,
        stdout=follower,
        stderr=follower,
        env=environment,
        close_fds=True,
    )
    os.close(follower)
    os.write(leader, typed.encode())
    written = b""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and select.select([leader], [], [], PATIENCE)[0]:
        try:
            piece = os.read(leader, 65536)
        except OSError:
            break
        if not piece:
            break
        written += piece
    os.close(leader)
    assert process.wait(PATIENCE) == 0, written
    return written.decode()
