#!/usr/bin/env python3
"""Measure what a batch of new documents costs on Spark against the past of earlier runs.

usage: past.py DOCS.jsonl [--batches 100000,1000000] [--simulated N] [--cores N] [--work DIR]

The last lines of DOCS are the batches, in order; all lines before them are the documents of the first run, which begins
the past. With --simulated, N further documents of the past are there only as their keys: random ones, so that no new
document resembles them. Each run is a whole process of `neardup dedup --engine spark --past` on --cores cores. At the
end one machine decides all documents in one run, and the rows of each batch must be equal to its own, except the sizes
of groups, which later batches may have made larger.
"""

import argparse
import json
import shutil
from itertools import islice
from pathlib import Path

import measure
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import table
from tools import NEARDUP
from work_folder import work_folder

LIMIT = 7_200.0
"""Maximum seconds of a run."""
HEAD = ["documents", "kept before", "seconds", "peak MB", "past MB", "decisions"]
BANDS = 16
"""Keys of a document in the default scheme."""
OF_HOME = 150_000
"""Simulated documents that were read by one task."""
KEYS_MESSAGE = b"\xff"
"""First byte of a message of keys (crates/neardup-engine/src/distributed/message.rs)."""
KEY = np.dtype([("key", "<u8"), ("class", "<u8"), ("place", "<u4")])


class Batches:
    """The files of the first run and of the batches, and their runs."""

    def __init__(self, docs: Path, sizes: list[int], cores: int, work: Path) -> None:
        self._work = work
        self._cores = cores
        self.past = work / "past"
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
        spark = ["--engine", "spark", f"--master=local[{self._cores}]", "--past", str(self.past)]
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


def simulate(past: Path, documents: int) -> None:
    """Add a batch of documents that are there only as random keys.

    A key need not be of the part whose file has it: it meets no new document in any.
    """
    path, chance = past / "past.json", np.random.default_rng(12)
    book = json.loads(path.read_text(encoding="utf-8"))
    batch, homes, parts = len(book["batches"]), max(1, documents // OF_HOME), book["parts"]
    first = sum(len(one["homes"]) for one in book["batches"])
    of_message = documents * BANDS // homes // parts
    tables = np.sort(np.arange(of_message) % BANDS).astype(np.uint64) << np.uint64(48)
    for part in range(parts):
        folders = [past / kind / f"part-{part:05}" for kind in ("keys", "led")]
        files = [folder / f"batch-{batch:05}.parquet" for folder in folders]
        schema = pa.schema([("packed", pa.binary())])
        pq.write_table(schema.empty_table(), files[1])
        with pq.ParquetWriter(files[0], schema, use_dictionary=False, compression="zstd", compression_level=1) as file:
            for home in range(first, first + homes):
                keys = np.frombuffer(chance.bytes(of_message * KEY.itemsize), KEY).copy()
                keys["key"] = keys["key"] >> np.uint64(16) | tables
                message = KEYS_MESSAGE + home.to_bytes(4, "little") + keys.tobytes()
                file.write_table(pa.table({"packed": pa.array([message], pa.binary())}))
    of_book = {"homes": book["batches"][0]["homes"][:1] * homes, "documents": documents, "kept": documents}
    book["batches"].append(of_book)
    path.write_text(json.dumps(book), encoding="utf-8")


def size_of(folder: Path) -> int:
    """Return the bytes of all files of a folder."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("docs", type=Path)
    arguments.add_argument("--batches", default="100000,1000000")
    arguments.add_argument("--simulated", type=int, default=0)
    arguments.add_argument("--cores", type=int, default=2)
    arguments.add_argument("--work", type=work_folder, default="target/bench-past")
    options = arguments.parse_args()
    batches = Batches(options.docs, [int(size) for size in options.batches.split(",")], options.cores, options.work)
    kept, rows, start = 0, list[list[str]](), 0
    costs, earlier, past = list[measure.Measurement](), list[int](), list[int]()
    for number, size in enumerate(batches.sizes):
        if number == 1 and options.simulated:
            table.say(f"{options.simulated:,} simulated documents")
            simulate(batches.past, options.simulated)
            kept += options.simulated
        table.say(f"{size:,} documents against {kept:,}")
        earlier.append(kept)
        costs.append(batches.run(number))
        past.append(size_of(batches.past))
        kept += batches.rows(number)["verdict"].to_pylist().count("keep")
    table.say("one machine, all documents")
    whole = batches.whole().drop_columns(["group_size"])
    for number, (size, before, cost) in enumerate(zip(batches.sizes, earlier, costs, strict=True)):
        own = batches.rows(number).drop_columns(["group_size"])
        are_equal = own.equals(whole.slice(start, size).combine_chunks())
        start += size
        decisions = "equal" if are_equal else "DIFFERENT"
        sizes = [f"{cost.peak / 1e6:,.0f}", f"{past[number] / 1e6:,.0f}"]
        rows.append([f"{size:,}", f"{before:,}", f"{cost.wall:.1f}", *sizes, decisions])
    print(table.lay_out([HEAD, *rows]))


if __name__ == "__main__":
    main()
