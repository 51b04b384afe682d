"""Repeated passages, compared with the definitions: all are found, and every removed passage is kept elsewhere."""

import json
from collections.abc import Hashable, Sequence
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any, Literal
from unicodedata import category

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import neardup
from command import Cli
from neardup import _core
from neardup.options.table import choices_of
from oracle import Repeat, find_repeats, tokens
from records import read_jsonl, read_rows, write_records
from texts import LANGUAGES, corpus

CUTS: tuple[Literal["sentences", "lines", "tokens"], ...] = ("sentences", "lines", "tokens")


PARTS = ("jamo", "bytes")
PLAIN_UNITS = ("words", "eojeol", "chars", "jamo", "bytes")
"""Units whose tokens the oracle computes."""


def locate(text: str, unit: str) -> list[tuple[int, int]]:
    """Return the bytes of every token of a text."""
    found = _core.tokens(text, f"{unit} | shingles:1 | whole | prefix:auto | resemblance>=0.8")
    return [(start, end) for _, start, end in found]


def rows(table: Any) -> list[dict[str, Any]]:
    names = table.column_names
    return [dict(zip(names, row, strict=True)) for row in zip(*map(table.column, names), strict=True)]


def number(key: str) -> int:
    """Return the position of a text by its id, which consists of source and row."""
    return int(key.rpartition(":")[2]) - 1


def occurrences(run: Sequence[Hashable], sequence: Sequence[Hashable]) -> int:
    return sum(list(sequence[at : at + len(run)]) == list(run) for at in range(len(sequence) - len(run) + 1))


def tokens_within(chars: str, unit: str) -> list[Hashable]:
    """Return the tokens of a passage. It may begin with a mark inside a word, though no word begins with a mark."""
    if unit == "words" and chars and category(chars[0]).startswith("M"):
        return tokens(f"ก{chars}", unit)[1:]
    return tokens(chars, unit)


def check_found(texts: list[str], width: int, unit: str, found: neardup.PassageList[Any]) -> list[Repeat]:
    """Compare the tables of passages with the definition."""
    sequences = [tokens(text, unit) for text in texts]
    expected = find_repeats(sequences, width)
    passages = rows(found.passages)
    assert [(number(row["id"]), row["tokens"], number(row["original"])) for row in passages] == [
        (repeat.document, repeat.end - repeat.start, repeat.original) for repeat in expected
    ]
    for row, repeat in zip(passages, expected, strict=True):
        run = sequences[repeat.document][repeat.start : repeat.end]
        for key, at in (("id", ""), ("original", "original_")):
            text = texts[number(row[key])]
            chars = text[row[f"{at}char_start"] : row[f"{at}char_end"]]
            alone = tokens_within(chars, unit)
            # jamo and bytes may begin and end inside a code point; then the whole code point counts
            assert alone == run or (unit in PARTS and occurrences(run, alone))
            assert text.encode()[row[f"{at}start"] : row[f"{at}end"]].decode() == chars
    repeated = rows(found.repeated)
    places = {(repeat.original, repeat.original_start, repeat.original_end) for repeat in expected}
    assert len(repeated) == len(places)
    assert [row["passage"] for row in repeated] == list(range(1, len(repeated) + 1))
    assert [row["times"] for row in repeated] == sorted((row["times"] for row in repeated), reverse=True)
    for row in repeated:
        run = tokens_within(texts[number(row["id"])][row["char_start"] : row["char_end"]], unit)
        if unit in PARTS:
            continue
        assert len(run) == row["tokens"]
        assert row["times"] == sum(occurrences(run, sequence) for sequence in sequences)
    counts = found.summary["counts"]
    marked = {(repeat.document, at) for repeat in expected for at in range(repeat.start, repeat.end)}
    assert counts["repeated_tokens"] == len(marked)
    assert counts["tokens"] == sum(map(len, sequences))
    return expected


def rest_of(texts: list[str], found: neardup.PassageList[Any]) -> dict[int, str]:
    """Return the rest of every text without the runs that the table of removed runs lists."""
    gaps: dict[int, list[tuple[int, int, bool]]] = {}
    for row in rows(found.removed):
        at = number(row["id"])
        removed = texts[at][row["char_start"] : row["char_end"]]
        assert texts[at].encode()[row["start"] : row["end"]].decode() == removed
        gaps.setdefault(at, []).append((row["char_start"], row["char_end"], row["line_feed"]))
    left: dict[int, str] = {}
    for at, text in enumerate(texts):
        done, left[at] = 0, ""
        for start, end, feed in gaps.get(at, []):
            left[at] += text[done:start] + ("\n" if feed else "")
            done = end
        left[at] += text[done:]
    return left


