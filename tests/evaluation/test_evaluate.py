"""`evaluate`, in Python and on the command line: label files and their errors, what is printed and written."""

import gzip
import json
import re
import sys
from collections.abc import Callable
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

import neardup
from command import Cli
from neardup.cli.shown.progress import show_progress
from neardup.evaluation.labels import Labels, PairLabels, read_labels
from neardup.evaluation.scores import NO_NEGATIVES
from neardup.evaluation.trial import extract_cost
from records import write_records
from terminal import on_a_terminal

EXACT = "words | shingles:5 | whole | prefix:auto | resemblance>=0.5"
LOW = "words | shingles:5 | whole | prefix:auto | resemblance>=0.4"
TEXT = "the night train stops for two minutes where the valley narrows and a cold river turns to the far north"
WORDS = TEXT.split()


def write_text(*changes: int) -> str:
    """Return a text of 20 words, with those at the given places replaced.

    The text has 16 shingles, and each replaced word changes up to five of them.
    """
    return " ".join(f"word{at}" if at in changes else word for at, word in enumerate(WORDS))


# a chain: a2 and a3 share 12 of 20 shingles with a1 each (0.6), and 8 of 24 with each other (a third)
DOCS: list[dict[str, Any]] = [
    {"id": "a1", "text": write_text()},
    {"id": "a2", "text": write_text(3)},
    {"id": "a3", "text": write_text(16)},
    {"id": 4, "text": "nobody has ever counted the steps between the harbour and the lighthouse"},
    {"id": "5", "text": "Nobody has ever counted the steps between the harbour and the lighthouse!"},
]
PAIRS: list[dict[str, Any]] = [
    {"a": "a1", "b": "a2", "label": 1},
    {"a": "a3", "b": "a1", "label": 1},
    {"a": "a2", "b": "a3", "label": 0},
    {"a": 4, "b": 5, "label": 1},
]


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    return write_records(tmp_path / "docs.jsonl", DOCS)


def verdicts(labels: Labels) -> dict[Any, Any]:
    return labels.verdicts if isinstance(labels, PairLabels) else labels.clusters


def read(truth: Any, **options: Any) -> Labels:
    return read_labels(truth, **{"at": None, "margin": None, "complete": False} | options)


# ---- label files


def as_csv(path: Path) -> Path:
    path.write_text('\ufeff"a",b,label\r\na1,a2,1\r\na3,"a1",1\r\n\r\na2,a3,0\r\n4,5,1\r\n', encoding="utf-8")
    return path


def as_tsv(path: Path) -> Path:
    path.write_bytes(gzip.compress(b"note\ta\tb\tlabel\nx y\ta1\ta2\t1\n\ta1\ta3\t1\n\ta2\ta3\t0\n\t5\t4\t1\n"))
    return path


def as_zstd(path: Path) -> Path:
    with pyarrow.output_stream(str(path), compression="zstd") as file:
        file.write("".join(json.dumps(row) + "\n\n" for row in PAIRS).encode())
    return path


def as_parquet(path: Path) -> Path:
    rows = [{**row, "a": str(row["a"]), "b": str(row["b"]), "note": [1]} for row in PAIRS]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    return path


@pytest.mark.parametrize(
    ("write", "name"),
    [(as_csv, "t.csv"), (as_tsv, "t.tsv.gz"), (as_zstd, "t.ndjson.zst"), (as_parquet, "t.parquet")],
)
def test_every_kind_of_file_says_the_same(tmp_path: Path, write: Callable[[Path], Path], name: str) -> None:
    assert verdicts(read(write(tmp_path / name))) == verdicts(read(PAIRS))
    assert verdicts(read(PAIRS)) == {("a1", "a2"): True, ("a1", "a3"): True, ("a2", "a3"): False, ("4", "5"): True}


