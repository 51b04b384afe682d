"""Measure a command and its process tree from outside: wall time, CPU time, peak memory."""

import os
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path

INTERVAL = 0.01
"""Seconds between two samples of the memory; a sample costs about 0.1 ms."""
SHARE = 50
"""Sampling takes at most 1 / SHARE of the time: a sample costs more if a process has many threads."""


@dataclass(frozen=True)
class Measurement:
    """The cost of one run."""

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
    """Return (resident bytes, highest resident bytes so far) of a process; zeros if it has ended."""
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
        """Sample the memory every INTERVAL seconds, or less often if a sample takes long."""
        took = 0.0
        while not self.done.wait(max(INTERVAL, SHARE * took)):
            start = time.perf_counter()
            samples = [resident(pid) for pid in tree(self.pid)]
            # The high-water mark of a single process includes what happened between two samples.
            self.peak = max(self.peak, sum(now for now, _ in samples), *(high for _, high in samples))
            took = time.perf_counter() - start


def warm(path: Path) -> int:
    """Read a file into the page cache, in case an earlier tool evicted it, and return its size."""
    size = 0
    with path.open("rb", buffering=0) as file:
        while count := len(file.read(1 << 20)):
            size += count
    return size


def run(command: list[str], threads: int, scratch: Path, timeout: float) -> Measurement:
    """Run a command on the first `threads` processors and return its cost.

    Its output streams are written to `scratch`. After `timeout` seconds the command is killed; its code is then -9.
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