def check_cut(texts: list[str], unit: str, found: neardup.PassageList[list[str]]) -> None:
    """Check that a cut removes whole code points, and that the tables agree with the kept texts.

    With `lines`, every removed line is in a remaining text. With `tokens`, every original remains in full.
    """
    left = rest_of(texts, found)
    changed = {number(row["id"]): row for row in rows(found.changed)}
    assert changed.keys() == {number(row["id"]) for row in rows(found.removed)}
    for at, row in changed.items():
        assert row["tokens"] == len(tokens(texts[at], unit))
        assert (row["verdict"] == "drop") == (row["tokens_left"] == 0)
    assert found.kept == [left[at] for at in left if at not in changed or changed[at]["verdict"] == "cut"]
    if found.summary["cut"] == "lines":
        whole = [tokens(text, unit) for text in left.values()]
        for row in rows(found.removed):
            for line in texts[number(row["id"])][row["char_start"] : row["char_end"]].split("\n"):
                assert any(occurrences(tokens(line, unit), sequence) for sequence in whole), line
    if found.summary["cut"] != "tokens":
        return
    for row in rows(found.repeated):
        first = number(row["id"])
        run = tokens(texts[first][row["char_start"] : row["char_end"]], unit)
        assert occurrences(run, tokens(left[first], unit)), "an original was cut"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [3, 8])
def test_texts_of_many_scripts(language: str, width: int, *, deep: bool) -> None:
    texts = [doc.text for doc in corpus(language, 3, families=12 if deep else 6)]
    for cut in CUTS:
        found = neardup.find_passages(texts, width, cut=cut)
        check_found(texts, width, "words", found)
        check_cut(texts, "words", found)


@pytest.mark.parametrize("unit", ["eojeol", "chars", "jamo", "bytes"])
def test_other_units(unit: Literal["eojeol", "chars", "jamo", "bytes"]) -> None:
    texts = [doc.text for doc in corpus("mixed", 5, families=6, largest=4)]
    texts += ["가나다라 마바사", "👩‍👧 é e\u0301 각", "👩‍👧 é e\u0301 각"]
    for cut in CUTS:
        found = neardup.find_passages(texts, 6, unit=unit, cut=cut)
        check_found(texts, 6, unit, found)
        check_cut(texts, unit, found)


LETTERS = st.lists(st.lists(st.sampled_from(["a", "b", "c", "一", "二", "。", ".", "\n"]), max_size=30), max_size=7)


@settings(max_examples=150)
@given(LETTERS, st.integers(2, 6), st.sampled_from(CUTS))
def test_small_alphabets(letters: list[list[str]], width: int, cut: Literal["sentences", "lines", "tokens"]) -> None:
    texts = [" ".join(text) for text in letters]
    found = neardup.find_passages(texts, width, cut=cut)
    expected = check_found(texts, width, "words", found)
    check_cut(texts, "words", found)
    if cut == "tokens":
        check_tokens_cut(texts, width, "words", expected, found)


def check_tokens_cut(
    texts: list[str], width: int, unit: str, expected: list[Repeat], found: neardup.PassageList[list[str]]
) -> None:
    """Check that every repeated token is removed, except inside originals, and that no passage is left twice.

    A code point that also belongs to a remaining token stays, and so does a run that by itself has no tokens.
    """
    kept = {(repeat.original, at) for repeat in expected for at in range(repeat.original_start, repeat.original_end)}
    goes = {(repeat.document, at) for repeat in expected for at in range(repeat.start, repeat.end)} - kept
    gone = [[False] * len(text) for text in texts]
    for row in rows(found.removed):
        for at in range(row["char_start"], row["char_end"]):
            gone[number(row["id"])][at] = True
    seen: set[tuple[Hashable, ...]] = set()
    for document, text in enumerate(texts):
        sequence, spans = tokens(text, unit), [points(text, span) for span in locate(text, unit)]
        stays = {point for at, span in enumerate(spans) if (document, at) not in goes for point in span}
        stays |= {point for point in without_tokens(text, unit, stays) if not gone[document][point]}
        for at, span in enumerate(spans):
            assert (document, at) in goes or not any(gone[document][point] for point in span)
            assert all(gone[document][point] == (point not in stays) for point in span)
        for start in range(len(sequence) - width + 1):
            run = range(start, start + width)
            if any(gone[document][point] for point in range(spans[start].start, spans[start + width - 1].stop)):
                continue
            gram = tuple(sequence[start : start + width])
            assert gram not in seen or all((document, at) in kept or stays.issuperset(spans[at]) for at in run)
            seen.add(gram)


