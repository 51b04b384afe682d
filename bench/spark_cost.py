"""One run of `dedup` on Spark, with what every stage of it sends, reads, keeps and computes, printed as JSON.

usage: spark_cost.py DOCS.jsonl OUT [--cores 2] [--memory 2g] [--connected 1000]

The run has an output, so that the rows of its steps are kept and a later run could resume. More links than --connected
are connected in rounds, as are those of a large run. Bytes are those of Spark's status pages. Processor time is that of
the processes: Java, with its compiler and its garbage collector, and the workers of Python, in which the core computes.
It is sampled every twentieth of a second and assigned to the stage that was under way.
"""

import argparse
import json
import os
import threading
import time
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from measure import resident, tree

import neardup
from neardup.spark.session.session import open_session

INTERVAL = 0.05
TICK = 1 / os.sysconf("SC_CLK_TCK")
JAVA, WORKERS, DRIVER = "java", "workers", "driver"
STAGES = {
    "sign": ("sign", "link"),
    "stars": ("small star", "large star"),
    "sizes": ("weigh", "large"),
    "compare": ("connect", "gather", "fetch", "compare"),
    "lead": ("divide", "lead", "chase"),
    "expand": ("expand",),
    "settle": ("follow",),
    "groups": ("group", "learn"),
    "write": ("write",),
}
"""The stages of each step, each one stage of Spark. After stars, the step of the comparison does not connect."""
COUNTS = {"sent": "shuffleWriteBytes", "read": "inputBytes", "kept": "outputBytes"}
"""Counts of a stage, and what Spark calls them."""


@dataclass
class Sampler(threading.Thread):
    """The processor time and the memory of this process and all below it, by role, while a run is under way."""

    root: int = field(default_factory=os.getpid)
    times: list[float] = field(default_factory=list)
    """The time of each sample, in seconds since 1970."""
    cpu: list[dict[str, float]] = field(default_factory=list)
    """Seconds of processor time up to each sample, by role."""
    peaks: dict[str, int] = field(default_factory=dict)
    """Bytes of the largest process of each role, and of the largest sum of all workers."""

    def __post_init__(self) -> None:
        super().__init__(daemon=True)
        self.over = threading.Event()
        self._last: dict[int, tuple[str, float]] = {}

    def __hash__(self) -> int:
        return id(self)

    def run(self) -> None:
        """Sample until the run is over."""
        while not self.over.wait(INTERVAL):
            self.sample()

    def sample(self) -> None:
        """Take a sample."""
        workers = 0
        for process in tree(self.root):
            role = DRIVER if process == self.root else role_of(process)
            now, high = resident(process)
            self._last[process] = role, max(processor_time(process), self._last.get(process, (role, 0.0))[1])
            self.peaks[role] = max(high, self.peaks.get(role, 0))
            workers += now if role == WORKERS else 0
        self.peaks["all workers"] = max(workers, self.peaks.get("all workers", 0))
        sums = dict.fromkeys((JAVA, WORKERS, DRIVER), 0.0)
        for role, seconds in self._last.values():
            sums[role] += seconds
        self.times.append(time.time())
        self.cpu.append(sums)

    def between(self, start: float, end: float) -> dict[str, float]:
        """Return the processor time of each role from one moment to another."""
        return {role: self._until(end, role) - self._until(start, role) for role in self.cpu[-1]}

    def _until(self, moment: float, role: str) -> float:
        after = bisect_right(self.times, moment)
        if after in (0, len(self.times)):
            return self.cpu[min(after, len(self.cpu) - 1)][role]
        before, (first, last) = after - 1, (self.times[after - 1], self.times[after])
        share = (moment - first) / (last - first)
        return self.cpu[before][role] + share * (self.cpu[after][role] - self.cpu[before][role])


def role_of(process: int) -> str:
    """Return the role of a process below the driver."""
    try:
        command = Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return WORKERS
    return WORKERS if b"pyspark.daemon" in command else JAVA


