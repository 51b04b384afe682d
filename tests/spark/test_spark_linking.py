"""Keys are dealt to parts and grouped: links and common keys do not depend on the sizes of parts and batches."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from neardup.spark.passes import key_groups
from neardup.spark.passes.components import roots_of
from neardup.spark.passes.key_groups import LinkByKeys, PackKeys, gather
from neardup.spark.passes.tasks import Options, Sign
from neardup.spark.session.batches import pack, runs_of, unpack

CUTS = [(1, 1, 1), (1 << 20, 8, 10_000), (40, 5, 7), (9, 64, 50)]
"""Number of keys that are dealt at once, number of parts, and documents in a batch."""


def sign(scheme: str, texts: list[str], batch: int) -> tuple[Options, list[pa.RecordBatch]]:
    """Sign texts, numbered from 0, in batches of `batch` texts."""
    numbers = pa.array(range(len(texts)), pa.int64())
    sides = pa.array([1] * len(texts), pa.int32())
    options = Options({"text_field": "text", "scheme": scheme}, lists=False)
    rows = pa.table({"number": numbers, "side": sides, "text": texts}).to_batches(max_chunksize=batch)
    return options, list(Sign(options, are_read=False, has_archives=False)(iter(rows)))


def link(options: Options, signed: list[pa.RecordBatch], parts: int) -> pa.Table:
    """Pack keys into parts and link the documents of each part; like Spark, join the packed batches in random order."""
    dealt = pa.Table.from_batches(PackKeys(options, parts)(iter(signed)))
    shuffled = dealt.take(Random(parts).sample(range(len(dealt)), len(dealt))).sort_by("part")
    return pa.Table.from_batches(LinkByKeys(options)(iter(shuffled.to_batches(max_chunksize=3))))


def families(random: Random) -> list[str]:
    """Return texts of families, whose members differ in their last word."""
    texts = []
    for family in range(25):
        words = " ".join(f"w{random.randrange(10_000)}" for _ in range(60))
        texts += [f"{words} {family}x{member}" for member in range(random.choice([1, 2, 5, 30]))]
    random.shuffle(texts)
    return texts


@pytest.mark.parametrize(("keys", "parts", "batch"), CUTS)
def test_documents_that_may_meet_are_connected(
    keys: int, parts: int, batch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(key_groups, "KEYS", keys)
    texts = families(Random(3))
    options, signed = sign("words | shingles:3 | whole | each | resemblance>=0.8", texts, batch)
    met = link(options, signed, parts)
    links = met.filter(pc.is_valid(met["right"])).select(["left", "right"])
    found = roots_of(links.combine_chunks())
    roots = dict(zip(found["left"].to_pylist(), found["right"].to_pylist(), strict=True))
    for one, other in combinations(range(len(texts)), 2):
        are_family = texts[one].split()[:60] == texts[other].split()[:60]
        assert (roots.get(one, one) == roots.get(other, other)) == are_family


@pytest.mark.parametrize(("keys", "parts", "batch"), CUTS)
def test_common_keys_are_counted_and_shown(keys: int, parts: int, batch: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(key_groups, "KEYS", keys)
    random = Random(4)
    texts = [" ".join(random.sample("abcdefghij", 3)) for _ in range(200)]
    options, signed = sign("words | shingles:1 | whole | each cap=50 over=drop | resemblance>=0.8", texts, batch)
    met = link(options, signed, parts)
    holders: dict[int, list[int]] = {}
    for one in signed:
        for number, own in zip(one["number"].to_pylist(), one["keys"].to_pylist(), strict=True):
            for key in own:
                holders.setdefault(key, []).append(number)
    common = met.filter(pc.is_valid(met["size"])).to_pylist()
    assert {row["key"]: row["size"] for row in common} == {
        key: len(those) for key, those in holders.items() if len(those) > 50
    }
    assert Counter(row["key"] for row in common).most_common(1)[0][1] <= 5
    assert all(row["left"] in holders[row["key"]] for row in common)
    # A link that depends on a key names it, so that it can be dropped with the key.
    tied = met.filter(pc.and_(pc.is_valid(met["right"]), pc.is_valid(met["key"])))
    assert all({row["left"], row["right"]} <= set(holders[row["key"]]) for row in tied.to_pylist())


def test_documents_are_gathered_by_their_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(key_groups, "KEYS", 6)
    keys = [[1] * count for count in (0, 1, 2, 3, 9, 1, 1, 20, 0, 2)]
    batches = pa.table({"number": list(range(10)), "keys": pa.array(keys, pa.list_(pa.int64()))}).to_batches(4)
    gathered = list(gather(iter(batches)))
    assert [number for table in gathered for number in table["number"].to_pylist()] == list(range(10))
    assert [own for table in gathered for own in table["keys"].to_pylist()] == keys
    assert all(table["keys"].num_chunks == 1 for table in gathered)
    assert len(gathered) > 3


def test_unpacked_parcels_equal_the_packed_rows() -> None:
    rows = pa.table({"number": [3, 4], "name": ["quay", None]})
    parcels: list[Any] = [pack(rows), pack(rows.slice(1))]
    assert pa.Table.from_batches(unpack(parcels)).to_pylist() == [*rows.to_pylist(), rows.to_pylist()[1]]


def test_runs_span_batches() -> None:
    def batches() -> Iterator[pa.RecordBatch]:
        for values in ([1, 1, 2], [2], [], [3, 1]):
            yield pa.record_batch({"task": pa.array(values, pa.int64())})

    assert [run["task"].to_pylist() for run in runs_of(batches(), "task")] == [[1, 1], [2, 2], [3], [1]]
    assert [len(run) for run in runs_of(batches(), "part")] == [6]
