"""Other functions that take a Spark DataFrame: reading, evaluations, sweeps, mirrors and indexes."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql import DataFrame
from pyspark.sql import functions as sf
from test_spark import ALL, table_of

import neardup
from crawls import crawl
from neardup import DataError, Document, Index, UsageError
from neardup.spark import SparkEngine
from neardup.spark.session.exchange import Exchange
from neardup.sweeps import SweepStore
from texts import corpus

pytestmark = pytest.mark.spark


def by_id(table: pa.Table) -> list[Document]:
    rows = sorted(table.to_pylist(), key=lambda row: row["id"].encode())
    return [Document(row["text"], row["id"], row.get("url"), row.get("time")) for row in rows]


@pytest.mark.on_spark(2)
@pytest.mark.parametrize("partitions", [1, 5])
def test_a_dataframe_is_read_in_the_order_of_its_ids(partitions: int, spark: Any) -> None:
    table = table_of(ALL)
    frame = spark.createDataFrame(table).repartition(partitions, "text")
    read = list(neardup.read(frame, id_field="id", time_field="time"))
    assert [document._replace(source=None, row=None) for document in read] == by_id(table)
    assert [document.row for document in read] == list(range(1, len(ALL) + 1))
    with pytest.raises(UsageError, match="id_field"):
        neardup.read(frame)
    with pytest.raises(DataError, match='there is no field "body"; the fields are "id", "text", "time"'):
        neardup.read(frame, id_field="id", text_field="body")


def test_an_index_is_built_from_a_dataframe(spark: Any, tmp_path: Path) -> None:
    table = table_of(ALL)
    index = Index.create(tmp_path / "spread")
    index.add(neardup.read(spark.createDataFrame(table).repartition(3), id_field="id"))
    local = Index.create(tmp_path / "local")
    local.add(document._replace(time=None) for document in by_id(table))
    assert [index.verdict(str(document.id)) for document in local] == [local.verdict(str(one.id)) for one in local]
    assert len(index) == len(ALL)


def test_a_dataframe_with_an_output_has_its_rows_in_kept(spark: Any, tmp_path: Path) -> None:
    docs = corpus("english", 2)
    table = table_of([*docs, docs[0]._replace(id="zz")])
    result = neardup.dedup(spark.createDataFrame(table), id_field="id", output=str(tmp_path / "out"))
    counts = result.summary["counts"]
    assert counts["documents"] > counts["kept"] == result.kept.count()
    assert {path.name for path in (tmp_path / "out").iterdir()} == {".neardup", "decisions.parquet", "run.json"}


@pytest.mark.parametrize("scheme", [None, "words | shingles:2 | minhash:60 | bands:20x3 | containment>=0.5"])
@pytest.mark.parametrize("is_frame", [True, False])
def test_schemes_are_evaluated_on_spark(is_frame: bool, scheme: str | None, spark: Any) -> None:
    docs = corpus("english", 4)
    truth = [{"id": doc.id, "cluster": doc.id.partition("-")[0]} for doc in docs]
    schemes = [] if scheme is None else [scheme]
    local = neardup.evaluation.evaluate(truth, table_of(docs), schemes)
    if is_frame:
        frame = spark.createDataFrame(table_of(docs)).repartition(3, "text")
        spread = neardup.evaluation.evaluate(truth, frame, schemes)
    else:
        spread = neardup.evaluation.evaluate(truth, table_of(docs), schemes, engine=SparkEngine(spark))
    assert spread.truth == local.truth
    for ours, theirs in zip(spread.schemes, local.schemes, strict=True):
        assert ours._replace(cost=theirs.cost) == theirs


def test_sweeps_and_mirrors_take_dataframes(spark: Any, tmp_path: Path) -> None:
    docs = corpus("english", 4)
    pages = {f"http://{server}/{number}.html": doc.text for server in "ab" for number, doc in enumerate(docs)}
    table = pa.table({"id": list(pages), "url": list(pages), "text": list(pages.values())})
    frame = spark.createDataFrame(table).repartition(3)
    with SweepStore.create(tmp_path / "spread") as spread, SweepStore.create(tmp_path / "local") as local:
        for date in ("2020", "2021"):
            added = spread.add(frame if date == "2020" else table, date, id_field="id")
            assert added == local.add(crawl(pages), date)
        assert list(spread.sightings()) == list(local.sightings())
    assert neardup.urls.find_mirrors(frame, id_field="id") == neardup.urls.find_mirrors(crawl(pages))


@pytest.mark.on_spark(2)
@pytest.mark.parametrize("parts", [1, 7])
def test_messages_are_in_the_partition_of_their_part(parts: int, spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Spark 4.0 has no partitions by number: values are chosen whose hashes are those of the parts."""
    rows = spark.createDataFrame([(part, b"") for part in range(20)], "part int, packed binary")
    found = []
    for has_numbers in (True, False):
        if not has_numbers:
            for kind in (type(rows), DataFrame):
                monkeypatch.delattr(kind, "repartitionById")
        placed = Exchange(parts).apply(rows).withColumn("partition", sf.spark_partition_id())
        found.append(sorted((row["part"], row["partition"]) for row in placed.collect()))
    assert found == [[(part, part % parts) for part in range(20)]] * 2
