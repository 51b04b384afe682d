#!/usr/bin/env python3
"""Compare `dedup --engine spark` and `--engine ray` with the floor of Spark, in one interleaved run.

usage: spark.py DOCS.jsonl [MORE.jsonl] [--reps N] [--cores N] [--work DIR]

The floor is `spark_floor.py` with the same documents: as many rows of keys as the scheme makes, grouped, joined to the
texts and joined back by Spark's own operations alone. A run keeps the rows of its steps, so that it can resume;
`spark without resume` does not. `ray` and `one machine` are the same command with Ray, and on one machine. Of two
files, MORE is the larger: the slope is the difference of the times, for each of the documents that MORE has in
addition. Each command is a whole process on --cores cores. The digests of all runs of neardup must be equal.
"""

import argparse
import json
import shutil
import statistics
from itertools import pairwise
from pathlib import Path

import measure
import table
from tools import HERE, NEARDUP
from work_folder import work_folder

import neardup

LIMIT = 3_600.0
"""Maximum seconds of a command."""
SPARK, ONCE, FLOOR, RAY, ONE = "spark", "spark without resume", "floor", "ray", "one machine"
HEAD = ["documents", "command", "seconds", "CPU s", "peak MB", "times the floor"]


class Runs:
    """The costs of the commands over one file."""

    def __init__(self, docs: Path, cores: int, work: Path) -> None:
        self._work = work
        self._cores = cores
        python = str(NEARDUP.parent / "python")
        dedup = ["dedup", str(docs), "-o", "", "--engine", "spark", f"--master=local[{cores}]", "--quiet"]
        self._commands = {
            FLOOR: [python, str(HERE / "spark_floor.py"), str(docs), "", f"--cores={cores}"],
            SPARK: [str(NEARDUP), *dedup],
            ONCE: [python, str(HERE / "spark_once.py"), *dedup],
            RAY: [str(NEARDUP), "dedup", str(docs), "-o", "", "--engine", "ray", f"--threads={cores}", "--quiet"],
            ONE: [str(NEARDUP), "dedup", str(docs), "-o", "", f"--threads={cores}", "--quiet"],
        }
        self._commands[FLOOR] += [f"--keys={count_keys()}"]
        self.costs: dict[str, list[measure.Measurement]] = {name: [] for name in self._commands}
        self.digests: dict[str, str] = {}
        self.documents = sum(1 for _ in docs.open("rb"))

    def once(self) -> None:
        """Run each command once."""
        for name, command in self._commands.items():
            out = self._work / "out"
            shutil.rmtree(out, ignore_errors=True)
            table.say(f"{self.documents:,} documents: {name}")
            cost = measure.run([part or str(out) for part in command], self._cores, self._work, LIMIT)
            if cost.code != 0:
                raise SystemExit(f"{' '.join(command)}: code {cost.code}\n{cost.errors}")
            self.costs[name].append(cost)
            if name != FLOOR:
                self.digests[name] = json.loads((out / "run.json").read_text(encoding="utf-8"))["digest"]
        shutil.rmtree(out)

    def median(self, name: str) -> float:
        """Return the median seconds of a command."""
        return statistics.median(cost.wall for cost in self.costs[name])

    def rows(self) -> list[list[str]]:
        """Return a row of the table for each command."""
        return [
            [
                f"{self.documents:,}",
                name,
                table.spread([cost.wall for cost in costs], 1),
                table.spread([cost.cpu for cost in costs], 1),
                f"{max(cost.peak for cost in costs) / 1e6:,.0f}",
                f"{self.median(name) / self.median(FLOOR):.2f}",
            ]
            for name, costs in self.costs.items()
        ]


def count_keys() -> int:
    """Return the number of keys that the default scheme makes for a document."""
    bands = str(neardup.plan_scheme()).partition("bands:")[2].partition("x")[0]
    return int(bands)


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(usage=__doc__)
    arguments.add_argument("docs", nargs="+", type=Path)
    arguments.add_argument("--reps", type=int, default=3)
    arguments.add_argument("--cores", type=int, default=2)
    arguments.add_argument("--work", type=work_folder, default="target/bench-spark")
    options = arguments.parse_args()
    files = [Runs(docs.absolute(), options.cores, options.work) for docs in options.docs]
    for _ in range(options.reps):
        for one in files:
            one.once()
    print(table.lay_out([HEAD, *(row for one in files for row in one.rows())]))
    for one in files:
        print(f"{one.documents:,}: digests {'are equal' if len(set(one.digests.values())) == 1 else 'DIFFER'}")
    for less, more in pairwise(files):
        added = more.documents - less.documents
        for name in less.costs:
            slope = (more.median(name) - less.median(name)) / added * 1e6
            print(f"{name}: {slope:.1f} us for each of {added:,} more documents")


if __name__ == "__main__":
    main()
