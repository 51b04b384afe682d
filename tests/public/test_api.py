"""The Python API: inputs, results, errors, and the modules that an import loads."""

import math
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import polars
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

import neardup
from command import PATIENCE
from neardup import DataError, Document, UsageError, _core
from neardup.public import PUBLIC, homes, moved
from oracle import Doc
from records import write_jsonl, write_records
from texts import corpus

TEXTS = [
    "the ferry leaves the long stone quay at seven and comes back at noon on market days",
    "The ferry leaves the long stone quay at seven, and comes back at noon on market days!",
    "nobody has ever counted the steps between the harbour and the lighthouse",
]


@pytest.mark.parametrize("place", PUBLIC)
def test_public_names_are_there(place: str) -> None:
    package = import_module(place)
    assert package.__all__ == sorted(package.__all__)
    for name, home in homes(place).items():
        assert name in package.__all__
        assert getattr(package, name) is getattr(import_module(f"neardup.{home}"), name)
    with pytest.raises(AttributeError, match=f"'{place}' has no attribute 'nonsense'"):
        package.nonsense  # noqa: B018


def test_the_root_has_few_names() -> None:
    assert dir(neardup) == neardup.__all__
    assert len(neardup.__all__) <= 31
    assert neardup.classics is import_module("neardup.classics")
    assert neardup.sweeps is import_module("neardup.sweeps")


def test_names_that_moved_keep_working() -> None:
    for name, place in moved():
        with pytest.warns(DeprecationWarning, match=rf"use {place}\.{name}: the next release has no neardup\.{name}"):
            found = getattr(neardup, name)
        assert found == getattr(import_module(place), name) or name.endswith("Options")
    with pytest.warns(DeprecationWarning, match="use neardup.options.typed.DedupOptions"):
        assert {"no_kept", "threads"} <= neardup.DedupOptions.__annotations__.keys()  # type: ignore[attr-defined]


def test_import_loads_few_modules() -> None:
    code = "import sys; before = {*sys.modules}; import neardup; print(*{*sys.modules} - before)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    modules = set(done.stdout.split())
    assert not {"click", "rich", "numpy", "pyarrow", "polars", "resiliparse", "warcio"} & modules
    assert not {"inspect", "json", "pathlib", "dataclasses"} & modules
    assert {name for name in modules if name.startswith("neardup.")} == {"neardup.public"}


def frame_of(docs: list[Doc]) -> dict[str, list[Any]]:
    return {"id": [doc.id for doc in docs], "text": [doc.text for doc in docs], "more": list(range(len(docs)))}


class Stream:
    """An Arrow stream that is not a table of any library."""

    def __init__(self, table: pa.Table) -> None:
        self.table = table

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)


TABLES: dict[str, Callable[[list[Doc]], Any]] = {
    "pyarrow": lambda docs: pa.table(frame_of(docs)),
    "pyarrow in pieces": lambda docs: pa.concat_tables(
        [pa.table(frame_of(docs)).slice(0, 9), pa.table(frame_of(docs)).slice(9)]
    ),
    "large strings": lambda docs: pa.table(frame_of(docs)).cast(
        pa.schema({"id": pa.large_string(), "text": pa.large_string(), "more": pa.int64()})
    ),
    "string views": lambda docs: pa.table(frame_of(docs)).cast(
        pa.schema({"id": pa.string_view(), "text": pa.string_view(), "more": pa.int64()})
    ),
    "record batch reader": lambda docs: pa.table(frame_of(docs)).to_reader(7),
    "polars": lambda docs: polars.DataFrame(frame_of(docs)),
    "any stream": lambda docs: Stream(pa.table(frame_of(docs))),
}


@pytest.mark.parametrize("name", TABLES)
def test_tables(name: str) -> None:
    docs = corpus("mixed", 12)
    documents = neardup.dedup([Document(doc.text, doc.id) for doc in docs])
    result = neardup.dedup(TABLES[name](docs), id_field="id")
    assert result.digest == documents.digest
    kept = pa.table(result.kept)
    assert kept.column_names == ["id", "text", "more"]
    assert kept["more"].to_pylist() == result.kept_rows == documents.kept_rows
    assert polars.DataFrame(result.decisions).height == len(docs) == len(result.decisions)