def processor_time(process: int) -> float:
    """Return the seconds that a process has computed so far; 0 if it has ended."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) * TICK


def stages_of(jobs: list[dict[str, Any]], stages: list[dict[str, Any]]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield every finished stage of Spark with the stages of the run that compute in it and that receive from it."""
    known = {stage["stageId"]: stage for stage in stages if stage["status"] == "COMPLETE"}
    for job in sorted(jobs, key=lambda job: job["jobId"]):
        own = [known[number] for number in sorted(job["stageIds"]) if number in known]
        phase = job.get("description", "").removeprefix("neardup: ").partition(",")[0]
        names = STAGES.get(phase, ())
        if len(own) == 1 or not names:
            # The driver reads what a step counted, or the formats of its rows.
            for stage in own:
                yield "driver", "driver", stage
            continue
        names = names[-(len(own) - 1) :]
        for at, stage in enumerate(own):
            # The first stage of Spark only brings kept rows to the tasks of the first stage of the run.
            yield names[max(at - 1, 0)], names[min(at, len(names) - 1)], stage


def moment(written: str) -> float:
    """Return a time of Spark's status pages, in seconds since 1970."""
    return datetime.strptime(written.replace("GMT", "+0000"), "%Y-%m-%dT%H:%M:%S.%f%z").timestamp()


def add_up(jobs: list[dict[str, Any]], stages: list[dict[str, Any]], sampler: Sampler) -> dict[str, dict[str, float]]:
    """Return the costs of every stage of the run."""
    costs: dict[str, dict[str, float]] = {}
    for name, taker, stage in stages_of(jobs, stages):
        of = [
            costs.setdefault(one, dict.fromkeys(("sent", "read", "kept", JAVA, WORKERS), 0.0)) for one in (name, taker)
        ]
        for count, spark in COUNTS.items():
            of[count == "sent"][count] += stage[spark]
        cpu = sampler.between(moment(stage["submissionTime"]), moment(stage["completionTime"]))
        for role in (JAVA, WORKERS):
            of[0][role] += cpu[role]
    return costs


def run(args: argparse.Namespace) -> dict[str, Any]:
    """Run, and return the measurement."""
    settings = {
        "spark.driver.memory": args.memory,
        "spark.log.level": "OFF",
        "spark.ui.port": "0",
        "spark.ui.retainedStages": "100000",
        "spark.ui.retainedJobs": "100000",
    }
    sampler = Sampler()
    sampler.start()
    begin = time.time()
    with open_session(f"local[{args.cores}]", settings=settings) as session:
        start = time.time()
        engine = neardup.spark.SparkEngine(session, forest=args.connected)
        result = neardup.dedup(str(args.docs), id_field="id", output=str(args.out), engine=engine)
        end = time.time()
        sampler.sample()
        context = session.sparkContext
        pages = f"{context.uiWebUrl}/api/v1/applications/{context.applicationId}"
        jobs, stages = (json.load(urlopen(f"{pages}/{what}")) for what in ("jobs", "stages"))
    sampler.over.set()
    sampler.join()
    counts = result.summary["counts"]
    return {
        "documents": counts["documents"],
        "bytes": args.docs.stat().st_size,
        "dropped": counts["dropped"],
        "cores": args.cores,
        "seconds": end - start,
        "start": start - begin,
        "cpu": sampler.between(start, end),
        "peaks": sampler.peaks,
        "rounds": sum(job.get("description", "") == "neardup: stars" and len(job["stageIds"]) > 1 for job in jobs),
        "stages": add_up(jobs, stages, sampler),
        "digest": result.digest,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("docs", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--memory", default="2g", help="of Java")
    parser.add_argument("--connected", type=int, default=1000, help="maximum number of links that one task connects")
    print(json.dumps(run(parser.parse_args())))


if __name__ == "__main__":
    main()
