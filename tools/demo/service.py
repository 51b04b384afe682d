"""Start the service of the demo in the background, or stop it: `service.py start STORE` and `service.py stop STORE`."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

PATIENCE = 60
"""Seconds to wait for the service to start or to stop."""


def start(store: Path) -> str:
    """Start the service, and return the address that it prints first."""
    log = store.with_suffix(".log")
    with open(log, "wb") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", "neardup", "serve", store, "--port", "0"],
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    _pid_file(store).write_text(f"{process.pid}\n", encoding="utf-8")
    for _ in range(PATIENCE * 10):
        output = log.read_text(encoding="utf-8")
        if output.startswith("http") and "\n" in output:
            return output.split()[0]
        if process.poll() is not None:
            break
        time.sleep(0.1)
    stop(store)
    raise SystemExit(f"the service did not start:\n{log.read_text(encoding='utf-8')}")


def stop(store: Path) -> None:
    """Stop the service that was started last, and wait until it has ended."""
    path = _pid_file(store)
    if not path.is_file():
        return
    number = int(path.read_text(encoding="utf-8"))
    if _is_service(number):
        os.kill(number, signal.SIGTERM)
    for _ in range(PATIENCE * 10):
        if not _is_service(number):
            break
        time.sleep(0.1)
    path.unlink()


def _is_service(number: int) -> bool:
    """Return whether a process is still the service: its number may belong to another process by now."""
    if Path("/proc/self").exists():
        command = Path(f"/proc/{number}/cmdline")
        return command.exists() and b"\0neardup\0serve\0" in command.read_bytes()
    with suppress(ProcessLookupError):
        os.kill(number, 0)
        return True
    return False


def _pid_file(store: Path) -> Path:
    return store.with_suffix(".pid")


if __name__ == "__main__":
    verb, folder = sys.argv[1], Path(sys.argv[2])
    stop(folder)
    if verb == "start":
        print(f"the service is at {start(folder)}  (make stop ends it)")
