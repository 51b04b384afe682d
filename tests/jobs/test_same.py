"""The results do not depend on threads, chunks, memory, or the form of the input."""

import csv
import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from command import run_neardup, run_process
from neardup import _core
from oracle import Doc
from records import read_rows
from texts import LANGUAGES, corpus

DOCS = [doc._replace(id=f"{language}/{doc.id}") for language in LANGUAGES for doc in corpus(language, 2)]
BUDGETS: list[dict[str, Any]] = [
    {"threads": 1},
    {"threads": 2},
    {"threads": 5, "chunk": 4096},
    {"threads": 2, "chunk": 65_536},
    {"threads": 2, "memory": 64 << 20},
    {"threads": 1, "chunk": 4096, "memory": 64 << 20},
]
RECORDS = [{"id": doc.id, "text": doc.text, "time": doc.time, "note": [1, {"a": "\u2028"}]} for doc in DOCS]
LINES = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in RECORDS).encode()


@pytest.mark.parametrize("recall", ["0.99", "exact"])
@pytest.mark.parametrize("verb", ["dedup", "cluster", "pairs"])
def test_the_digest_does_not_depend_on_the_machine(verb: Any, recall: str, tmp_path: Path) -> None:
    path = tmp_path / "docs.jsonl"
    path.write_bytes(LINES)
    fields: dict[str, Any] = {"id_field": "id", "time_field": "time", "recall": recall}
    runs: list[Any] = [{**fields, **budget} for budget in BUDGETS]
    digests = {json.loads(_core.run(verb, [str(path)], options).summary)["digest"] for options in runs}
    assert len(digests) == 1


@pytest.mark.parametrize("verb", ["dedup", "cluster", "pairs"])
def test_several_kinds_of_keys_find_the_pairs_of_each(verb: Any, tmp_path: Path) -> None:
    """Pairs that a capped kind of keys misses are found by another kind, with any number of threads."""
    path = tmp_path / "docs.jsonl"
    path.write_bytes(LINES)

    def digest(keys: str, options: dict[str, Any]) -> str:
        line = f"words | shingles:5 | whole | {keys} | resemblance>=0.8"
        fields: Any = {"id_field": "id", "time_field": "time", "scheme": line, **options}
        return str(json.loads(_core.run(verb, [str(path)], fields).summary)["digest"])

    capped = "lengths:0.7 cap=2 over=drop"
    whole = digest("prefix:0.8", {})
    assert digest(capped, {}) != whole
    assert {digest(f"each match=9 cap=3 + {capped} + prefix:0.8", options) for options in BUDGETS} == {whole}


def ascii_lines() -> bytes:
    return "".join(json.dumps(record) + "\r\n" for record in RECORDS).encode()


def table() -> pa.Table:
    return pa.table(
        {
            "id": [doc.id for doc in DOCS],
            "text": [doc.text for doc in DOCS],
            "time": pa.array([doc.time for doc in DOCS], pa.int64()),
        }
    )


def csv_bytes(delimiter: str) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=delimiter, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerow(["id", "text", "n"])
    writer.writerows([doc.id, doc.text, number] for number, doc in enumerate(DOCS))
    return text.getvalue().encode()


def zstd_bytes(data: bytes) -> bytes:
    return bytes(memoryview(pa.compress(data, codec="zstd")))


def parquet_bytes(columns: pa.Table) -> bytes:
    sink = io.BytesIO()
    pq.write_table(columns, sink, row_group_size=100)
    return sink.getvalue()


FORMS: dict[str, Callable[[], bytes]] = {
    "docs.jsonl": lambda: LINES,
    "ascii.jsonl": ascii_lines,
    "docs.ndjson": lambda: LINES.rstrip(b"\n"),
    "docs.jsonl.gz": lambda: gzip.compress(LINES[:5000]) + gzip.compress(LINES[5000:]),
    "docs.jsonl.zst": lambda: zstd_bytes(LINES[:5000]) + zstd_bytes(LINES[5000:]),
    "docs.csv": lambda: csv_bytes(","),
    "docs.csv.gz": lambda: gzip.compress(csv_bytes(",")),
    "docs.tsv": lambda: csv_bytes("\t"),
    "docs.tsv.zst": lambda: zstd_bytes(csv_bytes("\t")),
    "docs.parquet": lambda: parquet_bytes(table()),
    "large.parquet": lambda: parquet_bytes(
        table().cast(pa.schema({"id": pa.large_string(), "text": pa.large_string(), "time": pa.int64()}))
    ),
    "bom.jsonl": lambda: b"\xef\xbb\xbf" + LINES.replace(b"\n", b"\n\n"),
}


def decide(path: Path, out: Path) -> dict[str, tuple[str, str, int]]:
    # the csv module writes quoted fields of TSV; the option does not affect other formats
    run_neardup("dedup", path, "-o", out, "--id-field", "id", "--quoted-tsv")
    rows = read_rows(out / "decisions.parquet")
    return {row["id"]: (row["verdict"], row["original"], row["shared"]) for row in rows}


