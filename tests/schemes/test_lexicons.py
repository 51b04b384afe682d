"""Lexicons: idf counted from the documents of the run or read from a file, and the terms chosen by it."""

import gzip
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import neardup
from command import run_neardup, run_process
from neardup import UsageError, _core
from neardup.inputs.sources import Engine
from oracle import Doc, is_blank, tokens
from records import write_records
from stopped import kill_after
from texts import LANGUAGES, corpus

I_MATCH = "words | terms:0.1,0.6 weight=idf:corpus | digest:sha1 | each | equal"
RANDOMISED = "words | terms:0.1,0.6 weight=idf:corpus | lexicons:10,1/3 | each | equal"
KEYWORDS = "words | keywords:6,sorted weight=idf:corpus | digest:md5 | each | equal"
DOCS = [doc._replace(id=f"{language}/{doc.id}") for language in LANGUAGES for doc in corpus(language, 5)]
RECORDS = [{"id": doc.id, "text": doc.text} for doc in DOCS]


def idf(documents: int, holding: int) -> int:
    """Return the largest k with 2 ** (k / 1024) <= (N + 1) / (n + 1)."""
    whole, part = (documents + 1) ** 1024, (holding + 1) ** 1024
    steps = whole.bit_length() - part.bit_length()
    return steps if part << steps <= whole else steps - 1


def count(docs: list[Doc]) -> Counter[Any]:
    return Counter(term for doc in docs for term in set(tokens(doc.text)))


def choose(docs: list[Doc], low: Fraction, high: Fraction) -> dict[str, frozenset[Any]]:
    """Return the terms of each document whose idf is between two percentiles of all terms."""
    counts = count(docs)
    by_count = {holding: idf(len(docs), holding) for holding in set(counts.values())}
    rarities = sorted(by_count[holding] for holding in counts.values())
    least, most = (rarities[int(share * (len(rarities) - 1))] for share in (low, high))
    inside = {term for term, holding in counts.items() if least <= by_count[holding] <= most}
    return {doc.id: frozenset(tokens(doc.text)) & inside for doc in docs}


def pairs(docs: list[Doc], scheme: str, **options: Any) -> set[tuple[str, str]]:
    documents = [neardup.Document(doc.text, doc.id) for doc in docs]
    found = neardup.find_pairs(documents, scheme=scheme, **options).pairs
    return set(zip(found.column("left"), found.column("right"), strict=True))


@pytest.mark.on_spark(0)
@pytest.mark.parametrize("language", LANGUAGES)
def test_i_match_is_its_definition(language: str, engine: Engine | None) -> None:
    docs = corpus(language, 3)
    words = {doc.id: tokens(doc.text) for doc in docs}
    chosen = choose(docs, Fraction(1, 10), Fraction(6, 10))
    expected = set()
    for one, two in combinations(sorted(docs), 2):
        identical = one.text == two.text and not is_blank(one.text)
        lexical = words[one.id] and words[one.id] == words[two.id]
        if identical or lexical or (chosen[one.id] and chosen[one.id] == chosen[two.id]):
            expected.add((one.id, two.id))
    assert pairs(docs, I_MATCH, engine=engine) == expected
    # Documents with equal digests of all terms have equal digests of every lexicon.
    assert expected <= pairs(docs, RANDOMISED, engine=engine)


@pytest.mark.on_spark(0)
def test_keywords_are_their_definition(engine: Engine | None) -> None:
    """All weights differ, so that fingerprints break no tie."""
    random = Random(3)
    weights = [f"term{number}" for number in range(40)]
    docs = []
    for number in range(60):
        words = [word for at, word in enumerate(random.sample(weights, 9)) for _ in range(2**at)]
        docs.append(Doc(f"{number:02}", " ".join(words)))
        words.insert(0, random.choice(weights))
        docs.append(Doc(f"{number:02}b", " ".join(words)))
    counts = count(docs)

    def keywords(doc: Doc) -> list[str]:
        found = Counter(tokens(doc.text))
        heavy = sorted(found, key=lambda term: -found[term] * idf(len(docs), counts[term]))
        return [str(term) for term in heavy[:4]]

    ranked = {doc.id: keywords(doc) for doc in docs}
    for order, of in (("ranked", ranked), ("sorted", {key: sorted(found) for key, found in ranked.items()})):
        expected = {(one.id, two.id) for one, two in combinations(docs, 2) if of[one.id] == of[two.id]}
        scheme = f"words | keywords:4,{order} weight=idf:corpus | digest:md5 | each | equal"
        assert pairs(docs, scheme, engine=engine) == expected
    assert expected