def without_tokens(text: str, unit: str, stays: set[int]) -> list[int]:
    """Return the code points of runs that would go and that have no tokens by themselves.

    A mark after characters without spaces between words is a token of the text, but no word begins with a mark.
    """
    runs = [list(run) for goes, run in groupby(range(len(text)), lambda point: point not in stays) if goes]
    return [point for run in runs if not tokens("".join(text[at] for at in run), "words") for point in run]


def points(text: str, span: tuple[int, int]) -> range:
    """Return the range of code points of a span of bytes, which may begin and end inside a code point."""
    whole = text.encode()
    before = len(whole[: span[0]].decode(errors="ignore"))
    return range(before, before + len(whole[len(text[:before].encode()) : span[1]].decode(errors="replace")))


ODD = [
    "a",
    "b",
    "가",
    "각",
    "나",
    "カ",
    "タ",
    "一",
    "ก",
    "。",
    ".",
    ",",
    " ",
    " ",
    "\n",
    "é",
    "\u0301",
    "\u1161",
    "İ",
    "🙂",
    "\u3000",
]
PIECES = st.lists(st.sampled_from(ODD), min_size=1, max_size=4).map("".join)


@st.composite
def repeating(draw: st.DrawFn) -> list[str]:
    """Draw texts of a few repeated pieces, so that passages touch, overlap and begin inside a token."""
    pieces = draw(st.lists(PIECES, min_size=1, max_size=4))
    return ["".join(text) for text in draw(st.lists(st.lists(st.sampled_from(pieces), max_size=8), max_size=4))]


def count(text: str, unit: str) -> int:
    """Count tokens by the oracle, or by the core for `segmented`, which needs a dictionary."""
    return len(locate(text, unit)) if unit == "segmented" else len(tokens(text, unit))


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("unit", choices_of("passages", "unit"))
@settings(max_examples=30)
@given(texts=repeating(), width=st.integers(2, 5))
def test_counts_equal_the_tokens_that_are_removed_and_left(
    cut: Literal["sentences", "lines", "tokens"], unit: Any, texts: list[str], width: int
) -> None:
    found = neardup.find_passages(texts, width, unit=unit, cut=cut)
    removed = rows(found.removed)
    for row in removed:
        assert row["tokens"] == count(texts[number(row["id"])][row["char_start"] : row["char_end"]], unit) > 0
    left = rest_of(texts, found)
    for row in rows(found.changed):
        at = number(row["id"])
        assert (row["tokens"], row["tokens_left"]) == (count(texts[at], unit), count(left[at], unit))
    counts = found.summary["counts"]
    assert counts["removed_tokens"] == sum(row["tokens"] for row in removed)
    assert counts["tokens"] == sum(count(text, unit) for text in texts)


@pytest.mark.parametrize(
    ("text", "kept", "counts"),
    [
        ("가.가.가", "가.가", [8, 5, 3]),
        # the first jamo of the second syllable belongs to the original: that syllable and the space before it stay
        ("갇 갇갇", "갇 갇", [9, 6, 3]),
    ],
)
def test_a_syllable_stays_if_one_of_its_jamo_stays(text: str, kept: str, counts: list[int]) -> None:
    found = neardup.find_passages([text], 2, unit="jamo", cut="tokens")
    assert found.kept == [kept]
    [changed], [removed] = rows(found.changed), rows(found.removed)
    assert [changed["tokens"], changed["tokens_left"], removed["tokens"]] == counts