@pytest.fixture(scope="module")
def decided(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, str, int]]:
    folder = tmp_path_factory.mktemp("plain")
    (folder / "docs.jsonl").write_bytes(LINES)
    return decide(folder / "docs.jsonl", folder / "out")


@pytest.mark.parametrize("name", FORMS)
def test_every_form_gives_the_same_decisions_and_keeps_its_form(
    name: str, decided: dict[str, tuple[str, str, int]], tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(FORMS[name]())
    assert decide(path, tmp_path / "out") == decided
    kept = tmp_path / "out" / "kept" / name
    # the kept file is read like the input, and has no duplicates
    again = decide(kept, tmp_path / "again")
    assert set(again) == {key for key, (verdict, _, _) in decided.items() if verdict == "keep"}
    if name.endswith(".parquet"):
        assert pq.read_schema(kept) == pq.read_schema(path)


def test_kept_lines_are_bytes_of_the_input(decided: dict[str, tuple[str, str, int]], tmp_path: Path) -> None:
    for name, data in (("docs.jsonl", LINES), ("ascii.jsonl", ascii_lines())):
        (tmp_path / name).write_bytes(data)
        decide(tmp_path / name, tmp_path / f"{name} out")
        lines = data.split(b"\n")[:-1]
        kept = b"".join(line + b"\n" for doc, line in zip(DOCS, lines, strict=True) if decided[doc.id][0] == "keep")
        assert (tmp_path / f"{name} out" / "kept" / name).read_bytes() == kept


def test_a_folder_of_texts(decided: dict[str, tuple[str, str, int]], tmp_path: Path) -> None:
    folder = tmp_path / "in"
    names: dict[str, str] = {}
    for number, doc in enumerate(DOCS):
        name = f"{number // 100:02}/{number:04}.{['txt', 'md'][number % 2]}"
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(doc.text.encode())
        names[name] = doc.id
    run_neardup("dedup", folder, "-o", tmp_path / "out")
    rows = read_rows(tmp_path / "out" / "decisions.parquet")
    assert {names[row["source"]]: row["verdict"] for row in rows} == {
        key: verdict for key, (verdict, _, _) in decided.items()
    }
    for row in rows:
        copy = tmp_path / "out" / "kept" / row["source"]
        assert copy.exists() == (row["verdict"] == "keep")
        assert not copy.exists() or copy.read_bytes() == (folder / row["source"]).read_bytes()


def test_many_inputs_and_stdin(decided: dict[str, tuple[str, str, int]], tmp_path: Path) -> None:
    lines = LINES.split(b"\n")[:-1]
    for number in range(3):
        part = lines[number * len(lines) // 3 : (number + 1) * len(lines) // 3]
        (tmp_path / f"part{number}.jsonl").write_bytes(b"".join(line + b"\n" for line in part))
    found = decide(tmp_path / "part*.jsonl", tmp_path / "glob")
    assert found == decided
    assert sorted(path.name for path in (tmp_path / "glob" / "kept").iterdir()) == [f"part{n}.jsonl" for n in range(3)]
    run_process("dedup", "-", "-o", tmp_path / "stdin", "--id-field", "id", input=LINES.decode())
    rows = read_rows(tmp_path / "stdin" / "decisions.parquet")
    assert {row["id"]: (row["verdict"], row["original"], row["shared"]) for row in rows} == decided


def test_the_order_of_the_input_does_not_matter_if_times_and_ids_decide(tmp_path: Path) -> None:
    digests = set()
    for lines in (LINES.split(b"\n")[:-1], LINES.split(b"\n")[-2::-1]):
        path = tmp_path / "docs.jsonl"
        path.write_bytes(b"\n".join(lines))
        options: Any = {"id_field": "id", "time_field": "time", "recall": "exact"}
        digests.add(json.loads(_core.run("dedup", [str(path)], options).summary)["digest"])
    assert len(digests) == 1


def test_one_big_family_is_a_star(tmp_path: Path) -> None:
    docs = [Doc(f"{number:04}", "the same words again and again " * 3) for number in range(60)]
    path = tmp_path / "docs.jsonl"
    path.write_text("".join(json.dumps({"id": doc.id, "text": doc.text}) + "\n" for doc in docs), encoding="utf-8")
    run_neardup("pairs", path, "-o", tmp_path / "out", "--id-field", "id", "--max-family", 50)
    rows = read_rows(tmp_path / "out" / "pairs.parquet")
    assert [(row["left"], row["right"]) for row in rows] == [("0000", doc.id) for doc in docs[1:]]
    families = json.loads((tmp_path / "out" / "run.json").read_text(encoding="utf-8"))["stars"]
    assert families == [["0000", 60]]