def test_spots_are_their_definition(tmp_path: Path) -> None:
    """Compare bags of spots, by the definition of their paper, with the tagged sets, partitions and prefixes."""
    antecedents, stops = {"the", "a", "is"}, {"of", "and", "to", "the", "a", "is"}
    (tmp_path / "list").write_text("antecedents: the a is\nstops: of and to\n", encoding="utf-8")
    random = Random(5)
    content = [f"c{number}" for number in range(12)]
    docs: list[Doc] = []
    for family in range(40):
        base = random.choices([*content, *sorted(stops)], k=random.choice([4, 20, 60, 150]))
        for member in range(3):
            words = [random.choice(content) if random.random() < 0.05 * member else word for word in base]
            docs.append(Doc(f"{family:02}/{member}", " ".join(words)))

    def bag(doc: Doc) -> Counter[tuple[str, ...]]:
        words = doc.text.split()
        spots: Counter[tuple[str, ...]] = Counter()
        for at, word in enumerate(words):
            chain = [follower for follower in words[at + 1 :] if follower not in stops][:2]
            if word in antecedents and len(chain) == 2:
                spots[(word, *chain)] += 1
        return spots

    bags = {doc.id: bag(doc) for doc in docs}
    expected = set()
    for one, two in combinations(docs, 2):
        shared, union = (bags[one.id] & bags[two.id]).total(), (bags[one.id] | bags[two.id]).total()
        if one.text == two.text or (union and Fraction(shared, union) >= Fraction(44, 100)):
            expected.add((one.id, two.id))
    for keys in ("lengths:0.44", "prefix:0.44"):
        scheme = f"words | spots:2,1 antecedents=file:{tmp_path / 'list'} | whole | {keys} | resemblance>=0.44"
        assert pairs(docs, scheme) == expected
    assert len(expected) > 50


def as_text(folder: Path) -> Any:
    return write_records(folder / "docs.jsonl", RECORDS)


def as_gzip(folder: Path) -> Any:
    path = folder / "docs.jsonl.gz"
    path.write_bytes(gzip.compress(as_text(folder).read_bytes()))
    return path


def as_parquet(folder: Path) -> Any:
    pq.write_table(pa.Table.from_pylist(RECORDS), folder / "docs.parquet", row_group_size=70)
    return folder / "docs.parquet"


def as_several(folder: Path) -> Any:
    for part in range(3):
        write_records(folder / f"{part}.jsonl", RECORDS[part * 150 : (part + 1) * 150 if part < 2 else None])
    return folder


def as_stream(folder: Path) -> Any:
    return pa.Table.from_pylist(RECORDS)


@pytest.mark.parametrize("form", [as_text, as_gzip, as_parquet, as_several, as_stream])
@pytest.mark.parametrize("scheme", [I_MATCH, RANDOMISED, KEYWORDS])
def test_the_same_for_every_form_and_machine(scheme: str, form: Callable[[Path], Any], tmp_path: Path) -> None:
    plain, folder = tmp_path / "plain", tmp_path / "form"
    plain.mkdir()
    folder.mkdir()
    expected = neardup.cluster(as_text(plain), scheme=scheme, id_field="id")
    given = form(folder)
    for budget in ({"threads": 1}, {"threads": 3, "chunk": 4096}, {"threads": 2, "memory": 64 << 20}):
        inputs: Any = [given] if isinstance(given, pa.Table) else [str(given)]
        options: Any = {"scheme": scheme, "id_field": "id", **budget}
        summary = json.loads(_core.run("cluster", inputs, options).summary)
        assert (summary["digest"], summary["passes"]) == (expected.digest, expected.summary["passes"])
    assert len(expected.summary["passes"][0]["lexicon"]) == 64


