"""The evidence of a finished run, found on demand: for each pair the same as `explain` shows."""

import gzip
import json
import shutil
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import neardup
from command import Cli, run_neardup
from records import read_jsonl, read_rows, write_records

GOLDEN = Path(__file__).parents[1] / "golden" / "docs.jsonl"
TWO_PASSES = (
    "lines | chunks:1 | whole | each | resemblance>=0.9 ; "
    "words | shingles:3 | minhash:96 | bands:24x4 | resemblance>=0.5"
)
SPANS = ("left_start", "left_end", "right_start", "right_end")
CHARS = ("left_char_start", "left_char_end", "right_char_start", "right_char_end")


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Texts of lines in several scripts, in families of moved, edited and equal texts."""
    random = Random(5)
    words = [f"wort{number}" for number in range(300)] + ["한국어", "文書", "naïve", "ﬁn", "é́"]
    records: list[dict[str, Any]] = []
    for family in range(60):
        lines = [" ".join(random.choices(words, k=9)) for _ in range(random.randrange(3, 9))]
        for _ in range(random.randrange(1, 9)):
            copy = list(lines)
            if random.random() < 0.5:
                random.shuffle(copy)
            if random.random() < 0.7:
                copy[0] += " " + random.choice(words)
            records.append({"id": f"{family}-{len(records)}", "text": "\n".join(copy)})
    random.shuffle(records)
    return write_records(tmp_path_factory.mktemp("evidence") / "docs.jsonl", records, ascii_only=False)


def texts_of(path: Path) -> dict[str, str]:
    return {str(record["id"]): str(record["text"]) for record in read_jsonl(path)}


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--id-field", "id"],
        ["--id-field", "id", "--scheme", TWO_PASSES],
        ["--scheme", "chars | shingles:9 | whole | prefix:0.6 | resemblance>=0.6"],
        ["--scheme", "words | terms:0.1,0.9 weight=idf:corpus | lexicons:4 | each | equal & resemblance>=0.7"],
    ],
)
@pytest.mark.parametrize("kind", ["jsonl", "gz", "texts", "against"])
def test_evidence_equals_the_passages_of_pairs(
    cli: Cli, docs: Path, tmp_path: Path, kind: str, options: list[str]
) -> None:
    arguments: list[str | Path] = [docs]
    if kind == "gz":
        arguments = [tmp_path / "docs.jsonl.gz"]
        (tmp_path / "docs.jsonl.gz").write_bytes(gzip.compress(docs.read_bytes()))
    if kind == "texts":
        # files of one document have no id field
        options = [option for option in options if option not in ("--id-field", "id")]
        arguments = [tmp_path / "texts"]
        (tmp_path / "texts").mkdir()
        for name, text in texts_of(docs).items():
            (tmp_path / "texts" / f"{name}.txt").write_text(text, encoding="utf-8")
    if kind == "against":
        arguments += ["--against", docs]
    cli("pairs", *arguments, "-o", tmp_path / "run", "--passages", *options)
    cli("evidence", tmp_path / "run", "-o", tmp_path / "evidence", "--threads", "3")
    found = (tmp_path / "evidence" / "passages.parquet").read_bytes()
    assert found == (tmp_path / "run" / "passages.parquet").read_bytes()
    assert read_rows(tmp_path / "evidence" / "passages.parquet")


def evidence_of(rows: list[dict[str, Any]]) -> dict[tuple[str, str], list[tuple[int, ...]]]:
    passages: dict[tuple[str, str], list[tuple[int, ...]]] = defaultdict(list)
    for row in rows:
        passages[row["left"], row["right"]].append((row["tokens"], *(row[name] for name in (*SPANS, *CHARS))))
    return passages


@pytest.mark.parametrize("verb", ["dedup", "cluster"])
def test_evidence_equals_explain(verb: str, docs: Path, tmp_path: Path) -> None:
    texts = texts_of(docs)
    run_neardup(verb, docs, "-o", tmp_path / "run", "--id-field", "id", "--threshold", "0.5")
    run_neardup("evidence", tmp_path / "run", "-o", tmp_path / "evidence", "--texts")
    table = read_rows(tmp_path / "run" / ("decisions.parquet" if verb == "dedup" else "clusters.parquet"))
    other = "original" if verb == "dedup" else "leader"
    wanted = {(row["id"], row[other]) for row in table if row["id"] != row[other]}
    assert len(wanted) > 100
    lines = read_jsonl(tmp_path / "evidence" / "evidence.jsonl")
    assert {(line["left"], line["right"]) for line in lines} == wanted
    # pairs of one original are consecutive, in input order
    order = list(texts)
    places = [(order.index(line["right"]), order.index(line["left"])) for line in lines]
    assert places == sorted(places)
    found = evidence_of(read_rows(tmp_path / "evidence" / "passages.parquet"))
    for line in lines:
        left, right = line["left"], line["right"]
        shown = neardup.explain(texts[left], texts[right], threshold="0.5")
        spans = [
            (one.tokens, *one.left.bytes, *one.right.bytes, *one.left.chars, *one.right.chars) for one in shown.passages
        ]
        assert found[left, right] == spans
        assert [(one["tokens"], *one["left"], *one["right"]) for one in line["passages"]] == [one[:5] for one in spans]
        passages = [texts[left].encode()[one.left.bytes[0] : one.left.bytes[1]].decode() for one in shown.passages]
        assert [one["text"] for one in line["passages"]] == passages
        differ = [change._asdict() for change in shown.changes if change.kind != "equal"]
        assert (line["changes"], line["changes_cut"]) == (differ, False)


def test_a_reference_may_have_the_same_ids(docs: Path, tmp_path: Path) -> None:
    """Every document is a duplicate of the document with the same id, or another one, in the reference."""
    run_neardup("dedup", docs, "--against", docs, "-o", tmp_path / "run", "--id-field", "id", "--threshold", "0.5")
    decisions = read_rows(tmp_path / "run" / "decisions.parquet")
    assert {row["original_in"] for row in decisions} == {"reference"}
    run_neardup("evidence", tmp_path / "run", "-o", tmp_path / "evidence", "--texts")
    lines = read_jsonl(tmp_path / "evidence" / "evidence.jsonl")
    assert sorted((line["left"], line["right"]) for line in lines) == sorted(
        (row["id"], row["original"]) for row in decisions
    )
    assert all(line["passages"] for line in lines)
    moved = shutil.copy(docs, tmp_path / "moved.jsonl")
    run_neardup("evidence", tmp_path / "run", "-o", tmp_path / "again", "--texts", "--against", moved)
    assert read_jsonl(tmp_path / "again" / "evidence.jsonl") == lines


def test_a_selection_is_a_part_of_all(docs: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    run_neardup("dedup", docs, "-o", run, "--id-field", "id")
    decisions = [row for row in read_rows(run / "decisions.parquet") if row["verdict"] == "drop"]
    near = {row["id"] for row in decisions if row["rule"] == "near"}
    leader = max((row["duplicate_id"] for row in decisions), key=[row["duplicate_id"] for row in decisions].count)
    group = {row["id"] for row in decisions if row["duplicate_id"] == leader}
    assert near
    assert len(group) > 2

    def chosen(*options: str) -> list[str]:
        run_neardup("evidence", run, "-o", tmp_path / "out", "--overwrite", "--texts", *options)
        return [line["left"] for line in read_jsonl(tmp_path / "out" / "evidence.jsonl")]

    everything = chosen()
    assert set(everything) == {row["id"] for row in decisions}
    assert set(chosen("--rule", "near")) == near
    assert set(chosen("--cluster", leader)) == group == set(chosen("--id", leader))
    some = sorted(group)[:2]
    assert chosen("--id", some[0], "--id", some[1]) == [one for one in everything if one in some]
    assert set(chosen("--cluster", leader, "--rule", "near")) == group & near
    five = chosen("--sample", "5")
    assert five == chosen("--sample", "5", "--threads", "1") == [one for one in everything if one in five]
    assert len(five) == 5
    assert set(five) < set(chosen("--sample", "9"))
    assert chosen("--sample", "9999") == everything


def test_python_gives_the_same(docs: Path, tmp_path: Path) -> None:
    run_neardup("pairs", docs, "-o", tmp_path / "run")
    run_neardup("evidence", tmp_path / "run", "-o", tmp_path / "evidence")
    found = neardup.evidence(tmp_path / "run")
    rows = read_rows(tmp_path / "evidence" / "passages.parquet")
    assert list(found.passages.column("left_char_end")) == [row["left_char_end"] for row in rows]
    assert found.digest == json.loads((tmp_path / "evidence" / "run.json").read_text())["digest"]
    assert found.scheme.startswith("words")
    assert found.verified
    # documents from memory are passed again
    texts = list(texts_of(docs).values())
    run = neardup.find_pairs(texts, output=tmp_path / "memory")
    again = neardup.evidence(tmp_path / "memory", inputs=texts)
    assert again.summary["counts"]["pairs"] == run.summary["counts"]["pairs"] == found.summary["counts"]["pairs"]
    assert list(again.passages.column("tokens")) == list(found.passages.column("tokens"))
    with pytest.raises(neardup.UsageError, match="give them once more"):
        neardup.evidence(tmp_path / "memory")
    with pytest.raises(neardup.UsageError, match="no option 'treshold'"):
        neardup.evidence(tmp_path / "run", treshold=0.5)  # type: ignore[call-arg]
    with pytest.raises(neardup.UsageError, match="rule is 'far'; allowed are identical, lexical, shingles, near"):
        neardup.evidence(tmp_path / "run", rule="far")  # type: ignore[arg-type]


def test_other_documents_are_refused(docs: Path, tmp_path: Path) -> None:
    path = tmp_path / "docs.jsonl"
    shutil.copy(docs, path)
    run_neardup("cluster", path, "-o", tmp_path / "run")
    out = ("-o", tmp_path / "out")
    moved = tmp_path / "moved.jsonl"
    path.rename(moved)
    assert "docs.jsonl: there is no such file" in run_neardup("evidence", tmp_path / "run", *out, code=1).stderr
    run_neardup("evidence", tmp_path / "run", moved, *out)
    first = read_rows(tmp_path / "out" / "passages.parquet")
    assert {row["left"].rpartition(":")[0] for row in first} == {path.name}
    lines = moved.read_text(encoding="utf-8").splitlines(keepends=True)
    for changed in (
        "".join(lines[:-1]),
        "".join([*lines[1:], lines[0]]),
        "".join(lines).replace("wort7 ", "wort8 ", 1),
    ):
        moved.write_text(changed, encoding="utf-8")
        error = run_neardup("evidence", tmp_path / "run", moved, *out, "--overwrite", code=1).stderr
        assert "the texts are not those that the run read" in error
    error = run_neardup("evidence", tmp_path / "run", moved, moved, *out, "--overwrite", code=2).stderr
    assert "the run read 1 files or tables, these are 2" in error


def test_the_secret_seed_is_not_needed(docs: Path, tmp_path: Path) -> None:
    """A run stores only a check value of its secret, which is enough, because passages do not depend on the seed."""
    secret = tmp_path / "secret"
    secret.write_bytes(b"sixteen bytes or more")
    line = f"words | shingles:3 | minhash:96 seed=file:{secret} | bands:24x4 | resemblance>=0.5"
    run_neardup("pairs", docs, "-o", tmp_path / "run", "--passages", "--id-field", "id", "--scheme", line)
    secret.unlink()
    run_neardup("evidence", tmp_path / "run", "-o", tmp_path / "evidence", "--texts")
    found = (tmp_path / "evidence" / "passages.parquet").read_bytes()
    assert found == (tmp_path / "run" / "passages.parquet").read_bytes()
    assert read_rows(tmp_path / "evidence" / "passages.parquet")
    assert " seed=check:" in json.loads((tmp_path / "evidence" / "run.json").read_text())["scheme"]


def test_a_result_without_pairs_is_refused(cli: Cli, docs: Path, tmp_path: Path) -> None:
    cli("pairs", docs, "-o", tmp_path / "pairs")
    cli("cluster", docs, "-o", tmp_path / "clusters")
    cli("recluster", tmp_path / "pairs", "--threshold", "0.9", "-o", tmp_path / "again")
    refused: dict[str, list[str | Path]] = {
        "not a finished result of neardup": [docs.parent],
        "a result of neardup recluster, which names no pairs": [tmp_path / "again"],
        "clusters.parquet has no rules": [tmp_path / "clusters", "--rule", "near"],
        "pairs.parquet has no clusters": [tmp_path / "pairs", "--cluster", "a"],
    }
    for option in ("--id", "--cluster"):
        refused[f"{option[2:]}: no document of the run has the id `nobody`"] = [tmp_path / "clusters", option, "nobody"]
    for reason, arguments in refused.items():
        assert reason in cli("evidence", *arguments, "-o", tmp_path / "out", code=2).stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"ids": "1:1"}, "ids is '1:1'; it is a list of ids"),
        ({"clusters": "1:1"}, "clusters is '1:1'; it is a list of ids"),
        ({"sample": 0}, "sample is 0; allowed are 1 and more"),
        ({"sample": -1}, "sample is -1; allowed are 1 and more"),
        ({"texts": True}, "name it as output"),
    ],
)
def test_options_that_python_refuses(options: Any, reason: str, tmp_path: Path) -> None:
    texts = ["a page about tea and how it is made", "a page about tea and how it is made!"]
    neardup.find_pairs(texts, output=tmp_path / "run")
    with pytest.raises(neardup.UsageError, match=reason):
        neardup.evidence(tmp_path / "run", inputs=texts, **options)


def test_long_texts_within_little_memory(docs: Path, tmp_path: Path) -> None:
    """Two texts that do not fit into memory together are read one after another, with the same result."""
    random = Random(3)
    words = [f"w{number}" for number in range(50_000)]
    base = random.choices(words, k=120_000)
    records = [{"text": " ".join(base[start:] + base[:start])} for start in (0, 100, 60_000, 7)]
    path = write_records(tmp_path / "long.jsonl", [*records, *read_jsonl(docs)])
    run_neardup("pairs", path, "-o", tmp_path / "run")
    digests = set()
    for memory in ("200M", "4G"):
        run_neardup(
            "evidence", tmp_path / "run", "-o", tmp_path / memory, "--memory", memory, "--threads", "4", "--texts"
        )
        digests.add(json.loads((tmp_path / memory / "run.json").read_text())["digest"])
    assert len(digests) == 1
    assert (tmp_path / "200M" / "evidence.jsonl").read_bytes() == (tmp_path / "4G" / "evidence.jsonl").read_bytes()
    assert any(row["tokens"] > 50_000 for row in read_rows(tmp_path / "4G" / "passages.parquet"))


def test_a_run_with_a_preference(cli: Cli, docs: Path, tmp_path: Path) -> None:
    cli("pairs", docs, "-o", tmp_path / "run", "--id-field", "id", "--prefer", "id=1-1,2-2", "--passages")
    cli("evidence", tmp_path / "run", "-o", tmp_path / "evidence")
    found = (tmp_path / "evidence" / "passages.parquet").read_bytes()
    assert found == (tmp_path / "run" / "passages.parquet").read_bytes()


KNOWN = "the customs house on the pier was painted white again in the spring of that year"
NEW = f"{KNOWN} by two men from the islands"
MOVED: dict[str, Callable[[Path], dict[str, Any]]] = {
    "nothing": lambda _: {},
    "reference": lambda _: {"against": [neardup.Document(KNOWN, "1")]},
    "reference without ids": lambda _: {"against": [neardup.Document(KNOWN)]},
    "reference of texts": lambda _: {"against": [KNOWN]},
    "reference that is an index": lambda folder: {"against": index_of(folder, "1", KNOWN)},
    "inputs": lambda _: {"inputs": [neardup.Document(NEW, "x", time=9)]},
    "inputs that are an index": lambda folder: {"inputs": index_of(folder, "x", NEW)},
    "both": lambda _: {"inputs": [neardup.Document(NEW, "x")], "against": [neardup.Document(KNOWN, "1")]},
}
RUNS: dict[str, dict[str, Any]] = {
    "texts": {"text_field": "body"},
    "texts with a time": {"text_field": "body", "time_field": "at"},
    "HTML": {"html_field": "page"},
    "HTML of the input": {"html_field": "page", "against_text_field": "body", "against_id_field": "key"},
}


def index_of(folder: Path, key: str, text: str) -> neardup.Index:
    index = neardup.Index.create(folder / "index")
    index.add([neardup.Document(text, key)])
    return index


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("moved", MOVED)
def test_documents_in_memory_have_fields_of_their_own(moved: str, run: str, tmp_path: Path) -> None:
    paths: list[Path] = []
    for name, key, text in (("new", "x", NEW), ("known", "1", KNOWN)):
        record = {"key": key, "body": text, "page": f"<p>{text}</p>", "at": len(paths)}
        paths.append(write_records(tmp_path / f"{name}.jsonl", [record]))
    output = tmp_path / "run"
    neardup.dedup(paths[0], against=paths[1], id_field="key", threshold=0.5, output=output, **RUNS[run])
    found = neardup.evidence(output, **MOVED[moved](tmp_path))
    assert (found.passages["left"], found.passages["right"]) == (["x"], ["1"])
    assert found.passages["tokens"] == [len(KNOWN.split())]


def test_html_in_memory_is_read_as_in_the_run(tmp_path: Path) -> None:
    new = write_records(tmp_path / "new.jsonl", [{"key": "x", "body": NEW}])
    known = write_records(tmp_path / "known.jsonl", [{"key": "1", "page": f"<p>{KNOWN}</p>"}])
    names: dict[str, Any] = {"text_field": "body", "id_field": "key", "against_html_field": "page"}
    neardup.dedup(new, against=known, threshold=0.5, output=tmp_path / "run", **names)
    found = neardup.evidence(tmp_path / "run", against=[f"<p>{KNOWN}</p>"])
    assert (found.passages["left"], found.passages["right"]) == (["x"], ["1"])
    with pytest.raises(neardup.DataError, match="the texts are not those that the run read"):
        neardup.evidence(tmp_path / "run", against=[NEW])


def test_a_run_of_another_version_of_the_tokens_is_refused(tmp_path: Path) -> None:
    texts = ["the quay was empty and the boat had left", "the quay was empty and the boat had gone"]
    path = write_records(tmp_path / "docs.jsonl", [{"text": text} for text in texts])
    neardup.dedup(path, threshold="0.3", output=tmp_path / "run")
    run = tmp_path / "run" / "run.json"
    summary = json.loads(run.read_text(encoding="utf-8"))
    assert summary["tokens_version"] == 2
    del summary["tokens_version"]
    run.write_text(json.dumps(summary), encoding="utf-8")
    message = "run: its texts were cut by tokens version 1 .*cuts by tokens version 2 .*: run neardup dedup again"
    with pytest.raises(neardup.UsageError, match=message):
        neardup.evidence(tmp_path / "run")
