"""Runs on Spark have the same digests, tables and errors as on one machine."""

import gc
import json
from itertools import product
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import neardup
from neardup import DataError, UsageError
from neardup.schemes.named import find_named
from neardup.spark import SparkEngine
from neardup.spark.session.steps import KeptSteps
from oracle import Doc
from records import damage_chunk, read_jsonl, write_jsonl
from spark_session import MACHINE, folder_of
from texts import LANGUAGES, corpus

pytestmark = pytest.mark.spark

VERBS: list[Any] = [neardup.dedup, neardup.cluster, neardup.find_pairs]
"""The default tier runs only the first of a list, so tests pass them in different orders."""
DOCS = [doc._replace(id=f"{language}/{doc.id}") for language in LANGUAGES for doc in corpus(language, 2)]
COPIES = [Doc(f"copy {number}", DOCS[number % 7].text, None) for number in range(9)]
BY_TIME = {"id_field": "id", "time_field": "time"}
BARE = [Doc("empty", "", None), Doc("blank", " \n", None), Doc("sign", "!?", None), Doc("sign again", "!?", None)]
ALL = [*DOCS, *COPIES, *BARE]
CHOSEN: dict[str, Any] = BY_TIME | {"prefer": [f"id={ALL[9].id}", "id^=korean/,thai/0"], "threshold": "0.5"}
"""Options with everything that a policy can use."""
CLEANUP_TIME = 120
"""Seconds after which files that Spark's cleaner has not removed count as kept."""


def table_of(docs: list[Doc]) -> pa.Table:
    times = pa.array([doc.time for doc in docs], pa.int64())
    return pa.table({"id": [doc.id for doc in docs], "text": [doc.text for doc in docs], "time": times})


def rows_of(table: Any) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pa.table(table).to_pylist()
    return rows


def check_same(verb: Any, inputs: Any, engine: SparkEngine, **options: Any) -> Any:
    """Run a verb on both engines, check that the results are equal, and return that of Spark."""
    local, spread = verb(inputs, **options), verb(inputs, engine=engine, **options)
    compare(spread, local)
    return spread


def compare(spread: Any, local: Any) -> None:
    """Check that the results of both engines are the same."""
    assert spread.digest == local.digest
    for name in local._result.tables:
        if name != "kept":
            assert rows_of(spread._result.table(name)) == rows_of(local._result.table(name))
    for name in ("counts", "clusters", "inputs", "scheme", "notes", "keep", "verified", "stars", "starred_keys"):
        ours, theirs = spread.summary[name], local.summary[name]
        if name in ("stars", "starred_keys"):
            ours, theirs = sorted(ours), sorted(theirs)
        if name == "counts":
            theirs = {**theirs, "thin_samples": ours["thin_samples"]}
        assert ours == theirs, name