@settings(max_examples=150)
@given(repeating(), st.integers(2, 5), st.sampled_from(PLAIN_UNITS))
@example(["カカカ\u0301。aカカカ\u0301。á。aカカカ"], 3, "words")  # the mark before á is removed by itself: it stays
def test_tokens_that_overlap(texts: list[str], width: int, unit: str) -> None:
    options: Any = {"unit": unit, "cut": "tokens"}
    found = neardup.find_passages(texts, width, **options)
    expected = find_repeats([tokens(text, unit) for text in texts], width)
    check_tokens_cut(texts, width, unit, expected, found)


def test_a_run_of_character_pairs_may_stay_at_a_later_place() -> None:
    """The third pair of characters is removed, but both its characters are in other pairs that stay."""
    found = neardup.find_passages(["カタカタカナタカナ"], 2, cut="tokens")
    assert found.kept == ["カタカタカナタ"]
    assert occurrences(["カタ", "タカ"], tokens(found.kept[0])) == 2


SENTENCES = [f"{word.capitalize()} " + " ".join(f"{word}{n}" for n in range(5)) + "." for word in "abcdefghijklmn"]


@settings(max_examples=60)
@given(st.lists(st.lists(st.sampled_from(SENTENCES), max_size=12), max_size=8), st.integers(2, 20))
def test_every_removed_sentence_is_whole_in_a_kept_text(chosen: list[list[str]], width: int) -> None:
    for cut in CUTS[:2]:
        space = "\n" if cut == "lines" else " "
        texts = [space.join(text) for text in chosen]
        found = neardup.find_passages(texts, width, cut=cut)
        check_cut(texts, "words", found)
        kept = [tokens(text) for text in found.kept]
        for row in rows(found.removed):
            text = texts[number(row["id"])][row["char_start"] : row["char_end"]]
            sentences = text.replace(".", ".|").split("|")[:-1]
            assert sentences
            assert text.strip()[-1] == "."
            for sentence in sentences:
                assert any(occurrences(tokens(sentence), sequence) for sequence in kept), sentence
        for text in found.kept:
            assert all(piece.strip() + "." in SENTENCES for piece in text.split(".")[:-1])


LINE = "The ferry leaves the long stone quay at seven and comes back at noon"
SAID = "The ferry leaves the long stone quay at eight and comes back at noon"
LONG = f"{LINE}, except on days of storm, when it stays"


@pytest.mark.parametrize("cut", CUTS[:2])
@pytest.mark.parametrize("width", [2, 8, 14, 20])
@pytest.mark.parametrize(
    ("texts", "kept"),
    [
        ([f"{LINE}.\n" * 6], [f"{LINE}.\n"]),
        ([f"{LINE}. " * 6], [f"{LINE}. "]),
        (["Another start.\n" + f"{LINE}.\n" * 3 + "The end."], [f"Another start.\n{LINE}.\nThe end."]),
        # of a line shorter than a passage one more copy may stay if another document has two in a row
        ([f"{LONG}.\n" * 6, f"{LONG}.\n" * 2, "So it ends.\n"], [f"{LONG}.\n", "So it ends.\n"]),
        # lines that differ in a word: a copy of the second is in two passages
        (
            [f"{LINE}.\n{SAID}.\n" * 3, f"{SAID}.\n" * 2 + f"{LINE}.\n", "So it ends.\n"],
            [f"{LINE}.\n{SAID}.\n", "So it ends.\n"],
        ),
        ([f"{LINE}.\n", f"{SAID}.\n", f"{SAID}.\n"], [f"{LINE}.\n", f"{SAID}.\n"]),
        (
            [f"{LINE}.\nWhat it carries nobody has ever counted.\n" * 4],
            [f"{LINE}.\nWhat it carries nobody has ever counted.\n"],
        ),
    ],
)
def test_one_copy_stays_and_a_second_run_changes_nothing(
    texts: list[str], kept: list[str], width: int, cut: Literal["sentences", "lines"]
) -> None:
    if cut == "lines":
        texts, kept = ([text.replace(". ", ".\n") for text in some] for some in (texts, kept))
    found = neardup.find_passages(texts, width, cut=cut)
    assert found.kept == kept
    again = neardup.find_passages(found.kept, width, cut=cut)
    assert again.kept == kept
    assert again.summary["counts"]["removed_tokens"] == 0