def test_stdin_is_counted_too(tmp_path: Path) -> None:
    path = as_text(tmp_path)
    text = path.read_text(encoding="utf-8")
    run_process("dedup", "-", "-o", tmp_path / "out", "--id-field", "id", "--scheme", I_MATCH, input=text)
    expected = neardup.dedup(path, scheme=I_MATCH, id_field="id")
    assert summary_of(tmp_path / "out")["digest"] == expected.digest


def summary_of(out: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((out / "run.json").read_text(encoding="utf-8"))
    return content


def test_a_run_writes_the_lexicon_that_it_counted(tmp_path: Path) -> None:
    path, out = as_text(tmp_path), tmp_path / "out"
    run_neardup("dedup", path, "-o", out, "--id-field", "id", "--scheme", I_MATCH)
    summary = summary_of(out)
    assert [phase["name"] for phase in summary["phases"]][:2] == ["count", "sign"]
    table = pq.read_table(out / "lexicon.parquet")
    counts = count(DOCS)
    assert table.column_names == ["feature", "documents"]
    assert sorted(table.column("documents").to_pylist()) == sorted(counts.values())
    assert table.column("feature").to_pylist() == sorted(set(table.column("feature").to_pylist()))
    metadata = pq.read_metadata(out / "lexicon.parquet").metadata
    assert metadata[b"version"] == b"1"
    assert metadata[b"documents"] == str(len(DOCS)).encode()
    assert metadata[b"counted"] == b"words | shingles:1 seed=0"
    assert metadata[b"digest"].decode() == summary["passes"][0]["lexicon"]
    # With the file the result is the same, and the run writes no lexicon.
    again = I_MATCH.replace("corpus", str(out / "lexicon.parquet"))
    run_neardup("dedup", path, "-o", tmp_path / "again", "--id-field", "id", "--scheme", again)
    other = summary_of(tmp_path / "again")
    assert (other["digest"], other["passes"][0]["lexicon"]) == (summary["digest"], summary["passes"][0]["lexicon"])
    assert not (tmp_path / "again" / "lexicon.parquet").exists()
    assert other["phases"][0]["name"] == "sign"
    # A lexicon that was built separately is the same.
    built = neardup.build_lexicon(path, tmp_path / "built.parquet", scheme=I_MATCH)
    assert built.digest == summary["passes"][0]["lexicon"]
    assert (built.documents, built.terms, built.rejected) == (len(DOCS), len(counts), 0)
    assert built.counted == "words | shingles:1 seed=0"


def test_a_lexicon_of_another_version_of_the_tokens_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "lexicon.parquet"
    neardup.build_lexicon(["one two three", "two three four"], path)
    line = f"words | terms:0,1 weight=idf:{path} | whole | prefix:0.8 | resemblance>=0.8"
    table, metadata = pq.read_table(path), pq.read_metadata(path).metadata
    kept = {key: value for key, value in metadata.items() if key not in (b"tokens_version", b"ARROW:schema")}
    for version in ({}, {b"tokens_version": b"1"}):
        pq.write_table(table.replace_schema_metadata({**kept, **version}), path)
        with pytest.raises(UsageError, match=r"counted with tokens version 1, .* counts with 2: count it again"):
            neardup.dedup(["one two three"], scheme=line)


def test_the_reference_is_counted_too(tmp_path: Path) -> None:
    half = len(DOCS) // 2
    write_records(tmp_path / "input.jsonl", RECORDS[:half])
    write_records(tmp_path / "reference.jsonl", RECORDS[half:])
    run = neardup.find_pairs(tmp_path / "input.jsonl", against=tmp_path / "reference.jsonl", scheme=I_MATCH)
    assert run.summary["passes"][0]["lexicon"] == neardup.build_lexicon(as_text(tmp_path), tmp_path / "all").digest


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory, deep: bool) -> Path:
    """A file with enough text for a run of about a second in the deep tier, and a third of that by default."""
    random = Random(1)
    words = [f"word{number}" for number in range(3000)]
    bases = [random.choices(words, k=random.randrange(20, 300)) for _ in range(9000 if deep else 3000)]
    records = ({"text": " ".join([*base, *["more"] * copy])} for base in bases for copy in range(6))
    return write_records(tmp_path_factory.mktemp("long") / "docs.jsonl", records)