@pytest.mark.deep("files have documents of all kinds, too")
@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("home", [5000, None])
@pytest.mark.parametrize(
    "options", [CHOSEN | {"keep": "earliest"}, BY_TIME, {"id_field": "id", "threshold": "0.3"}, {}]
)
def test_documents_of_all_kinds(
    options: dict[str, Any], home: int | None, verb: Any, spark: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Digests are also the same when a task reads only some of the documents."""
    monkeypatch.setattr("neardup.spread.run.HOME", home)
    check_same(verb, table_of(ALL), SparkEngine(spark), **options)


def test_a_session_of_one_machine_has_a_quarter_of_its_memory(spark: Any) -> None:
    java = spark.sparkContext._jvm.java.lang.Runtime.getRuntime()
    assert java.maxMemory() == pytest.approx(MACHINE // 4, rel=0.1)


@pytest.mark.deep("the test of files that are read in parts checks this, too")
@pytest.mark.parametrize("verb", VERBS[::-1])
def test_a_session_keeps_what_a_result_needs(verb: Any, spark: Any, tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "docs.jsonl", ALL)
    before = files_left(spark, 0)
    result = verb(str(path), id_field="id", threshold="0.3", engine=SparkEngine(spark))
    frame = frame_of(result, spark)
    del result
    check_released(frame, before, spark)


def frame_of(result: Any, spark: Any) -> list[Any]:
    """Return a list with the only reference to a DataFrame made from the first table of a result."""
    assert spark._jsparkSession.sharedState().cacheManager().isEmpty()
    return [result._result.table(result._result.tables[0]).frame.where("true")]


def check_released(frame: list[Any], before: int, spark: Any) -> None:
    """Check that a session keeps the files of a deleted result while a DataFrame made from it needs them.

    Without the DataFrame, the session must remove them.
    """
    assert files_left(spark) > before
    assert frame[0].count() > 0
    frame.clear()
    assert files_left(spark, before) <= before


def test_a_run_that_fails_leaves_nothing(spark: Any) -> None:
    before = files_left(spark, 0)
    with pytest.raises(DataError):
        neardup.dedup(table_of([*DOCS, DOCS[0]]), id_field="id", engine=SparkEngine(spark))
    bad = spark.createDataFrame([("one", 0)], "id string, part int").selectExpr(
        "id", "string(assert_true(part > 0)) as text"
    )
    with pytest.raises(Exception, match="is not true"):
        neardup.dedup(bad, id_field="id")
    assert spark._jsparkSession.sharedState().cacheManager().isEmpty()
    assert files_left(spark, before) <= before


def files_left(spark: Any, at_most: int | None = None) -> int:
    """Return the number of files that Spark has on disk after cleaning up.

    With `at_most`, wait some time until there are no more than this.
    """
    folder, until = folder_of(spark), monotonic() + CLEANUP_TIME
    while True:
        gc.collect()
        spark._jvm.System.gc()
        sleep(0.2)
        count = sum(1 for kind in ("shuffle", "rdd") for _ in folder.rglob(f"{kind}_*"))
        if at_most is None or count <= at_most or monotonic() > until:
            return count


@pytest.mark.deep("the job on a cluster takes a DataFrame, too")
@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("partitions", [1, 7])
def test_dataframes_are_ordered_by_their_ids(verb: Any, partitions: int, spark: Any) -> None:
    table = table_of(ALL)
    frame = spark.createDataFrame(table).repartition(partitions, "text")
    local = verb(table.sort_by("id"), id_field="id")
    spread = verb(frame, id_field="id")
    assert spread.digest == local.digest
    assert spread.scheme == str(neardup.plan_scheme())


@pytest.mark.parametrize("id_field", ["key", None])
def test_files_are_read_in_parts(
    id_field: str | None, spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Large files of lines are read in parts, bad records are left out, and the session keeps what a result needs.

    The policy uses all fields, and the digest is computed part by part.
    """
    folder, docs = tmp_path / "in", [*ALL, *common_keys(700)]
    folder.mkdir()
    for number in range(3):
        lines = [json.dumps({"key": doc.id, "text": doc.text, "time": doc.time}) for doc in docs[number::3]]
        lines[4:4] = ['{"key": "bad", "txt": "b"}', '{"key": "bad", "text": 3}'] if number == 1 else []
        ends = ["\n\n" if place % 5 else "\r\n" for place in range(len(lines))]
        text = "\ufeff" * (number == 1) + "".join(map("".join, zip(lines, ends, strict=True)))
        (folder / f"{number}.jsonl").write_text(text, encoding="utf-8", newline="")
    monkeypatch.setattr("neardup.spread.run.HOME", (folder / "0.jsonl").stat().st_size // 3)
    options: dict[str, Any] = {
        "id_field": id_field,
        "time_field": "time",
        "prefer": [f"key={ALL[9].id}", "key^=korean/"],
    }
    options |= {"keep": "earliest", "scheme": COMMON, "on_error": "skip"}
    local = neardup.dedup(str(folder), output=tmp_path / "local", **options)
    before = files_left(spark, 0)
    engine = SparkEngine(spark)
    spread = neardup.dedup(str(folder), output=tmp_path / "spread", engine=engine, **options)
    frame = frame_of(spread, spark)
    compare(spread, local)
    counts = spread.summary["counts"]
    assert (counts["documents"], counts["rejected"]) == (len(docs), 2)
    assert spread._result.table("decisions").frame.rdd.getNumPartitions() > 1
    assert read_parts(tmp_path / "spread" / "rejects.jsonl") == read_jsonl(tmp_path / "local" / "rejects.jsonl")
    kept = {path.name: path.read_bytes() for path in (tmp_path / "local" / "kept").iterdir()}
    parts = {path.name: sorted(path.iterdir()) for path in (tmp_path / "spread" / "kept").iterdir()}
    assert all(len(of_file) > 1 for of_file in parts.values())
    assert {name: b"".join(part.read_bytes() for part in of_file) for name, of_file in parts.items()} == kept
    del spread
    check_released(frame, before, spark)


def test_a_bad_record_is_named(spark: Any, tmp_path: Path) -> None:
    path = bad_records(tmp_path)
    with pytest.raises(DataError) as local:
        neardup.dedup(str(path))
    with pytest.raises(DataError) as spread:
        neardup.dedup(str(path), engine=SparkEngine(spark))
    assert str(spread.value) == str(local.value)


@pytest.mark.deep("large files have records that are left out, too")
def test_bad_records_are_left_out(spark: Any, tmp_path: Path) -> None:
    path, engine = bad_records(tmp_path), SparkEngine(spark)
    result = neardup.dedup(str(path), engine=engine, on_error="skip", output=tmp_path / "out")
    assert result.summary["counts"]["rejected"] == 2
    neardup.dedup(str(path), on_error="skip", output=tmp_path / "local")
    assert read_parts(tmp_path / "out" / "rejects.jsonl") == read_jsonl(tmp_path / "local" / "rejects.jsonl")


def read_parts(folder: Path) -> list[Any]:
    """Return the rows of a file that many tasks wrote."""
    return [row for part in sorted(folder.iterdir()) for row in read_jsonl(part)]


def bad_records(folder: Path) -> Path:
    """Write a file with two bad records."""
    path = folder / "docs.jsonl"
    path.write_text('{"text": "a"}\n\n{"txt": "b"}\n{"text": 3}\n', encoding="utf-8")
    return path


def test_records_that_cannot_be_written_again_are_left_out(spark: Any, tmp_path: Path) -> None:
    """The records have a damaged column that is not compared; without kept files they are documents."""
    path = tmp_path / "docs.parquet"
    table = pa.table({"text": [doc.text for doc in ALL], "number": range(len(ALL))})
    pq.write_table(table, path, row_group_size=len(ALL) // 2 + 1)
    damage_chunk(path, 1, 1)
    for no_kept in (False, True):
        results = []
        for engine, name in ((None, "local"), (SparkEngine(spark), "spread")):
            output = tmp_path / f"{name}-{no_kept}"
            result = neardup.dedup(str(path), engine=engine, output=output, on_error="skip", no_kept=no_kept)
            results.append(result)
            assert (output / "kept").exists() != no_kept
        local, spread = results
        assert spread.summary["records"] == local.summary["records"]
        assert (spread.summary["counts"]["rejected"] == 0) == no_kept
        assert spread.digest == local.digest


def test_options_that_spark_lacks_are_refused(spark: Any) -> None:
    engine = SparkEngine(spark)
    with pytest.raises(UsageError, match="threads"):
        neardup.cluster(table_of(ALL), engine=engine, threads=2)
    reference: dict[str, Any] = {"against": table_of(ALL[:3])}
    alone: list[dict[str, Any]] = [
        {"group_field": "key"},
        # as on one machine, an empty name is no name that is missing
        {"group_field": ""},
        {"min_tokens": 3},
        {"one_per": "component"},
        *(reference | {name: value} for name, value in (("only_against", True), ("against_text_field", "body"))),
        *(reference | {f"against_{name}_field": name} for name in ("html", "id", "time")),
    ]
    for options in alone:
        with pytest.raises(UsageError, match=f"{list(options)[-1]} is not known on Spark"):
            neardup.dedup(table_of(ALL), engine=engine, **options)
    for options in ({"write_dropped": True}, {"keep_per_duplicate": 0}, {"add_fields": "group_size"}):
        with pytest.raises(UsageError, match=f"{list(options)[-1]} is an option of one machine"):
            neardup.dedup(table_of(ALL), engine=engine, **options)
    for keep in ("highest:score", "lowest:score"):
        with pytest.raises(UsageError, match="keep by a number"):
            neardup.cluster(table_of(ALL), engine=engine, keep=keep)
    for field in ("doc.text", "turns[].text", "title+body"):
        with pytest.raises(DataError, match="there is no field") as refused:
            neardup.dedup(spark.createDataFrame(table_of(ALL)), id_field="id", text_field=field)
        assert field in str(refused.value)
    # A default that is stated is no option that Spark lacks.
    assert neardup.dedup(table_of(ALL), engine=engine, one_per="leader").digest
    with pytest.raises(UsageError, match="forest"):
        neardup.cluster(table_of(ALL), engine=engine, forest=True)
    with pytest.raises(UsageError, match="id_field"):
        neardup.dedup(spark.createDataFrame(table_of(ALL)))


@pytest.mark.deep("several passes have a lexicon and capped keys, too")
@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("name", ["i-match-randomised", "broder-resemblance", "henzinger", "exact-join"])
def test_capped_keys_and_lexicons(verb: Any, name: str, spark: Any) -> None:
    """Capped keys and lexicons depend on all documents."""
    scheme = str(find_named(name)).replace("cap=1000 ", "cap=2 ").replace("cap=10000 ", "cap=2 ")
    result = check_same(verb, table_of(ALL), SparkEngine(spark), scheme=scheme)
    assert bool(result.summary["capped"]) == ("cap=2" in scheme)


@pytest.mark.deep("several passes have a number that decides, too")
@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("name", ["simhash", "broder-resemblance", "levenshtein"])
def test_the_deciding_value(verb: Any, name: str, spark: Any) -> None:
    """The value is that of the compared documents, also for their copies."""
    lines = {"levenshtein": "words | shingles:2 | whole | prefix:0.5 | resemblance>=0.5 & levenshtein:chars<=300"}
    result = check_same(verb, table_of(ALL), SparkEngine(spark), scheme=lines.get(name) or str(find_named(name)))
    for table in {"decisions", "pairs"} & set(result._result.tables):
        assert "value" in result._result.table(table).column_names


def test_files_of_a_scheme_are_found_from_the_folder_of_the_driver(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tasks run in another folder, the one in which the session started."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "list").write_text("antecedents: the a 的 은\nstops: of\n", encoding="utf-8")
    of_spots = "words | spots:2,1 antecedents=file:list | minhash:60 | bands:20x3 | resemblance>=0.5"
    of_terms = "words | terms:0.1,0.9 weight=idf:{} | lexicons:4 | each | equal & resemblance>=0.5"
    neardup.build_lexicon(map(neardup.Document, [doc.text for doc in DOCS]), "counts", scheme=of_terms.format("corpus"))
    for scheme in (of_spots, of_terms.format("counts")):
        check_same(neardup.dedup, table_of(DOCS), SparkEngine(spark), scheme=scheme)


@pytest.mark.parametrize("verb", VERBS[::-1])
def test_several_passes(verb: Any, spark: Any) -> None:
    """The first pass counts terms; the second has capped keys and leaves frames out.

    The frame of a large host is found from a sample.
    """
    pages = {doc.id: doc for doc in [*ALL, *(Doc(f"page {number}", text, None) for number, text in enumerate(menus()))]}
    urls = [f"https://{'large' if name.startswith('page') else 'small'}.example/{name}" for name in pages]
    table = table_of(list(pages.values())).append_column("url", pa.array(urls))
    scheme = (
        f"{find_named('i-match-randomised')}"
        " ; words | shingles:2 frame=0.3 | minhash:60 | bands:20x3 cap=2 | resemblance>=0.5 & lcs:words>=0.1"
    )
    local = verb(table, scheme=scheme, url_field="url")
    result = verb(table, scheme=scheme, url_field="url", engine=SparkEngine(spark))
    compare(result, local)
    assert result.summary["capped"]
    assert [one["lexicon"] for one in result.summary["passes"]] == [one["lexicon"] for one in local.summary["passes"]]
    frames = [one["frame"] for one in result.summary["passes"]]
    assert frames == [None, len(MENU.split()) - 1]
    assert frames == [one["frame"] for one in local.summary["passes"]]


MENU = "one menu of many words that stands on all pages"


def menus() -> list[str]:
    """Return pages of a host with a menu, more than the sample takes."""
    random = Random(3)
    return [f"{MENU} {' '.join(random.choices([f'w{word}' for word in range(5000)], k=20))}" for _ in range(600)]


def test_a_reference_of_families_of_many_tasks(spark: Any) -> None:
    """Lists of pairs need whole families, with copies and capped keys."""
    chain = [Doc(f"chain {number:02}", f"c{number} c{number + 1} c{number + 2}", None) for number in range(30)]
    against = [*ALL[::3], ALL[1], ALL[1]._replace(id="again"), *chain[::3]]
    docs = [*ALL, *(doc for number, doc in enumerate(chain) if number % 3)]
    result = check_same(
        neardup.find_pairs,
        table_of(docs),
        SparkEngine(spark, family=8),
        scheme="words | shingles:1 | whole | prefix:0.3 cap=3 | resemblance>=0.3",
        max_family=3,
        against=table_of(against),
    )
    assert result.summary["stars"]
    assert result.summary["capped"]
    # Each document of the chain is near its neighbour in the reference, except the last one.
    rows = [int(left.partition(":")[2]) for left in result.pairs.column("left")]
    assert [row for row in rows if row > len(ALL)] == list(range(len(ALL) + 1, len(docs)))


@pytest.mark.deep("a reference has families of many tasks, too")
@pytest.mark.parametrize("id_field", [None, "id"])
@pytest.mark.parametrize(("verb", "max_family"), [*product(VERBS[:0:-1], [3, None]), (neardup.dedup, None)])
def test_a_reference(verb: Any, max_family: int | None, id_field: str | None, spark: Any) -> None:
    options: dict[str, Any] = {
        "against": table_of([*ALL[::3], ALL[1], ALL[1]._replace(id="again")]),
        "threshold": "0.5",
    }
    options |= {} if max_family is None else {"max_family": max_family}
    check_same(verb, table_of(ALL), SparkEngine(spark), id_field=id_field, **options)


@pytest.mark.deep("`earliest` is the policy of documents of all kinds")
@pytest.mark.parametrize("keep", ["latest", "longest", "shortest"])
def test_policies(keep: Any, spark: Any) -> None:
    check_same(neardup.dedup, table_of(ALL), SparkEngine(spark), keep=keep, **CHOSEN)


@pytest.mark.deep("a reference has large families, too")
@pytest.mark.parametrize("verb", [neardup.cluster, neardup.find_pairs])
def test_large_families(verb: Any, spark: Any) -> None:
    check_same(verb, table_of(ALL), SparkEngine(spark), threshold="0.5", max_family=3)


@pytest.mark.parametrize("verb", [VERBS[0], *VERBS[:0:-1]])
@pytest.mark.parametrize("against", [False, True])
def test_families_of_many_tasks(against: bool, verb: Any, spark: Any) -> None:
    """Large families are decided in blocks, each compared with the leaders of the earlier ones."""
    engine, options = (
        SparkEngine(spark, family=5),
        {"scheme": "words | shingles:1 | whole | prefix:0.3 | resemblance>=0.3"},
    )
    random = Random(3)
    docs = [Doc(f"{number:02}", " ".join(random.choices("abcdefgh", k=5)), random.randrange(9)) for number in range(40)]
    if against:
        both = {"pairs": True} if verb is neardup.cluster else {}
        check_same(verb, table_of(docs), engine, **options, **both, against=table_of(docs[::3]))
    else:
        check_same(verb, table_of(docs), engine, **options, id_field="id", time_field="time", keep="latest")


@pytest.mark.deep("capped keys keep families of a reference whole, too")
@pytest.mark.parametrize("verb", VERBS[::-1])
@pytest.mark.parametrize("cap", [2, 5])
def test_capped_keys_keep_a_family_whole(verb: Any, cap: int, spark: Any) -> None:
    scheme = f"words | shingles:2 | minhash:8 | bands:4x2 cap={cap} | resemblance>=0.3"
    result = check_same(verb, table_of(ALL), SparkEngine(spark, family=3), scheme=scheme)
    assert result.summary["capped"]


@pytest.mark.deep("files have documents of common keys, too")
@pytest.mark.parametrize("verb", VERBS)
def test_common_keys_are_replaced_in_every_task(verb: Any, spark: Any) -> None:
    """Every pair of a common key is found, even if a task has only few of its documents."""
    result = check_same(verb, table_of(common_keys(1400)), SparkEngine(spark, family=400), scheme=COMMON)
    assert result.summary["counts"]["documents"] == 1400


COMMON = "words | shingles:1 | minhash:4 | bands:2x2 | resemblance>=0.92"


def common_keys(count: int) -> list[Doc]:
    """Return documents that all share a key, in families of three, with various times or none."""
    random, block = Random(7), " ".join(f"block{number}" for number in range(200))
    docs = []
    for number in range(count):
        words = [f"w{number // 3}.{place}" for place in range(12)] + [f"own{number}.{place}" for place in range(8)]
        text = f"{block} {' '.join(random.sample(words, 20))}"
        docs.append(Doc(f"{number:04}", text, number * 7919 % 1000 if number % 5 else None))
    return docs


@pytest.mark.parametrize("verb", VERBS)
def test_a_file_that_changes_during_a_run_is_an_error(
    spark: Any, verb: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "docs.jsonl"
    write_jsonl(path, DOCS)

    tallies = KeptSteps.tallies

    def tally_late(steps: KeptSteps, name: str) -> list[bytes]:
        with path.open("ab") as file:
            file.write(b'{"text": "one more"}\n')
        return tallies(steps, name)

    with monkeypatch.context() as patch:
        patch.setattr(KeptSteps, "tallies", tally_late)
        with pytest.raises(neardup.NeardupError, match=r"docs\.jsonl: the file changed"):
            verb(path, output=tmp_path / "out", engine=SparkEngine(spark))
    assert not (tmp_path / "out").exists()
    verb(path, output=tmp_path / "out", engine=SparkEngine(spark))
    assert (tmp_path / "out").exists()