def test_a_jaccard_decides_exactly(tmp_path: Path) -> None:
    path = tmp_path / "truth.jsonl"
    given = {"a": "0.85", "b": "0.75", "c": "0.8499999999999999999999", "d": "0.7500000000000000000001", "e": "1"}
    path.write_text("".join(f'{{"a": "x", "b": "{b}", "jaccard": {jaccard}}}\n' for b, jaccard in given.items()))
    found = verdicts(read(path, at=0.8))
    assert {b: found[b, "x"] for b in given} == {"a": True, "b": False, "c": None, "d": None, "e": True}
    found = verdicts(read(path, at="17/20", margin=0))
    assert {b: found[b, "x"] for b in given} == {"a": True, "b": False, "c": False, "d": False, "e": True}
    assert verdicts(read([{"a": "x", "b": "y", "jaccard": Decimal("0.8")}], at=0.9, margin="1/10"))["x", "y"] is False


LINES: list[tuple[str, dict[str, Any], str]] = [
    ('{"a": "x", "b": "y", "label": 2}', {}, "label is 2; allowed are 0 and 1"),
    ('{"a": "x", "b": "y", "label": true}', {}, "label is True; allowed are 0 and 1"),
    ('{"a": "x", "b": "y", "label": null}', {}, "there is no label; the fields are a, b, label"),
    ('{"a": "x", "b": "y", "jaccard": 1.5}', {"at": 0.8}, "jaccard is 1.5; allowed are numbers from 0 to 1"),
    ('{"a": "x", "b": "y", "jaccard": "much"}', {"at": 0.8}, "jaccard is much; allowed are numbers from 0 to 1"),
    ('{"a": "x", "b": "y", "label": 1}', {"at": 0.8}, "there is no jaccard; the fields are a, b, label"),
    ('{"a": "x", "b": "y", "jaccard": 1}', {}, "need at (--at)"),
    ('{"a": "x", "b": "x", "label": 1}', {}, "a pair of 'x' with itself"),
    ('{"a": "w", "b": "v", "label": 0}', {}, "the pair 'w', 'v' is labelled 0 here, labelled 1 before"),
    ('{"a": [], "b": "y", "label": 0}', {}, "a is []; allowed are strings and integers"),
    ('{"a": "x", "label": 1}', {}, "there is no b; the fields are a, label"),
    ('{"a": "x", "b": NaN}', {}, "NaN is no number"),
    ("[" * 100_000, {}, "not JSON"),
    ('"a"', {}, "not a JSON object"),
    ('{"a": "\udcff"}', {}, "not JSON"),
]


@pytest.mark.parametrize(("line", "options", "words"), LINES)
def test_a_bad_label_is_named_with_its_place(tmp_path: Path, line: str, options: dict[str, Any], words: str) -> None:
    first = '{"a": "v", "b": "w", "jaccard": 1}' if "at" in options else '{"a": "v", "b": "w", "label": 1}'
    path = tmp_path / "truth.jsonl"
    path.write_bytes(f"{first}\n\n{line}\n".encode(errors="surrogateescape"))
    with pytest.raises((neardup.DataError, neardup.UsageError)) as caught:
        read(path, **options)
    assert str(caught.value).startswith(f"{path}, line 3: ")
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("t.csv", b"a,b,label\nx,y,1\nx,z\n", "t.csv, line 3: 2 fields, the header has 3"),
        ("t.csv", b'a,b,label\n"x\n",y,1\nx,"z"z,1\n', "t.csv, line 4: not CSV"),
        ("t.csv", b"a,b,label\nx,\xff,1\n", "t.csv, line 2: not UTF-8"),
        ("t.csv", b"left,right\nx,y\n", "line 2: the fields are left, right; labels have a, b and label (0 or 1), or"),
        ("t.csv", b"a,b,label\n", "there are no labels"),
        ("t.csv", b"id,cluster\nx,1\nx,2\n", "line 3: the document 'x' is in cluster '2' here, in '1' before"),
        ("t.csv", b"id,cluster\nx,\n", "line 2: there is no cluster"),
        ("t.txt", b"a", "not a kind of file that labels are read from; there are .jsonl"),
        ("t.jsonl.gz", b"no gzip, but a text", "t.jsonl.gz: the gzip stream is damaged"),
        ("t.parquet", b"no parquet", "t.parquet: cannot read"),
    ],
)
def test_a_bad_file_is_named(tmp_path: Path, name: str, content: bytes, words: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(neardup.NeardupError) as caught:
        read(tmp_path / name)
    assert words in str(caught.value)


def test_a_row_of_a_table_is_named(tmp_path: Path) -> None:
    rows = [{"a": "x", "b": "y", "label": 1}, {"a": "x", "b": "z", "label": 3}]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "t.parquet")
    with pytest.raises(neardup.DataError, match=r"t\.parquet, row 2: label is 3"):
        read(tmp_path / "t.parquet")
    with pytest.raises(neardup.DataError, match="label 2: label is 3"):
        read(rows)
    with pytest.raises(neardup.UsageError, match="label 1 is str"):
        read(["a"])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"at": 0}, "at is 0; allowed are numbers above 0, at most 1"),
        ({"at": "high"}, "at is 'high'; it is written as a number"),
        ({"at": 0.8, "margin": 1}, "margin is 1; allowed are numbers from 0, below 1"),
        ({"at": 0.8, "margin": "1/0"}, "margin is '1/0'; it is written as a number"),
        ({"margin": 0.1}, "give at as well"),
    ],
)
def test_numbers_out_of_range(options: dict[str, Any], words: str) -> None:
    with pytest.raises(neardup.UsageError) as caught:
        read(PAIRS, **options)
    assert words in str(caught.value)