RECORDS = [
    '{"id": 1, "text": "Alpha beta gamma delta. One \\u00e9 two\\nthree.", "more": [1, {"x": "y"}]}\r\n',
    "\n",
    ' {"more": "\\u00e9" , "text" : "Start here. Alpha beta gamma delta. \\"End\\" \\ud83d\\ude00." , "id":2 }\n',
    '{"id": 3, "text": "Alpha  beta, gamma delta.\\n", "more": null}\n',
    '{"id": 4, "text": "Nothing of all that."}',
]
KEPT = [
    RECORDS[0],
    "\n",
    ' {"more": "\\u00e9" , "text" : "Start here. \\"End\\" 😀." , "id":2 }\n',
    '{"id": 4, "text": "Nothing of all that."}',
]


@pytest.mark.parametrize("name", ["docs.jsonl", "docs.jsonl.gz", "docs.jsonl.zst"])
def test_only_the_text_of_changed_records_is_rewritten(name: str, cli: Cli, tmp_path: Path) -> None:
    import gzip

    import pyarrow as pa

    whole = "".join(RECORDS).encode()
    packed: dict[str, Any] = {"gz": gzip.compress, "zst": lambda data: pa.compress(data, "zstd", asbytes=True)}
    pack = packed.get(name.rpartition(".")[2], bytes)
    (tmp_path / name).write_bytes(pack(whole))
    cli("passages", tmp_path / name, "-o", tmp_path / "out", "--tokens", 4, "--quiet")
    kept = (tmp_path / "out" / "kept" / name).read_bytes()
    if name.endswith("gz"):
        kept = gzip.decompress(kept)
    elif name.endswith("zst"):
        unpack: Any = pa.CompressedInputStream
        kept = unpack(pa.BufferReader(kept), "zstd").read()
    assert kept.decode() == "".join(KEPT)
    changed = read_rows(tmp_path / "out" / "changed.parquet")
    assert [(row["row"], row["verdict"], row["tokens_left"]) for row in changed] == [(3, "cut", 3), (4, "drop", 0)]


def test_tables_are_cut(cli: Cli, tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet

    shared = "The same five words again."
    table = (
        f'n,text,more\r\n1,{shared},x\r\n2,"Say ""yes"", 한글. {shared}",y\r\n3,{shared},z\r\n4,"Other, words.",\r\n'
    )
    kept = f'n,text,more\r\n1,{shared},x\r\n2,"Say ""yes"", 한글. ",y\r\n4,"Other, words.",\r\n'
    for name, delimiter in (("docs.csv", ","), ("docs.tsv", "\t")):
        (tmp_path / name).write_bytes(table.replace(",", delimiter).encode())
        cli("passages", tmp_path / name, "-o", tmp_path / f"{name}.out", "--tokens", 5, "--quiet", "--quoted-tsv")
        assert (tmp_path / f"{name}.out" / "kept" / name).read_bytes().decode() == kept.replace(",", delimiter)
    texts = [[shared, f"Came number{row}. {shared}", shared, "Other words."][row % 4] for row in range(12_000)]
    for kind in (pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())):
        columns = {
            "n": list(range(len(texts))),
            "text": pa.array(texts).cast(kind),
            "more": [[1], None, [2, 3], []] * 3000,
        }
        given = pa.table(columns)
        pyarrow.parquet.write_table(given, tmp_path / "docs.parquet")
        command = (
            "passages",
            tmp_path / "docs.parquet",
            "-o",
            tmp_path / "out",
            "--tokens",
            5,
            "--overwrite",
            "--quiet",
        )
        cli(*command)
        written = pyarrow.parquet.read_table(tmp_path / "out" / "kept" / "docs.parquet")
        assert written.schema == given.schema
        stays = [row for row in range(len(texts)) if row % 4 in (1, 3) or row == 0]
        whole = given.to_pylist()
        expected = [whole[row] for row in stays]
        for row in expected:
            row["text"] = row["text"] if row["n"] % 4 != 1 else f"Came number{row['n']}. "
        assert written.to_pylist() == expected


def test_text_files_are_cut(cli: Cli, tmp_path: Path) -> None:
    shared = "The same five words again."
    texts = {"a.txt": f"{shared} First.", "b/b.md": f"\ufeffSecond.\r\n{shared}\r\nThird.", "c.txt": f"{shared}\n"}
    for name, text in texts.items():
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).write_bytes(text.encode())
    cli("passages", tmp_path / "in", "-o", tmp_path / "out", "--tokens", 5, "--quiet")
    kept = tmp_path / "out" / "kept"
    assert {str(path.relative_to(kept)) for path in kept.rglob("*.*")} == {"a.txt", "b/b.md"}
    assert (kept / "a.txt").read_bytes() == texts["a.txt"].encode()
    assert (kept / "b" / "b.md").read_bytes() == "\ufeffSecond.\r\nThird.".encode()