@pytest.mark.parametrize("stage", ["counted", "signed", "found"])
def test_it_resumes_after_counting(stage: str, long: Path, tmp_path: Path) -> None:
    out, whole = tmp_path / "out", tmp_path / "whole"
    finished = kill_after(stage, "dedup", long, out, "--scheme", I_MATCH)
    assert finished[0]["name"] == "count"
    run_neardup("dedup", long, "-o", out, "--threads", "2", "--scheme", I_MATCH)
    run_neardup("dedup", long, "-o", whole, "--scheme", I_MATCH)
    phases = summary_of(out)["phases"]
    assert [(phase["name"], phase["seconds"]) for phase in phases[: len(finished)]] == [
        (phase["name"], phase["seconds"]) for phase in finished
    ]
    assert summary_of(out)["digest"] == summary_of(whole)["digest"]
    assert (out / "lexicon.parquet").read_bytes() == (whole / "lexicon.parquet").read_bytes()


def test_a_run_with_a_changed_lexicon_is_not_resumed(long: Path, tmp_path: Path) -> None:
    lexicon, out, whole = tmp_path / "lexicon.parquet", tmp_path / "out", tmp_path / "whole"
    scheme = I_MATCH.replace("corpus", str(lexicon))
    neardup.build_lexicon(["one two", "two three"], lexicon)
    kill_after("found", "dedup", long, out, "--scheme", scheme)
    neardup.build_lexicon(long, lexicon, overwrite=True)
    run_neardup("dedup", long, "-o", out, "--scheme", scheme)
    run_neardup("dedup", long, "-o", whole, "--scheme", scheme)
    assert summary_of(out)["digest"] == summary_of(whole)["digest"]


def test_too_little_memory_is_refused_with_the_need(tmp_path: Path) -> None:
    records = ({"text": " ".join(f"w{document}x{number}" for number in range(1000))} for document in range(400))
    path = write_records(tmp_path / "docs.jsonl", records)
    options = ("--threads", "1", "--scheme", I_MATCH)
    done = run_neardup("dedup", path, "-o", tmp_path / "out", "--memory", "54M", *options, code=2)
    assert "distinct terms that were counted so far; give " in done.stderr
    run_neardup("dedup", path, "-o", tmp_path / "out", "--memory", "96M", *options)
    assert summary_of(tmp_path / "out")["counts"]["dropped"] == 0


def test_documents_without_a_term_are_not_duplicates() -> None:
    texts = [
        "",
        "!?",
        "…",
        "so",
        "So!",
        "so so",
        "so red",
        "so blue",
        "so green",
        "so green",
        "비",
        "비가 와",
        "的",
        "的一是",
    ]
    scheme = "words | terms:0.4,0.9 weight=idf:corpus | digest:sha1 | each | equal"
    found = neardup.dedup(texts, scheme=scheme)
    # Lexically equal documents are still duplicates: `So!` and the second `so green`.
    assert [text for row, text in enumerate(texts) if row not in found.kept_rows] == ["So!", "so green"]
    rules = [rule for rule in found.decisions.column("rule") if rule]
    assert rules == ["lexical", "identical"]