def test_at_is_refused_for_clusters() -> None:
    with pytest.raises(neardup.UsageError, match="these are clusters"):
        read([{"id": "x", "cluster": 1}], at=0.8)


# ---- the verb


def test_schemes_are_run_and_scored(docs: Path) -> None:
    found = neardup.evaluation.evaluate(PAIRS, docs, [EXACT, LOW, EXACT])
    assert found.truth == neardup.evaluation.Truth("a list", "pairs", False, 5, 3, 1, 0)
    assert found.documents == 5
    assert [scheme.scheme for scheme in found.schemes] == [EXACT.replace("auto", "0.5"), LOW.replace("auto", "0.4")]
    for scheme in found.schemes:
        # the pair a2-a3 is not listed, but the cluster of a1 implies it
        assert scheme.pairs[:4] == (3, 0, 0, 2)
        assert scheme.clusters[:4] == (3, 1, 0, 2)
        assert [(point.score, point.tp) for point in scheme.curve.points] == [(1.0, 1), (0.6, 3)]
        assert scheme.verified
        assert scheme.cost.sketch_bytes_per_document is None or scheme.cost.sketch_bytes_per_document >= 0
        assert scheme.cost.phases[0].name == "sign"
        assert scheme.cost.seconds == sum(phase.seconds for phase in scheme.cost.phases)


def test_with_complete_labels_all_other_pairs_are_wrong(docs: Path) -> None:
    [scheme] = neardup.evaluation.evaluate(PAIRS[:1], docs, EXACT, complete=True).schemes
    assert scheme.pairs[:3] == (1, 2, 0)
    assert scheme.clusters[:3] == (1, 3, 0)
    assert scheme.b_cubed.documents == 5
    [scheme] = neardup.evaluation.evaluate(PAIRS[:1], docs, EXACT).schemes
    assert scheme.pairs[:3] == (1, None, 0)
    assert scheme.pairs.precision.reason == NO_NEGATIVES


def test_the_default_scheme_is_used_without_a_scheme(docs: Path) -> None:
    [scheme] = neardup.evaluation.evaluate([{"id": "4", "cluster": 1}, {"id": "5", "cluster": 1}], docs).schemes
    assert scheme.scheme == str(neardup.plan_scheme())
    assert scheme.pairs[:3] == (1, 0, 0)


def test_documents_and_tables_are_inputs_too() -> None:
    documents = [neardup.Document(doc["text"], id=str(doc["id"])) for doc in DOCS]
    table = pyarrow.table({"key": [str(doc["id"]) for doc in DOCS], "text": [doc["text"] for doc in DOCS]})
    one = neardup.evaluation.evaluate(PAIRS, iter(documents), EXACT)
    two = neardup.evaluation.evaluate(PAIRS, table, EXACT, id_field="key", threads=1)
    assert one.schemes[0][:-1] == two.schemes[0][:-1]


def test_containment_orders_the_pairs_of_a_containment_scheme(tmp_path: Path) -> None:
    docs = write_records(tmp_path / "docs.jsonl", [*DOCS[:1], {"id": "part", "text": " ".join(WORDS[:10])}])
    scheme = "words | shingles:5 | minhash:64 | bands:64x1 | containment>=0.9"
    [found] = neardup.evaluation.evaluate([{"a": "a1", "b": "part", "label": 1}], docs, scheme, complete=True).schemes
    assert (found.curve.score, [point.score for point in found.curve.points]) == ("containment", [1.0])