def test_documents_with_too_little_left_are_dropped_unless_they_contain_an_original() -> None:
    shared = "One two three four five six. "
    texts = [shared, f"Rest here. {shared}", f"{shared}Other new words come now. ", "Other new words come now. Yes."]
    found = neardup.find_passages(texts, 5, least=7)
    assert [(number(row["id"]), row["verdict"]) for row in rows(found.changed)] == [
        (1, "drop"),
        (2, "cut"),
        (3, "drop"),
    ]
    assert found.kept == [shared, "Other new words come now. "]


def test_documents_keep_their_metadata() -> None:
    shared = "One two three four five six."
    docs = [neardup.Document(shared, id="b", time=3), neardup.Document(f"More. {shared}", id="a", url="http://a")]
    found = neardup.find_passages(docs, 5)
    assert found.kept == [docs[0], docs[1]._replace(text="More. ")]
    assert found.passages.column("id") == ["a"]
    assert found.passages.column("original") == ["b"]
    assert found.digest == neardup.find_passages(docs, 5, threads=1, memory="64M").digest


def family(documents: int) -> list[dict[str, Any]]:
    """Return documents of unique words, all with one block of 60 words."""
    random = Random(7)
    block = " ".join(f"Block{n}" for n in range(60))
    return [{"text": f"{random.random()} own words. {block}. {random.random()} end."} for _ in range(documents)]


def test_a_block_in_all_documents_costs_time_for_its_places_only(cli: Cli, tmp_path: Path) -> None:
    documents = 20_000
    path = write_records(tmp_path / "docs.jsonl", family(documents))
    done = cli("passages", path, "-o", tmp_path / "out", "--json")
    summary = json.loads(done.stdout)
    assert summary["counts"]["passages"] == documents - 1
    assert summary["effort"]["fingerprinted"] <= documents * (60 + 50)
    [row] = read_rows(tmp_path / "out" / "repeated.parquet")
    # with the two words before the block and the first digit after it
    assert (row["times"], row["tokens"]) == (documents, 63)
    assert summary["counts"]["removed_tokens"] == (documents - 1) * 60


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory, deep: bool) -> Path:
    count = 3000 if deep else 1500
    random = Random(3)
    blocks = [" ".join(random.choices(MIXED_WORDS, k=random.randrange(5, 60))) + ". " for _ in range(300)]
    # some differ in the first word, and are therefore in several passages
    blocks += [f"Other{at} {block.partition(' ')[2]}" for at, block in enumerate(blocks[:30])]
    records = []
    for at in range(count):
        text = "".join(random.choice(blocks) for _ in range(random.randrange(1, 9)))
        records.append({"id": f"d{at * 7919 % count}", "text": text})
    return write_records(tmp_path_factory.mktemp("mixed") / "docs.jsonl", records)


MIXED_WORDS = LANGUAGES["mixed"]


def test_the_same_for_any_threads_chunks_and_memory(mixed: Path, tmp_path: Path) -> None:
    scheme = "words | shingles:20 | whole | each | equal"
    tables = {}
    for threads, chunk, memory in ((1, 1 << 21, 1 << 30), (4, 4096, 1 << 30), (2, 50_000, 66 << 20)):
        out = tmp_path / f"out{threads}"
        options: Any = {"scheme": scheme, "threads": threads, "chunk": chunk, "memory": memory, "output": str(out)}
        summary = json.loads(_core.run("passages", [str(mixed)], options | {"id_field": "id"}).summary)
        files = [(path.name, path.read_bytes()) for path in sorted(out.glob("*.parquet"))]
        kept = (out / "kept" / "docs.jsonl").read_bytes()
        tables[summary["digest"], json.dumps([summary["counts"], summary["effort"]])] = (files, kept)
        assert next(iter(tables.values())) == (files, kept)
    assert len(tables) == 1
    assert summary["counts"]["passages"] > 1000


