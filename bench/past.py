#!/usr/bin/env python3
"""Measure what a batch of new documents costs on Spark against the past of earlier runs.

usage: past.py DOCS.jsonl [--batches 100000,1000000] [--cores N] [--work DIR]

The last lines of DOCS are the batches, in order; all lines before them are the documents of the first run, which begins
the past. Each run is a whole process of `neardup dedup --engine spark --past` on --cores cores. At the end one machine
decides all documents in one run, and the rows of each batch must be equal to its own, except the sizes of groups, which
later batches may have made larger.
"""

import argparse
import shutil
from itertools import islice
from pathlib import Path

import measure
import pyarrow as pa
import pyarrow.parquet as pq
import table
from tools import NEARDUP
from work_folder import work_folder

LIMIT = 7_200.0
"""Maximum seconds of a run."""
HEAD = ["documents", "kept before", "seconds", "CPU s", "us each", "peak MB", "past MB", "decisions"]


class Batches:
    """The files of the first run and of the batches, and their runs."""

    def __init__(self, docs: Path, sizes: list[int], cores: int, work: Path) -> None:
        self._work = work
        self._cores = cores
        self.files = [work / f"batch-{number}.jsonl" for number in range(len(sizes) + 1)]
        with docs.open("rb") as lines:
            count = sum(1 for _ in lines)
        self.sizes = [count - sum(sizes), *sizes]
        with docs.open("rb") as lines:
            for file, size in zip(self.files, self.sizes, strict=True):
                with file.open("wb") as part:
                    part.writelines(islice(lines, size))

    def run(self, number: int) -> measure.Measurement:
        """Decide a batch against the past, and add it."""
        spark = ["--engine", "spark", f"--master=local[{self._cores}]", "--past", str(self._work / "past")]
        return self._dedup([self.files[number]], self._out(number), [*spark, "--no-kept"])

    def whole(self) -> pa.Table:
        """Return the decisions of one run of one machine over all documents."""
        out = self._work / "whole"
        self._dedup(self.files, out, [f"--threads={self._cores}", "--no-kept"])
        return pq.read_table(out / "decisions.parquet")

    def rows(self, number: int) -> pa.Table:
        """Return the decisions of a batch."""
        return pq.read_table(self._out(number) / "decisions.parquet")

    def _out(self, number: int) -> Path:
        return self._work / f"out-{number}"

    def _dedup(self, files: list[Path], out: Path, options: list[str]) -> measure.Measurement:
        shutil.rmtree(out, ignore_errors=True)
        command = [str(NEARDUP), "dedup", *map(str, files), "-o", str(out), "--id-field", "id", "--quiet", *options]
        cost = measure.run(command, self._cores, self._work, LIMIT)
        if cost.code != 0:
            raise SystemExit(f"{' '.join(command)}: code {cost.code}\n{cost.errors}")
        return cost


def size_of(folder: Path) -> int:
    """Return the bytes of all files of a folder."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(usage=__doc__)
    arguments.add_argument("docs", type=Path)
    arguments.add_argument("--batches", default="100000,1000000")
    arguments.add_argument("--cores", type=int, default=2)
    arguments.add_argument("--work", type=work_folder, default="target/bench-past")
    options = arguments.parse_args()
    batches = Batches(options.docs, [int(size) for size in options.batches.split(",")], options.cores, options.work)
    costs, past, kept = list[measure.Measurement](), list[int](), list[int]()
    for number, size in enumerate(batches.sizes):
        table.say(f"{size:,} documents against {sum(kept):,}")
        costs.append(batches.run(number))
        past.append(size_of(options.work / "past"))
        kept.append(batches.rows(number)["verdict"].to_pylist().count("keep"))
    table.say("one machine, all documents")
    whole, rows, start = batches.whole().drop_columns(["group_size"]), list[list[str]](), 0
    for number, (size, cost) in enumerate(zip(batches.sizes, costs, strict=True)):
        own = batches.rows(number).drop_columns(["group_size"])
        are_equal = own.equals(whole.slice(start, size).combine_chunks())
        start += size
        rows.append(
            [
                f"{size:,}",
                f"{sum(kept[:number]):,}",
                f"{cost.wall:.1f}",
                f"{cost.cpu:.1f}",
                f"{1e6 * cost.wall / size:.1f}",
                f"{cost.peak / 1e6:,.0f}",
                f"{past[number] / 1e6:,.0f}",
                "equal" if are_equal else "DIFFERENT",
            ]
        )
    print(table.lay_out([HEAD, *rows]))


if __name__ == "__main__":
    main()
