#!/usr/bin/env python3
"""Run a verb on a standalone cluster of Spark with little memory, and compare its digest with that of one machine.

usage: spark_limits.py DOCS.jsonl... [--driver 512m] [--executor 1g] [--executors 2] [--cores 1] [--work DIR]
                                     [--verb dedup|cluster|pairs] [--digest DIGEST] [--set NAME=VALUE] [--kill STEP]

The cluster is a master and a worker on this machine, started from pyspark's jars: --executors executors, each with
--cores cores. --driver and --executor are the memory of Java. The workers of Python are processes beside it, of which
Spark knows no memory: the largest resident memory of each kind of process is printed, sampled every tenth of a second,
with the largest sum over the workers of Python, and their largest in each step. --set gives settings of Spark; with
--kill, an executor is killed as soon as the named step begins. Without --digest, the same command runs on one machine
first.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import table
from measure import resident, tree
from tools import NEARDUP
from work_folder import work_folder

SUPPORT = Path(__file__).parents[1] / "tests" / "support"
sys.path.insert(0, str(SUPPORT))

from standalone_cluster import StandaloneCluster, driver_environment, run_cluster  # noqa: E402

INTERVAL = 0.1
SERVER = "-XX:+UseSerialGC"
"""Options of the Java of the cluster: unlike those of the tests, code is compiled thoroughly."""
ROLES = {
    "SparkSubmit": "driver (Java)",
    "CoarseGrainedExecutorBackend": "executor (Java)",
    "pyspark.daemon": "worker (Python)",
}
"""What each process is, by a word of its command."""
DRIVER, WORKER = "driver (Python)", ROLES["pyspark.daemon"]


@dataclass
class Memory(threading.Thread):
    """The largest resident memory of the processes of a run, by role."""

    driver: int
    cluster: StandaloneCluster
    steps: Path
    """The folder in which the run keeps its steps."""
    peaks: dict[str, int] = field(default_factory=dict)
    """Bytes of the largest process of each role, and of the largest sum of all workers of Python."""

    def __post_init__(self) -> None:
        super().__init__(daemon=True)
        self.over = threading.Event()

    def __hash__(self) -> int:
        return id(self)

    def run(self) -> None:
        """Sample until the run is over."""
        while not self.over.wait(INTERVAL):
            sums = 0
            for process in {*tree(self.driver), *tree(self.cluster.processes[-1])}:
                role = DRIVER if process == self.driver else role_of(process)
                now, high = resident(process)
                if role in ROLES.values() or role == DRIVER:
                    self.note(role, high)
                if role == WORKER:
                    sums += now
                    self.note(f"{role}, {step_of(self.steps)}", now)
            self.note("all workers (Python)", sums)

    def note(self, role: str, size: int) -> None:
        """Take a sample."""
        self.peaks[role] = max(size, self.peaks.get(role, 0))


def step_of(steps: Path) -> str:
    """Return the name of the step that a run computes: its folder was made last."""
    try:
        return max((step.stat().st_ctime, step.name) for step in steps.iterdir() if step.is_dir())[1]
    except (OSError, ValueError):
        return "sign"


def role_of(process: int) -> str:
    """Return the role of a process; empty for others."""
    try:
        command = Path(f"/proc/{process}/cmdline").read_bytes().decode(errors="replace")
    except OSError:
        return ""
    return next((role for word, role in ROLES.items() if word in command), "")


def run_spread(options: argparse.Namespace, cluster: StandaloneCluster, out: Path) -> tuple[float, dict[str, int]]:
    """Run on the cluster, and return the seconds and the peaks of memory."""
    settings = {
        "spark.driver.memory": options.driver,
        "spark.executor.memory": options.executor,
        "spark.executor.cores": str(options.cores),
        "spark.driver.extraJavaOptions": SERVER,
        "spark.executor.extraJavaOptions": SERVER,
        **dict(one.split("=", 1) for one in options.set),
    }
    command = [str(NEARDUP), options.verb, *map(str, options.docs), "-o", str(out), "--id-field", "id", "--quiet"]
    command += ["--engine", "spark", "--master", cluster.master]
    start = time.perf_counter()
    process = subprocess.Popen(command, env=driver_environment(cluster.folder, settings))
    memory = Memory(process.pid, cluster, steps_of(out))
    memory.start()
    if options.kill:
        kill_in(options.kill, process, cluster, out)
    code = process.wait()
    seconds = time.perf_counter() - start
    memory.over.set()
    memory.join()
    if code:
        print_peaks(memory.peaks)
        raise SystemExit(f"code {code} after {seconds:.0f} s")
    return seconds, memory.peaks


def steps_of(out: Path) -> Path:
    """Return the folder in which a run keeps its steps until it is over."""
    return out.with_name(out.name + ".partial") / "work" / "steps"


def kill_in(step: str, process: subprocess.Popen[bytes], cluster: StandaloneCluster, out: Path) -> None:
    """Kill an executor as soon as a step begins."""
    while not (steps_of(out) / step).exists() and process.poll() is None:
        time.sleep(INTERVAL)
    executors = [one for one in tree(cluster.processes[-1]) if role_of(one) == ROLES["CoarseGrainedExecutorBackend"]]
    table.say(f"{step}: killing one of {len(executors)} executors")
    os.kill(executors[0], signal.SIGKILL)


def run_alone(options: argparse.Namespace, out: Path) -> str:
    """Run on one machine, and return the digest."""
    start = time.perf_counter()
    command = [str(NEARDUP), options.verb, *map(str, options.docs), "-o", str(out), "--id-field", "id", "--quiet"]
    subprocess.run([*command, "--threads", str(options.executors * options.cores)], check=True)
    table.say(f"one machine: {time.perf_counter() - start:.1f} s")
    return str(summary_of(out)["digest"])


def summary_of(out: Path) -> dict[str, Any]:
    summary: dict[str, Any] = json.loads((out / "run.json").read_text(encoding="utf-8"))
    return summary


def print_peaks(peaks: dict[str, int]) -> None:
    """Print the peaks of memory."""
    print(table.lay_out([["peak MB", ""], *([role, f"{size / 1e6:,.0f}"] for role, size in sorted(peaks.items()))]))


def main() -> None:
    """Print the figures."""
    arguments = argparse.ArgumentParser(usage=__doc__)
    arguments.add_argument("docs", nargs="+", type=Path)
    arguments.add_argument("--driver", default="512m")
    arguments.add_argument("--executor", default="1g")
    arguments.add_argument("--executors", type=int, default=2)
    arguments.add_argument("--cores", type=int, default=1)
    arguments.add_argument("--verb", choices=["dedup", "cluster", "pairs"], default="dedup")
    arguments.add_argument("--digest")
    arguments.add_argument("--set", action="append", default=[])
    arguments.add_argument("--kill")
    arguments.add_argument("--work", type=work_folder, default="target/bench-limits")
    options = arguments.parse_args()
    out = (options.work / "out").absolute()
    for old in (out, out.with_name("out.partial")):
        shutil.rmtree(old, ignore_errors=True)
    digest = options.digest or run_alone(options, out)
    shutil.rmtree(out, ignore_errors=True)
    cores = options.executors * options.cores
    with run_cluster(1, cores, f"{cores * 8}g", SERVER) as cluster:
        seconds, peaks = run_spread(options, cluster, out)
    summary = summary_of(out)
    phases = ", ".join(f"{one['name']} {one['seconds']:.1f}" for one in summary["phases"])
    print(f"{summary['counts']['documents']:,} documents: {seconds:.1f} s ({phases})")
    print_peaks(peaks)
    print("digest", summary["digest"], "equal" if summary["digest"] == digest else f"DIFFERS from {digest}")
    shutil.rmtree(out)


if __name__ == "__main__":
    main()