def test_a_second_run_finds_nothing(cli: Cli, tmp_path: Path) -> None:
    path = write_records(tmp_path / "docs.jsonl", family(50))
    cli("passages", path, "-o", tmp_path / "one", "--quiet")
    cli("passages", tmp_path / "one" / "kept" / "docs.jsonl", "-o", tmp_path / "two", "--quiet")
    assert read_rows(tmp_path / "two" / "passages.parquet") == []
    kept = tmp_path / "two" / "kept" / "docs.jsonl"
    assert kept.read_bytes() == (tmp_path / "one" / "kept" / "docs.jsonl").read_bytes()


def test_skipped_records_take_no_part(cli: Cli, tmp_path: Path) -> None:
    text = "One two three four five six seven."
    lines = [
        {"id": "a", "text": text},
        {"id": "a", "text": f"New. {text}"},
        {"text": text},
        {"id": "b", "text": f"Hi. {text}"},
    ]
    path = write_records(tmp_path / "docs.jsonl", lines)
    options = ("--tokens", 5, "--id-field", "id", "--on-error", "skip", "--quiet")
    cli("passages", path, "-o", tmp_path / "out", *options, code=3)
    assert read_jsonl(tmp_path / "out" / "kept" / "docs.jsonl") == [lines[0], {"id": "b", "text": "Hi. "}]
    assert [(row["id"], row["original"]) for row in read_rows(tmp_path / "out" / "passages.parquet")] == [("b", "a")]


def test_formats_that_cannot_be_cut_are_refused(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "docs.html").write_text("<p>One two three. <p>One two three.", encoding="utf-8")
    done = cli("passages", tmp_path / "docs.html", "-o", tmp_path / "out", "--tokens", 3, code=2)
    assert "docs.html: files of this kind cannot be cut" in done.stderr
    assert "--no-kept" in done.stderr
    html = write_records(tmp_path / "docs.jsonl", [{"html": "<p>One two three."}])
    done = cli("passages", html, "-o", tmp_path / "out", "--tokens", 3, "--html-field", "html", code=2)
    assert 'HTML of "html"' in done.stderr
    cli("passages", tmp_path / "docs.html", "-o", tmp_path / "out", "--tokens", 3, "--no-kept")
    assert len(read_rows(tmp_path / "out" / "passages.parquet")) == 1
    for option, value, allowed in (("cut", "words", "sentences, lines, tokens"), ("unit", "lines", "words, eojeol")):
        with pytest.raises(neardup.UsageError, match=allowed):
            neardup.find_passages(["text"], **{option: value})  # type: ignore[call-overload]
    tokens: Any
    for tokens, allowed in ((1, "2 to 64"), (65, "2 to 64"), (2.5, "whole numbers"), ("50", "whole numbers")):
        with pytest.raises(neardup.UsageError, match=f"tokens is {tokens!r}; allowed are {allowed}"):
            neardup.find_passages(["text"], tokens)
    assert neardup.find_passages(["text"], 64).summary["tokens"] == 64
    for width in (1, 65):
        done = cli("passages", html, "-o", tmp_path / "out", "--tokens", width, code=2)
        assert f"{width} is not in the range 2<=x<=64" in done.stderr


def test_the_page_shows_the_most_repeated(cli: Cli, tmp_path: Path) -> None:
    block = "<b>Buy now</b> and & save \u202e much"
    path = write_records(tmp_path / "docs.jsonl", [{"text": f"{block} number {at}"} for at in range(12)])
    cli("passages", path, "-o", tmp_path / "out", "--tokens", 5)
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "<b>12</b> times in 12 documents" in page
    assert "b&gt;Buy now&lt;/b&gt; and &amp; save" in page
    for foreign in ("\u202e", "<script", "http:", "https:"):
        assert foreign not in page


@pytest.mark.parametrize("output", [False, True])
def test_a_rejected_record_is_not_kept(output: bool, tmp_path: Path) -> None:
    text = "at noon the old clock of the mill strikes twelve times over the quiet river and the fields behind it"
    rows = [("a", text), ("a", "again\u2028and again"), ("b", "first. " + text)]
    documents = [neardup.Document(words, key) for key, words in rows]
    target = tmp_path / "out" if output else None
    found = neardup.find_passages(documents, 10, id_field="id", on_error="skip", output=target)
    assert found.summary["counts"]["rejected"] == 1
    assert [document.id for document in found.kept] == ["a", "b"]
    assert len(found.kept) == found.summary["counts"]["kept"]