def test_a_reader_may_ask_for_other_types() -> None:
    found = neardup.dedup(pa.table({"text": TEXTS})).decisions
    own = pa.table(found)
    place = own.schema.get_field_index("id")
    wanted = own.schema.set(place, pa.field("id", pa.large_string()))
    table = pa.RecordBatchReader.from_stream(found, wanted).read_all()
    assert table.schema == wanted
    assert table.to_pylist() == own.to_pylist()
    with pytest.raises(pa.ArrowInvalid, match=f"there are {own.num_columns} columns; the schema asked for has 1"):
        pa.RecordBatchReader.from_stream(found, pa.schema([wanted.field(0)])).read_all()


def test_integer_ids_are_their_decimals() -> None:
    result = neardup.dedup(pa.table({"n": [10, 9, 8], "text": TEXTS}), id_field="n")
    assert result.decisions.column("id") == ["10", "9", "8"]


def test_documents_and_texts(tmp_path: Path) -> None:
    assert neardup.dedup(TEXTS).kept == [TEXTS[0], TEXTS[2]]
    documents = [Document(text, id=str(9 - n), time=f"20{n:02}-01-01") for n, text in enumerate(TEXTS)]
    assert neardup.dedup(documents).kept == [documents[0], documents[2]]
    assert neardup.dedup(documents, keep="latest").kept == [documents[1], documents[2]]
    nothing: list[str] = []
    assert neardup.dedup(nothing).kept == []
    assert neardup.dedup(iter(TEXTS)).kept == [TEXTS[0], TEXTS[2]]
    assert neardup.find_pairs(TEXTS).pairs.column("rule") == ["lexical"]
    assert sorted(neardup.cluster(TEXTS).clusters.column("size")) == [1, 2, 2]


def test_prefer_by_source_of_documents() -> None:
    documents = [Document(text, source=source) for text, source in zip(TEXTS, ("web", "books", "web"), strict=True)]
    assert neardup.dedup(documents, prefer="source=books,web").kept == documents[1:]


@pytest.mark.parametrize("spelling", ["true", "True", "TRUE"])
@pytest.mark.parametrize("name", ["docs.jsonl", "docs.csv", "docs.parquet"])
def test_preferred_booleans_are_found_in_any_spelling(tmp_path: Path, name: str, spelling: str) -> None:
    rows = [{"id": str(at), "text": TEXTS[0], "public": at == 1} for at in range(3)]
    if name.endswith("jsonl"):
        write_records(tmp_path / name, rows)
    elif name.endswith("csv"):
        lines = [f"{row['id']},{row['text']},{row['public']}\n" for row in rows]
        (tmp_path / name).write_text("id,text,public\n" + "".join(lines), encoding="utf-8")
    else:
        parquet.write_table(pa.Table.from_pylist(rows), tmp_path / name)
    found = neardup.dedup(str(tmp_path / name), id_field="id", prefer=f"public={spelling}")
    assert found.decisions.column("original") == ["1"] * 3
    assert not any("no record has" in note for note in found.summary["notes"])


def test_preferred_values_that_no_record_has_are_reported(tmp_path: Path) -> None:
    rows = [{"text": text, "split": split} for text, split in zip(TEXTS, ["train", "test", "train"], strict=True)]
    path = str(write_records(tmp_path / "docs.jsonl", rows))
    notes = neardup.dedup(path, prefer="split=Test,train,dev").summary["notes"]
    assert 'no record has `Test`, `dev` in the field "split" (prefer)' in notes
    assert not any("no record has" in note for note in neardup.dedup(path, prefer="split=test").summary["notes"])


def test_milliseconds_are_not_taken_as_seconds(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"id": str(at), "text": text, "time": 1_577_836_800 + at} for at, text in enumerate(TEXTS)
    ]
    rows[1]["time"] = 1_577_836_800_000
    write_records(tmp_path / "docs.jsonl", rows)
    parquet.write_table(pa.Table.from_pylist(rows), tmp_path / "docs.parquet")
    for name, place in (("docs.jsonl", "line 2"), ("docs.parquet", "row 2")):
        with pytest.raises(DataError, match=rf"{name}.*{place}.*1577836800000 is after the year 9999.*milliseconds"):
            neardup.dedup(str(tmp_path / name), id_field="id", time_field="time", keep="latest")
    with pytest.raises(DataError, match="milliseconds"):
        neardup.dedup([Document(row["text"], row["id"], time=row["time"]) for row in rows])


def test_files(tmp_path: Path) -> None:
    docs = corpus("english", 12)
    path = write_jsonl(tmp_path / "docs.jsonl", docs)
    for given in (path, str(path), [path], (path,)):
        result = neardup.dedup(given, id_field="id")
        assert result.kept is None
        assert len(result.decisions) == len(docs)
    result = neardup.dedup(path, id_field="id", output=tmp_path / "out")
    assert result.kept == tmp_path / "out" / "kept"
    assert result.output == tmp_path / "out"
    assert len(result.decisions) == len(docs)
    assert result.json == (tmp_path / "out" / "run.json").read_text(encoding="utf-8")


