"""Code that runs in the executors: kernels of the core over the rows of a partition, one class for each.

A kernel is sent to the executors by name, with its options: neardup is installed there, too.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from tempfile import NamedTemporaryFile
from typing import Any, Literal, cast

import pyarrow as pa
import pyarrow.compute as pc
from pyspark import Broadcast

from neardup import _core
from neardup.options.values import translate_readers
from neardup.schemes.rule import RULES
from neardup.spark.frames.documents import INPUT
from neardup.spark.session.batches import Batches, names_of, runs_of


@dataclass(frozen=True)
class Options:
    """How the core reads and compares the documents of one pass, and the bytes of the lexicon that it counted."""

    core: dict[str, Any]
    lists: bool
    """Whether pairs are listed, and no document is dropped."""
    lexicon: Broadcast[bytes] | None = None

    @contextmanager
    def opened(self, **more: Any) -> Iterator[dict[str, Any]]:
        """Yield the options for the core, with the lexicon as a file."""
        options = self.core | translate_readers(self.core) | more
        if self.lexicon is None:
            yield options
            return
        with NamedTemporaryFile(suffix=".parquet") as file:
            file.write(self.lexicon.value)
            file.flush()
            yield options | {"counted": file.name}

    def tasks(self) -> _core.Tasks:
        """Return the kernels of the pass."""
        with self.opened() as options:
            return _core.Tasks(options, self.lists)


@dataclass(frozen=True)
class Sign:
    """Kernel that returns digests, keys and numbers of documents, and the reason if one cannot be used."""

    options: Options
    are_read: bool
    """Whether rows have id, time and rank already, or a reject."""
    has_archives: bool
    """Whether some rows are records of web archives, whose dates are written."""

    columns = (
        "reason string, id string, time bigint, rank int, tokens int, size int, raw binary, lexical binary,"
        " keys array<bigint>, sketch binary, url string, host string, date string, offset bigint, length bigint,"
        " lacks int"
    )

    def __call__(self, batches: Batches) -> Batches:
        tasks = self.options.tasks()
        for batch in batches:
            signed = pa.table(tasks.sign([batch]))
            rows = signed["row"]
            before = ("number", "side", *(("id", "time", "rank", "offset", "length", "lacks") if self.are_read else ()))
            columns = {name: pa.chunked_array([batch[name]]).take(rows) for name in before}
            if self.are_read:
                columns["reason"] = pa.chunked_array([batch["reject"]]).take(rows)
            if self.has_archives:
                dates = [None if time is None else _core.write_time(time) for time in columns["time"].to_pylist()]
                columns["date"] = pa.chunked_array([pa.array(dates, pa.string())])
            nothing = pa.nulls(len(rows), pa.int64())
            no_date = pa.nulls(len(rows), pa.string())
            unread = {"date": no_date, "offset": nothing, "length": nothing, "lacks": nothing.cast(pa.int32())}
            known = {**unread, **{name: signed[name] for name in signed.column_names}}
            names = ["number", "side", *names_of(self.columns)]
            yield from pa.table([(known | columns)[name] for name in names], names=names).to_batches()


@dataclass(frozen=True)
class Compare:
    """Kernel that compares families of documents: each by a run of one machine, in policy order."""

    verbs: tuple[Literal["dedup", "cluster", "pairs"], ...]
    options: Options
    against: bool
    """Whether only pairs between the input and the reference count."""
    across: bool = False
    """Whether only findings between these two sides count."""

    columns = (
        "kind string, left {number}, right {number}, rule int, shared bigint, left_size bigint, right_size bigint,"
        " value double"
    )
    """A drop has a document (left) and its original, a link connects two, a pair has the input's document on the left.

    A star is a key of `shared` documents; only their pairs with the first (left) are listed.
    """

    def __call__(self, batches: Batches) -> Batches:
        for rows in runs_of(batches, "task"):
            is_input = pc.equal(rows["side"], INPUT)
            inputs, references = rows.filter(is_input), rows.filter(pc.invert(is_input))
            for verb in self.verbs:
                if (self.across or (self.against and verb == "pairs")) and not (len(inputs) and len(references)):
                    continue
                if verb == "cluster" and len(references):
                    # Drops are decided against the reference, clusters among all documents, the reference first.
                    yield from self._run("dedup", inputs, references, ("drop",))
                    yield from self._run("cluster", pa.concat_tables([references, inputs]), references[:0], ("link",))
                else:
                    yield from self._run(verb, inputs, references, ("drop", "link", "pair", "star"))

    def _run(self, verb: Any, inputs: pa.Table, references: pa.Table, kinds: tuple[str, ...]) -> Batches:
        # The references are the second stream: so the generated ids tell the two sides apart.
        against = {"against": [references[:0], references]} if len(references) else {}
        with self.options.opened(**against) as options:
            result = _core.run(verb, [inputs], cast(Any, options))
        numbers = pa.concat_tables([inputs.select(["number"]), references.select(["number"])])["number"]
        found = _Found(numbers, len(inputs), self.across).rows(verb, result)
        yield from (batch for kind, batch in found if kind in kinds)


@dataclass(frozen=True)
class _Found:
    """Findings of a run of one machine, by the numbers of its documents: the input, then the reference."""

    numbers: pa.ChunkedArray
    inputs: int
    across: bool
    """Whether only drops for documents of the reference count."""

    def rows(self, verb: str, result: _core.JobResult) -> Iterator[tuple[str, pa.RecordBatch]]:
        """Yield the rows of the tables, each batch with its kind."""
        if verb == "dedup":
            rows = pa.table(result.table("decisions"))
            rows = rows.filter(pc.equal(rows["verdict"], "drop"))
            if self.across:
                rows = rows.filter(pc.equal(rows["original_in"], "reference"))
            ends = self._of(rows["id"]), self._of(rows["original"], rows, "original_in")
            yield from self._table("drop", *ends, _rules(rows["rule"]), rows, ("shared", "id_size", "original_size"))
        elif verb == "cluster":
            rows = pa.table(result.table("clusters"))
            followers = rows.filter(pc.is_valid(rows["shared"]))
            sizes = ("shared", "id_size", "leader_size")
            equal = [pc.equal(followers["shared"], followers[size]) for size in sizes[1:]]
            rule = pc.if_else(pc.and_(*equal), RULES.index("shingles"), RULES.index("near")).cast(pa.int32())
            yield from self._table(
                "drop", self._of(followers["id"]), self._of(followers["leader"]), rule, followers, sizes
            )
            nothing = pa.nulls(len(rows), pa.int32())
            yield from self._table("link", self._of(rows["cluster"]), self._of(rows["id"]), nothing, rows, (None,) * 3)
        else:
            rows = pa.table(result.table("pairs"))
            offset = self.inputs if len(self.numbers) > self.inputs else 0
            ends = self._of(rows["left"]), self._of(rows["right"], offset=offset)
            yield from self._table("pair", *ends, _rules(rows["rule"]), rows, ("shared", "left_size", "right_size"))
            yield from self._stars(json.loads(result.summary)["starred_keys"])

    def _stars(self, starred: list[tuple[str, int]]) -> Iterator[tuple[str, pa.RecordBatch]]:
        if not starred:
            return
        ids = [name.split(":") for name, _ in starred]
        places = pa.array([int(row) - 1 + (self.inputs if stream == "2" else 0) for stream, row in ids], pa.int64())
        firsts = self.numbers.take(places)
        nothing = pa.nulls(len(starred), pa.int32())
        sizes = pa.table({"shared": [size for _, size in starred]})
        yield from self._table(
            "star", firsts, pa.nulls(len(starred), firsts.type), nothing, sizes, ("shared", None, None)
        )

    def _of(self, ids: Any, rows: Any = None, side: str | None = None, offset: int = 0) -> Any:
        """Return the numbers of ids, which consist of the stream and the row, from 1."""
        places = pc.add(pc.utf8_slice_codeunits(ids, 2).cast(pa.int64()), offset - 1)
        if side is not None and side in rows.column_names:
            places = pc.add(places, pc.if_else(pc.equal(rows[side], "reference"), self.inputs, 0))
        return self.numbers.take(places)

    def _table(
        self, kind: str, left: Any, right: Any, rule: Any, rows: Any, sizes: tuple[str | None, ...]
    ) -> Iterator[tuple[str, pa.RecordBatch]]:
        columns = {"kind": pa.array([kind] * len(left), pa.string()), "left": left, "right": right, "rule": rule}
        for name, size in zip(("shared", "left_size", "right_size"), sizes, strict=True):
            columns[name] = pa.nulls(len(left), pa.int64()) if size is None else rows[size].cast(pa.int64())
        # Only some schemes have it, and only tables with evidence.
        has_value = "value" in rows.column_names
        columns["value"] = rows["value"] if has_value else pa.nulls(len(left), pa.float64())
        for batch in pa.table(columns).to_batches():
            yield kind, batch


def _rules(names: Any) -> Any:
    return pc.index_in(names, pa.array(RULES))


def sum_rows(batches: Batches) -> Batches:
    """Sum the hashes of the rows of a partition, for the digest."""
    merged = _core.merge_sums([_core.sum_rows(batch) for batch in batches])
    yield pa.record_batch({"sum": pa.array([merged], pa.binary())})
