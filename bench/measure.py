"""One command as a process tree, measured from outside: wall time, CPU time, peak memory."""

import os
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path

INTERVAL = 0.01
"""Seconds between two looks at the memory; one look costs some 0.1 ms."""
SHARE = 50
"""Looks take one part in this many of the time at most: they cost more where a process has many threads."""


@dataclass(frozen=True)
class Measurement:
    """What one run cost."""

    wall: float
    """Seconds from start to exit."""
    cpu: float
    """Seconds of user and system time of the process and the children it waited for."""
    peak: int
    """Bytes: the largest sum of resident memory over the tree, shared pages counted in each process."""
    code: int
    """Exit code; negative for a signal, as in subprocess."""
    output: str
    """Standard output."""
    errors: str
    """The last 2,000 characters of standard error."""


def resident(pid: int) -> tuple[int, int]:
    """Return (resident bytes, highest resident bytes so far) of a process; zeros when it is gone."""
    now = high = 0
    try:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                now = int(line.split()[1]) * 1024
            elif line.startswith("VmHWM:"):
                high = int(line.split()[1]) * 1024
    except OSError:
        pass
    return now, high


def tree(pid: int) -> list[int]:
    """Return the process and all its descendants."""
    found = [pid]
    for parent in found:
        try:
            for task in Path(f"/proc/{parent}/task").iterdir():
                found.extend(int(child) for child in (task / "children").read_text().split())
        except OSError:
            pass
    return found


class Watch(threading.Thread):
    """Watches a process tree until it is stopped."""

    def __init__(self, pid: int) -> None:
        """Watch the tree below `pid`."""
        super().__init__(daemon=True)
        self.pid = pid
        self.peak = 0
        self.done = threading.Event()

    def run(self) -> None:
        """Look every INTERVAL seconds, or less often where a look takes long."""
        took = 0.0
        while not self.done.wait(max(INTERVAL, SHARE * took)):
            start = time.perf_counter()
            looks = [resident(pid) for pid in tree(self.pid)]
            # The high-water mark of a single process catches what falls between two looks.
            self.peak = max(self.peak, sum(now for now, _ in looks), *(high for _, high in looks))
            took = time.perf_counter() - start


def warm(path: Path) -> int:
    """Bring a file into the page cache and return its size: no tool is to pay for what the one before pushed out."""
    size = 0
    with path.open("rb", buffering=0) as file:
        while count := len(file.read(1 << 20)):
            size += count
    return size


def run(command: list[str], threads: int, scratch: Path, timeout: float) -> Measurement:
    """Run a command on the first `threads` processors and return what it cost.

    `scratch` takes its output streams. After `timeout` seconds the command is killed; its code is then -9.
    """
    processors = os.sched_getaffinity(0)
    limits = ("OMP", "OPENBLAS", "MKL", "RAYON")
    environment = os.environ | {f"{name}_NUM_THREADS": str(threads) for name in limits}
    environment |= {"POLARS_MAX_THREADS": str(threads), "DO_NOT_TRACK": "1", "PYTHONHASHSEED": "0"}
    with (scratch / "stdout").open("w+") as out, (scratch / "stderr").open("w+") as err:
        os.sched_setaffinity(0, set(sorted(processors)[:threads]))
        try:
            start = time.perf_counter()
            process = subprocess.Popen(command, stdout=out, stderr=err, env=environment)
        finally:
            os.sched_setaffinity(0, processors)
        watch = Watch(process.pid)
        watch.start()
        killer = threading.Timer(timeout, process.kill)
        killer.start()
        # wait4 instead of Popen.wait: it returns the resource use of this one child.
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        killer.cancel()
        watch.done.set()
        watch.join()
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        return Measurement(
            wall=wall,
            cpu=usage.ru_utime + usage.ru_stime,
            peak=watch.peak,
            code=process.returncode,
            output=out.read(),
            errors=err.read()[-2000:],
        )