def test_tables_and_texts_with_an_output_folder(tmp_path: Path) -> None:
    frame = polars.DataFrame({"text": TEXTS, "more": [1, 2, 3]})
    result = neardup.dedup(frame, output=tmp_path / "frame")
    assert polars.DataFrame(result.kept)["more"].to_list() == [1, 3]
    assert result.decisions.column("verdict") == ["keep", "drop", "keep"]
    assert neardup.dedup(TEXTS, output=tmp_path / "texts").kept == [TEXTS[0], TEXTS[2]]
    assert neardup.find_pairs(TEXTS, output=tmp_path / "pairs").pairs.column("rule") == ["lexical"]
    names = sorted(path.name for path in (tmp_path / "texts").iterdir())
    assert names == [".neardup", "decisions.parquet", "report.html", "run.json"]


def test_read(tmp_path: Path) -> None:
    docs = corpus("mixed", 13)
    path = write_jsonl(tmp_path / "docs.jsonl", docs)
    found = list(neardup.read(path, id_field="id", time_field="time"))
    assert [(doc.id, doc.text, doc.time) for doc in found] == [(doc.id, doc.text, doc.time) for doc in docs]
    assert [doc.row for doc in found] == list(range(1, len(docs) + 1))
    assert [doc.text for doc in neardup.read([str(path)])] == [doc.text for doc in docs]
    reader = neardup.read(path)
    assert next(reader).text == docs[0].text
    del reader
    with path.open("ab") as file:
        file.write(b"broken\n")
    with pytest.raises(neardup.DataError, match=f"line {len(docs) + 1}"):
        list(neardup.read(path))
    assert len(list(neardup.read(path, on_error="skip"))) == len(docs)