def test_the_command(tmp_path: Path) -> None:
    path, out = as_text(tmp_path), tmp_path / "words.parquet"
    printed = run_neardup("lexicon", path, "-o", out).stdout
    assert f"documents  {len(DOCS):,}\n" in printed
    assert "counted    words | shingles:1 seed=0\n" in printed
    refused = run_neardup("lexicon", path, "-o", out, code=2).stderr
    assert "there already" in refused
    done = run_neardup(
        "lexicon", path, "-o", out, "--overwrite", "--json", "--scheme", "eojeol | shingles:2 | whole | each | equal"
    )
    made = json.loads(done.stdout)
    assert made["counted"] == "eojeol | shingles:2 seed=0"
    assert made["path"] == str(out)
    assert [path.name for path in tmp_path.iterdir() if "words" in path.name] == ["words.parquet"]
    with open(path, "a", encoding="utf-8") as file:
        file.write("{}\n")
    assert "docs.jsonl, line" in run_neardup("lexicon", path, "-o", tmp_path / "b", code=1).stderr
    assert not (tmp_path / "b").exists()
    skipped = run_neardup("lexicon", path, "-o", tmp_path / "b", "--on-error", "skip", code=3).stdout
    assert "skipped    1 record" in skipped


@pytest.mark.parametrize(
    ("scheme", "reason"),
    [
        ("words | terms:0.1,0.9 | digest | each | equal", "weight=idf:corpus"),
        ("words | terms:0.1,0.9 weight=idf:none.parquet | digest | each | equal", "lexicon none.parquet: No such file"),
        ("words | terms weight=idf:pyproject.toml | digest | each | equal", "lexicon pyproject.toml: "),
        (
            "words | spots antecedents=file:none | whole | lengths:0.5 | resemblance>=0.5",
            "antecedents none: No such file",
        ),
    ],
)
def test_wrong_schemes(scheme: str, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])
    with pytest.raises(UsageError, match=reason):
        neardup.dedup(["a", "b"], scheme=scheme)


def test_a_lexicon_of_other_terms_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "eojeol.parquet"
    neardup.build_lexicon(["하나 둘", "둘 셋"], path, scheme="eojeol | terms | digest | each | equal")
    scheme = f"words | terms:0.1,0.9 weight=idf:{path} | digest | each | equal"
    with pytest.raises(UsageError, match=r"counted from `eojeol \| shingles:1 seed=0`.*`words \| shingles:1 seed=0`"):
        neardup.dedup(["a", "b"], scheme=scheme)
    with pytest.raises(UsageError, match="counted by a run"):
        neardup.explain("a", "b", scheme=scheme.replace(str(path), "corpus"))
    with pytest.raises(UsageError, match="counts shingles or terms"):
        neardup.build_lexicon(["a"], tmp_path / "x", scheme="words | spots | whole | lengths:0.5 | resemblance>=0.5")
    with pytest.raises(UsageError, match="there is no option 'id_field'"):
        neardup.build_lexicon(["a"], tmp_path / "x", id_field="id")  # type: ignore[call-arg]
    assert list(tmp_path.iterdir()) == [path]


def test_explain_with_a_lexicon(tmp_path: Path) -> None:
    path = tmp_path / "lexicon.parquet"
    texts = ["so red rain fell", "so blue snow fell", "so green hills", "so", "so old"]
    neardup.build_lexicon(texts, path)
    scheme = f"words | terms:0.4,1 weight=idf:{path} | digest:sha1 | each | equal"
    found = neardup.explain("so red rain", "red so so rain", scheme=scheme)
    assert (found.rule, found.shared, found.left_size, found.right_size) == ("shingles", 2, 2, 2)
    assert neardup.explain("so so", "so", scheme=scheme).rule is None


def test_a_killed_count_leaves_nothing_that_looks_finished(long: Path, tmp_path: Path) -> None:
    out = tmp_path / "words.parquet"
    process = subprocess.Popen(
        [sys.executable, "-m", "neardup", "lexicon", str(long), "-o", str(out), "--threads", "1"]
    )
    while not list(tmp_path.iterdir()) and process.poll() is None:
        time.sleep(0.001)
    process.kill()
    process.wait()
    assert not out.exists()
    run_neardup("lexicon", long, "-o", out)
    assert all(path == out or path.name.endswith(".partial") for path in tmp_path.iterdir())


def test_the_summary_escapes_control_characters(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one two", encoding="utf-8")
    printed = run_neardup("lexicon", tmp_path / "a.txt", "-o", tmp_path / "q\x1b[31mRED").stdout
    assert "q<U+001B>[31mRED" in printed
    assert "\x1b" not in printed