def test_a_document_that_no_input_has(docs: Path) -> None:
    rows = [{"a": "a1", "b": f"z{number}", "label": 1} for number in range(7)]
    with pytest.raises(neardup.DataError) as caught:
        neardup.evaluation.evaluate(rows, docs, EXACT)
    assert "name 8 documents, and no input has 7 of them: 'z0', 'z1', 'z2', 'z3', 'z4', ...;" in str(caught.value)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"threshold": 0.8}, "no option 'threshold'; there are at, command, complete"),
        ({"memory": "much"}, "memory is 'much'"),
    ],
)
def test_options_are_checked(docs: Path, options: dict[str, Any], words: str) -> None:
    with pytest.raises(neardup.UsageError, match=words):
        neardup.evaluation.evaluate(PAIRS, docs, EXACT, **options)


def test_a_wrong_scheme_is_reported_before_a_run(tmp_path: Path) -> None:
    with pytest.raises(neardup.UsageError, match="nonsense"):
        neardup.evaluation.evaluate(PAIRS, tmp_path / "missing.jsonl", [EXACT, "nonsense"])


def test_progress_of_each_run_is_reported(docs: Path) -> None:
    def stop(*_: object) -> None:
        raise KeyError("stop")

    steps: list[tuple[object, ...]] = []
    assert neardup.evaluation.evaluate(PAIRS, docs, EXACT, progress=lambda *step: steps.append(step)).documents == 5
    assert len(steps) >= 2
    with pytest.raises(KeyError):
        neardup.evaluation.evaluate(PAIRS, docs, EXACT, progress=stop)


def test_cost_is_computed_from_the_summaries() -> None:
    phases = [
        {"name": "sign", "seconds": 0.5, "unit": "bytes", "amount": 20_000_000},
        {"name": "score", "seconds": 1.5, "unit": "documents", "amount": 7},
    ]
    pairs = {"counts": {"documents": 800}, "phases": phases, "sketch_bytes": 3_200}
    cost = extract_cost(pairs, {"phases": [{"seconds": 1.0}, {"seconds": 2.0}]})
    assert cost == (2.0, [("sign", 0.5), ("score", 1.5)], 400.0, 40.0, 4.0, 3.0)
    empty = extract_cost({"counts": {"documents": 0}, "phases": []}, {"phases": []})
    assert empty == (0, [], None, None, None, 0)


# ---- the command


def test_a_folder_is_written(cli: Cli, docs: Path, tmp_path: Path) -> None:
    truth, out = as_csv(tmp_path / "truth.csv"), tmp_path / "out"
    done = cli("evaluate", truth, docs, "--scheme", EXACT, "--scheme", LOW, "-o", out, "--json", "--quiet")
    assert sorted(path.name for path in out.iterdir()) == [".neardup", "evaluation.json", "report.html"]
    found = json.loads(done.stdout)
    assert found == json.loads((out / "evaluation.json").read_text(encoding="utf-8"))
    assert found["truth"] == {
        "source": str(truth),
        "kind": "pairs",
        "complete": False,
        "documents": 5,
        "positives": 3,
        "negatives": 1,
        "left_out": 0,
    }
    pairs = found["schemes"][0]["pairs"]
    assert {key: pairs[key] for key in ("tp", "fp", "fn", "components")} == {"tp": 3, "fp": 0, "fn": 0, "components": 2}
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert all(word in page for word in ("2 schemes on 3 pairs", "0.7500", "resemblance&gt;=0.4", "truth.csv"))
    before = cli("evaluate", truth, docs, "-o", out, code=2).stderr
    assert "the output is there already; give another folder, or --overwrite" in before
    assert cli("evaluate", truth, docs, "-o", out, "--overwrite", "--quiet").stdout == ""
    assert len(json.loads((out / "evaluation.json").read_text(encoding="utf-8"))["schemes"]) == 1
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "book.txt").write_text("kept", encoding="utf-8")
    done = cli("evaluate", truth, docs, "-o", tmp_path / "mine", "--overwrite", code=2)
    assert "neardup did not make it (it has no marker)" in done.stderr
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["book.txt"]