WRONG: list[tuple[Callable[[], object], str]] = [
    (lambda: neardup.dedup(3), "int"),  # type: ignore[call-overload]
    (lambda: neardup.dedup([3]), "item 1 is int"),  # type: ignore[list-item]
    (lambda: neardup.dedup([TEXTS[0], Document("a")]), "item 2"),  # type: ignore[list-item]
    (lambda: neardup.dedup(TEXTS, thresold=1), "threshold"),  # type: ignore[call-overload]
    (lambda: neardup.dedup(TEXTS, threshold="high"), "high"),
    (lambda: neardup.dedup(TEXTS, threshold=True), "bool"),
    (lambda: neardup.dedup(TEXTS, keep="best"), "earliest"),
    (lambda: neardup.dedup(TEXTS, scheme="words"), "words"),
    (lambda: neardup.dedup(TEXTS, scheme="words", recall="exact"), "there is no scheme 'words'"),
    (lambda: neardup.dedup(pa.table({"body": TEXTS})), "body"),
    (lambda: neardup.dedup(pa.table({"text": [1, 2]})), "text"),
    (lambda: neardup.dedup(TEXTS, prefer="language=ko"), "language"),
    (lambda: neardup.explain("a", "b", scheme="simhash", threshold=1), "threshold"),
    (lambda: neardup.Scheme("words | shingles:0 | whole | prefix:auto | resemblance>=0.5"), "shingles"),
    (lambda: neardup.plan_scheme(0), "0"),
    (lambda: neardup.find_pairs(TEXTS).pairs.column("colour"), "left"),
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_wrong_use_names_what_is_allowed(number: int) -> None:
    call, word = WRONG[number]
    with pytest.raises(neardup.NeardupError, match=word):
        call()


def test_names_of_files_are_not_taken_for_texts(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "docs.jsonl", corpus("english", 1))
    with pytest.raises(UsageError, match="Path"):
        neardup.dedup([str(path)])


def test_bad_rows_of_tables() -> None:
    table = pa.table({"text": ["a b c", "no id", "d e f"], "id": ["1", None, "3"]})
    with pytest.raises(neardup.DataError, match="row 2"):
        neardup.dedup(table, id_field="id")
    result = neardup.dedup(table, id_field="id", on_error="skip")
    assert result.summary["counts"]["rejected"] == 1
    assert result.kept["text"].to_pylist() == ["a b c", "d e f"]
    assert result.kept_rows == [0, 2]
    blank = neardup.dedup(pa.table({"text": ["a b c", None, "d e f"]}))
    assert (blank.summary["counts"]["rejected"], blank.summary["counts"]["without_text"]) == (0, 1)
    assert blank.kept["text"].to_pylist() == ["a b c", None, "d e f"]
    with pytest.raises(neardup.DataError, match="same"):
        neardup.dedup([Document("a", id="same"), Document("b", id="same")])
    with pytest.raises(neardup.NeardupError, match=r"document 2: .* id"):
        neardup.dedup([Document("a", id="x"), Document("b")])


def test_times_as_numbers_and_as_texts() -> None:
    times: list[int | str | None] = [1, "1970-01-01T00:00:00.5Z", None, "1970"]
    documents = [Document("a b c", id=str(number), time=time) for number, time in enumerate(times)]
    assert neardup.dedup(documents).decisions.column("original") == ["3"] * 4
    assert neardup.dedup(documents[:3]).decisions.column("original") == ["1"] * 3
    with pytest.raises(neardup.DataError, match=str(2**62)):
        neardup.dedup([Document("a", time=2**62), Document("b", time="2020")])


def test_a_time_with_a_fraction_is_read_as_text(tmp_path: Path) -> None:
    times = ["1970-01-01T00:00:01.25Z", "1970-01-01T01:00:02+01:00", 3, None]
    path = write_records(tmp_path / "docs.jsonl", ({"text": "a b c", "time": time} for time in times))
    documents = list(neardup.read(path, time_field="time"))
    assert [document.time for document in documents] == ["1970-01-01T00:00:01.25Z", 2, 3, None]
    assert neardup.dedup(documents).kept == documents[:1]


def test_progress_is_reported() -> None:
    reported: list[tuple[str, int, int, int]] = []
    neardup.dedup(TEXTS, progress=lambda *step: reported.append(step))
    assert reported[-1][3] == len(TEXTS)
    neardup.dedup(
        [f"{text} {n}" for n in range(20_000) for text in TEXTS], progress=lambda *step: reported.append(step)
    )
    assert all(done <= total or total == 0 for _, done, total, _ in reported)


def test_an_error_of_the_progress_function_is_raised() -> None:
    def stop(*step: Any) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        neardup.dedup(TEXTS, progress=stop)


def test_an_error_of_the_progress_function_is_raised_when_the_work_is_done(tmp_path: Path) -> None:
    table = pa.table({"text": TEXTS})

    def wait_in_reading() -> Iterator[pa.RecordBatch]:
        time.sleep(0.5)
        yield from table.to_batches()

    def outlast(*step: Any) -> None:
        deadline = time.monotonic() + PATIENCE
        while not (tmp_path / "out").exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        raise LookupError("too late")

    reader = pa.RecordBatchReader.from_batches(table.schema, wait_in_reading())
    with pytest.raises(LookupError, match="too late"):
        neardup.dedup(reader, progress=outlast, output=tmp_path / "out")
    assert (tmp_path / "out" / "run.json").exists()


def test_schemes_are_values() -> None:
    scheme = neardup.Scheme("words | shingles:5 | minhash:auto | bands:auto | resemblance>=4/5")
    assert str(scheme) == str(neardup.plan_scheme(0.8))
    assert (scheme.bands, scheme.threshold, scheme.verified) == ((16, 6), "0.8", True)
    contained = neardup.Scheme("words | shingles:5 | minhash:96 | bands:16x6 | containment>=0.8")
    assert contained.notes
    assert contained.bands == scheme.bands
    assert _core.curve(str(contained), 11) == _core.curve(str(scheme), 11)
    exact = neardup.plan_scheme(0.8, "exact")
    assert exact.bands is None
    assert _core.curve(str(exact), 11) == []
    points = _core.curve(str(scheme), 11)
    assert [round(at, 6) for at, _ in points] == [n / 10 for n in range(11)]
    assert points[0][1] == 0
    assert points[8][1] == pytest.approx(1 - (1 - 0.8**6) ** 16)


def test_pairs_that_share_no_feature() -> None:
    """Keys of features do not propose them, as a note says; blocks of bits do, and `explain` agrees with both."""
    texts = ["the ferry leaves at seven", "nobody counted steps", "alpha beta gamma delta", "one two three four five"]

    def found(scheme: str) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
        pairs = neardup.find_pairs(texts, scheme=scheme).pairs
        listed = list(zip(pairs.column("left"), pairs.column("right"), strict=True))
        every = [(left, right) for right in range(4) for left in range(right)]
        explained = [
            (left, right) for left, right in every if neardup.explain(texts[left], texts[right], scheme=scheme).rule
        ]
        return listed, sorted((f"1:{left + 1}", f"1:{right + 1}") for left, right in explained)

    near = "words | shingles:1 | whole | each | levenshtein:words<=5"
    assert found(near) == ([], [])
    assert neardup.explain(texts[0], texts[1], scheme=near, measures=["levenshtein:words"]).measures == {
        "levenshtein:words": 5
    }
    assert "share none" in neardup.Scheme(near).notes[0]
    listed, explained = found("words | shingles:1 | simhash:64 | blocks:31 | hamming<=31")
    assert listed == explained != []


def test_explain() -> None:
    evidence = neardup.explain(Document(TEXTS[0]), TEXTS[1])
    assert (evidence.rule, evidence.resemblance) == ("lexical", 1)
    assert neardup.explain(TEXTS[0], TEXTS[0]).rule == "identical"
    assert neardup.explain("", "").rule is None
    assert neardup.explain("!!!", "!!!").rule == "identical"
    korean = [
        "작은 도서관은 아침 아홉 시에 문을 열고 저녁에 닫습니다",
        "오늘 작은 도서관은 아침 아홉 시에 문을 열고 저녁에 닫습니다",
    ]
    evidence = neardup.explain(*korean)
    [passage] = evidence.passages
    for side, text in zip((passage.left, passage.right), korean, strict=True):
        assert text.encode()[slice(*side.bytes)].decode() == text[slice(*side.chars)] == korean[0]
    assert evidence.left_covered == evidence.left_tokens == passage.tokens
    rebuilt = "".join(change.text for change in evidence.changes if change.kind != "added")
    assert rebuilt == korean[0]


def test_explain_returns_the_value_that_decides() -> None:
    left = " ".join(f"word{number}" for number in range(60))
    right = left.replace("word30 ", "mill ")

    def conditions(scheme: str) -> list[neardup.results.Condition]:
        return neardup.explain(left, right, scheme=scheme).conditions

    bits = "words | shingles:3 | simhash:64 | blocks:{0},single | hamming<={0}"
    [(test, differing, holds)] = conditions(bits.format(20))
    assert (test, holds) == ("hamming<=20", True)
    assert differing is not None
    assert 0 < differing == int(differing)
    # the same number decides, bit by bit
    assert [holds for most in (differing - 1, differing) for _, _, holds in conditions(bits.format(int(most)))] == [
        False,
        True,
    ]
    both = "words | shingles:5 | minhash:84 + projection:384 of=words weight=tf | bands:6x14 match=2 | "
    [(_, none, _), (test, agree, holds)] = conditions(both + "equal & agree>=355")
    assert (none, test, holds) == (None, "agree>=355", True)
    assert agree is not None
    [_, (_, cosine, _)] = conditions(both + "equal & ~cosine>=0.97")
    assert cosine == pytest.approx(math.cos(math.pi * (1 - agree / 384)))
    [(_, estimate, _), (_, exact, _)] = conditions(
        "words | shingles:5 | minhash:84 | bands:6x14 | ~resemblance>=0.5 & resemblance>=0.9"
    )
    assert exact == pytest.approx(51 / 61)
    assert estimate != exact
    assert estimate == pytest.approx(exact, abs=0.2)


def test_explain_of_texts_without_features() -> None:
    none = neardup.explain("!?", "?!")
    assert (none.resemblance, none.left_in_right, none.right_in_left) == (None, None, None)
    assert none.conditions == [neardup.results.Condition("resemblance>=0.8", None, False)]
    one = neardup.explain("!?", "a lamp")
    assert (one.resemblance, one.left_in_right, one.right_in_left) == (0, None, 0)


@pytest.mark.parametrize(
    ("verb", "option"),
    [
        (neardup.dedup, {"passages": True}),
        (neardup.dedup, {"pairs": True}),
        (neardup.dedup, {"max_family": 3}),
        (neardup.cluster, {"no_kept": True}),
        (neardup.cluster, {"passages": True}),
        (neardup.find_pairs, {"index": True}),
        (neardup.find_pairs, {"forest": True}),
        (neardup.read, {"threshold": 0.9}),
        (neardup.read, {"memory": "1G"}),
    ],
)
def test_a_verb_refuses_the_options_of_others(verb: Callable[..., object], option: dict[str, object]) -> None:
    with pytest.raises(UsageError, match=f"there is no option '{next(iter(option))}'; there are .*on_error"):
        verb(["a text"], **option)