def test_every_key_is_in_the_reference(docs: Path) -> None:
    page = Path(__file__).parents[2] / "docs" / "reference" / "outputs.md"
    documented = set(re.findall(r"\w+", page.read_text(encoding="utf-8").partition("## evaluation.json")[2]))

    def keys(value: Any) -> set[str]:
        if isinstance(value, dict):
            return {*value, *(key for part in value.values() for key in keys(part))}
        return {key for part in value for key in keys(part)} if isinstance(value, list) else set()

    found = keys(json.loads(neardup.evaluation.evaluate(PAIRS, docs, EXACT).json))
    assert found <= documented, found - documented


def test_lines_in_a_pipe(cli: Cli, docs: Path, tmp_path: Path) -> None:
    done = cli("evaluate", as_csv(tmp_path / "truth.csv"), docs, "--scheme", EXACT)
    assert done.stderr == ""
    header, *lines = [line.split("\t") for line in done.stdout.splitlines()]
    rows = [dict(zip(header, line, strict=True)) for line in lines]
    assert [row["measure"] for row in rows] == ["pairs", "clusters", "b_cubed"]
    assert (rows[0]["precision"], rows[0]["tp"], rows[0]["average_precision"]) == ("1.000000", "3", "1.000000")
    assert (rows[1]["precision"], rows[1]["fp"], rows[1]["best_threshold"]) == ("0.750000", "1", "")
    assert (rows[2]["precision"], rows[2]["tp"]) == ("", "")
    assert "--complete" in rows[2]["note"]


def test_tables_on_a_terminal(docs: Path, tmp_path: Path) -> None:
    truth, out = as_csv(tmp_path / "truth.csv"), tmp_path / "out"
    written = on_a_terminal("evaluate", truth, docs, "--scheme", EXACT, "-o", out)
    assert "\x1b[" in written
    assert all(word in written for word in ("3 pairs of duplicates", "precision", "0.7500", "b-cubed", "not known"))


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_bars_remain_while_phases_alternate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    written = sys.stderr
    with show_progress(quiet=False) as move:
        assert move is not None
        for phase in ("sign", "arrange", "lead", "certify", "lead", "certify", "write"):
            move(phase, 2, 2, 3)
    assert isinstance(written, Terminal)
    # one frame contains all phases: between two frames the cursor returns to the start of the line
    assert re.search("sign[^\r]*arrange[^\r]*lead[^\r]*certify[^\r]*write", written.getvalue())


def test_bars_start_again_with_every_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    with show_progress(quiet=False) as move:
        assert move is not None
        for _ in range(3):
            for phase in ("sign", "arrange", "score"):
                move(phase, 1, 2, 3)
                move(phase, 2, 2, 3)
    with show_progress(quiet=True) as move:
        assert move is None


def test_ids_that_are_source_and_row(cli: Cli, tmp_path: Path) -> None:
    for name in ("one.txt", "two.txt"):
        (tmp_path / name).write_text(write_text(), encoding="utf-8")
    truth = write_records(tmp_path / "truth.jsonl", [{"id": f"{name}.txt:1", "cluster": 1} for name in ("one", "two")])
    done = cli("evaluate", truth.name, "one.txt", "two.txt", "--id-field", "", "--json", cwd=tmp_path)
    assert json.loads(done.stdout)["schemes"][0]["pairs"]["tp"] == 1


def test_each_mistake_is_one_message(cli: Cli, docs: Path, tmp_path: Path) -> None:
    truth = as_csv(tmp_path / "truth.csv")
    cases: list[tuple[list[Any], int, str]] = [
        ([truth, "-"], 2, "stdin (-) can be read once"),
        ([tmp_path / "missing.csv", docs], 1, "missing.csv: cannot read"),
        ([truth, docs, "--at", "0.8"], 1, "line 2: there is no jaccard"),
        ([truth, docs, "--id-field", "nope"], 1, "nope"),
    ]
    for arguments, code, words in cases:
        done = cli("evaluate", *arguments, code=code)
        assert words in done.stderr
        assert done.stderr.count("rror: ") == 1
        assert done.stdout == ""
