"""Which files of a folder, a pattern or an archive are read, and how the others are counted."""

import io
import json
import tarfile
import zipfile
from pathlib import Path

import pyarrow as pa
import pytest

import neardup
from command import run_neardup, run_process
from neardup import DataError, NeardupError, UsageError
from records import read_jsonl, write_records

ROW = {"text": "the ferry left at noon"}


def sources(path: Path, **options: object) -> list[str]:
    """Return the sources of the documents that are read, in order."""
    return [str(one.source) for one in neardup.read(path, **options)]  # type: ignore[arg-type]


def test_hidden_files_are_left_out_and_counted(tmp_path: Path) -> None:
    for name in ("a.jsonl", ".ipynb_checkpoints/a-checkpoint.jsonl", "._a.jsonl", ".hidden.jsonl", "b/.git/c.jsonl"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        write_records(tmp_path / name, [ROW])
    result = neardup.dedup(tmp_path)
    assert result.summary["counts"]["documents"] == 1
    files = result.summary["files"]
    assert (files["found"], files["read"], files["not_read"]) == (5, 1, 4)
    assert files["reasons"] == {"hidden file": 2, "hidden folder": 2}
    for pattern in ("*.jsonl", "**/*.jsonl"):
        assert sources(tmp_path / pattern) == ["a.jsonl"]
    # what is named is read
    assert len(sources(tmp_path / ".hidden.jsonl")) == len(sources(tmp_path / ".ipynb_checkpoints")) == 1
    assert sources(tmp_path / ".*.jsonl") == ["._a.jsonl", ".hidden.jsonl"]


def test_patterns_choose_files(tmp_path: Path) -> None:
    for name in ("train/a.jsonl", "test/b.jsonl", "train/old/c.jsonl", "notes.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        write_records(tmp_path / name, [ROW])
    assert sources(tmp_path, include=["train/**"]) == ["train/a.jsonl", "train/old/c.jsonl"]
    assert sources(tmp_path, exclude=["*.txt", "train/old/*"]) == ["test/b.jsonl", "train/a.jsonl"]
    done = run_neardup("dedup", tmp_path, "-o", tmp_path / "out", "--include", "*.jsonl", "--exclude", "c.*")
    assert "1 excluded" in done.stderr + done.stdout
    assert "1 not included" in done.stderr + done.stdout
    with pytest.raises(NeardupError, match="no file of a known kind"):
        sources(tmp_path, include=["*.csv"])
    with pytest.raises(UsageError, match="not a pattern"):
        sources(tmp_path, include=["[a"])


def test_source_files_are_read_where_they_are_wanted(tmp_path: Path) -> None:
    for name in ("a.py", "b.java", "c.xml", "notes.txt", "d.bin"):
        (tmp_path / name).write_text("x = sum(range(12)) + f(7)\n")
    assert sources(tmp_path) == ["notes.txt"]
    assert sources(tmp_path, include=["*.py", "*.txt"]) == ["a.py", "notes.txt"]
    assert len(sources(tmp_path / "a.py")) == 1
    result = neardup.dedup(tmp_path, scheme="code")
    assert (result.summary["counts"]["documents"], result.summary["counts"]["dropped"]) == (4, 3)
    assert neardup.dedup(tmp_path, scheme=neardup.profiles.code(threshold="0.9")).summary["counts"]["documents"] == 4
    assert result.summary["files"]["reasons"] == {"unknown suffix .bin": 1}


def test_archives_are_folders(tmp_path: Path) -> None:
    files = {
        "b/two.jsonl": '{"text": "no boat came today"}\n{"text": "the ferry left at noon"}\n',
        "a.txt": ROW["text"],
    }
    with zipfile.ZipFile(tmp_path / "docs.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    with tarfile.open(tmp_path / "docs.tar.gz", "w:gz") as archive_of_tar:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive_of_tar.addfile(member, io.BytesIO(content.encode()))
    for name in ("docs.zip", "docs.tar.gz"):
        out = tmp_path / f"out of {name}"
        run_neardup("dedup", tmp_path / name, "-o", out, "--quiet")
        assert not (out / "kept" / name / "b" / "two.jsonl.partial").exists()
        assert read_jsonl(out / "kept" / name / "b" / "two.jsonl") == [{"text": "no boat came today"}]
        assert (out / "kept" / name / "a.txt").read_text() == ROW["text"]
        again = neardup.dedup(tmp_path / name, output=tmp_path / "again", overwrite=True)
        assert again.summary["counts"]["dropped"] == 1
    whole = neardup.dedup(tmp_path, exclude=["out*/**", "again/**"])
    assert whole.summary["counts"] == whole.summary["counts"] | {"documents": 6, "dropped": 4}


def test_a_cut_archive_is_an_error_or_counted(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "docs.tar", "w") as archive:
        for name in ("a.jsonl", "b.jsonl"):
            content = b'{"text": "the ferry left at noon"}\n' * 30
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    path = tmp_path / "docs.tar"
    path.write_bytes(path.read_bytes()[:3000])
    with pytest.raises(DataError, match=r"docs\.tar: the archive is cut off in b\.jsonl.*--on-error skip"):
        neardup.dedup(path)
    result = neardup.dedup(path, on_error="skip")
    assert result.summary["records"]["rejected"] >= 1


def lines(*words: str) -> str:
    return "".join(json.dumps({"text": f"the ferry left at noon with {word}"}) + "\n" for word in words)


def write_zip(path: Path, *, encrypted: str = "", damaged: str = "", **files: str) -> Path:
    """Write a zip without compression, in which one file is marked as encrypted and one has other bytes."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(f"{name}.jsonl", content)
    data = bytearray(path.read_bytes())
    for magic, at_flags, at_name in ((b"PK\3\4", 6, 30), (b"PK\1\2", 8, 46)):
        at = data.find(magic)
        while encrypted and at >= 0:
            if data[at + at_name :].startswith(encrypted.encode()):
                data[at + at_flags] |= 1
            at = data.find(magic, at + 1)
    if damaged:
        at = data.find(files[damaged].encode())
        data[at + 20] ^= 1
    path.write_bytes(data)
    return path


def test_a_file_of_an_archive_that_cannot_be_read_is_a_reject(tmp_path: Path) -> None:
    files = {"a": lines("mail"), "b": lines("goats"), "c": lines("flour", "salt"), "d": lines("rope")}
    path = write_zip(tmp_path / "docs.zip", encrypted="b", damaged="c", **files)
    with pytest.raises(DataError, match=r"docs\.zip: b\.jsonl is encrypted.*--on-error skip"):
        neardup.dedup(path)
    out = tmp_path / "out"
    done = run_neardup("dedup", path, "-o", out, "--on-error", "skip", code=3)
    assert "2 records, listed in rejects.jsonl" in done.stdout
    rejects = read_jsonl(out / "rejects.jsonl")
    assert [(one["source"], one["unit"]) for one in rejects] == [
        ("docs.zip/b.jsonl", "file"),
        ("docs.zip/c.jsonl", "file"),
    ]
    run = json.loads((out / "run.json").read_text())
    assert (run["files"]["found"], run["files"]["read"], run["files"]["not_read"]) == (4, 4, 0)
    assert (run["counts"]["documents"], run["records"]["found"], run["records"]["rejected"]) == (2, 4, 2)
    kept = out / "kept" / "docs.zip"
    assert sorted(one.name for one in kept.iterdir()) == ["a.jsonl", "d.jsonl"]
    assert (kept / "d.jsonl").read_text() == files["d"]


def test_an_archive_that_cannot_be_read_is_a_reject(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "docs.zip", a=lines("mail"))
    path.write_bytes(path.read_bytes()[:-30])
    write_records(tmp_path / "b.jsonl", [ROW])
    with pytest.raises(DataError, match=r"docs\.zip: the archive is damaged"):
        neardup.dedup(tmp_path)
    result = neardup.dedup(tmp_path, on_error="skip", output=tmp_path / "out")
    counts = (
        result.summary["counts"]["documents"],
        result.summary["records"]["rejected"],
        result.summary["files"]["found"],
    )
    assert counts == (1, 1, 2)
    assert sorted(one.name for one in (tmp_path / "out" / "kept").iterdir()) == ["b.jsonl"]
    # the kept records of several files are one stream, without what cannot be read
    done = run_process("dedup", tmp_path / "docs.zip", tmp_path / "b.jsonl", "-o", "-", "--on-error", "skip", code=3)
    assert [json.loads(line) for line in done.stdout.splitlines()] == [ROW]


def test_patterns_that_match_no_file_are_named(tmp_path: Path) -> None:
    write_zip(tmp_path / "d.zip", a=lines("mail"), b=lines("goats"))
    write_records(tmp_path / "c.jsonl", [ROW])
    (tmp_path / "s.py").write_text("x = 1\n")
    result = neardup.dedup(tmp_path, include=["d.zip/**", "*.{csv,tsv}"], exclude=["d.zip/b.*", "old/**"])
    assert [one for one in result.summary["notes"] if "no file matches" in one] == [
        "no file matches `*.{csv,tsv}` (include)",
        "no file matches `old/**` (exclude)",
    ]
    assert result.summary["counts"]["documents"] == 1
    reasons = neardup.dedup(tmp_path).summary["files"]["reasons"]
    assert reasons == {"source code, which --scheme code or --include reads": 1}
    with pytest.raises(NeardupError, match=r"\*\.xyz: no file matches this pattern"):
        neardup.dedup(tmp_path / "*.xyz")
    # so are those of a run with a reference that has no files, or whose input has none
    unused, table = "no file matches `*.csv` (include)", pa.table({"text": ["flour"]})
    assert unused in neardup.dedup(tmp_path / "c.jsonl", include=["*.jsonl", "*.csv"], against=table).summary["notes"]
    assert unused in neardup.dedup(table, include=["*.jsonl", "*.csv"], against=tmp_path / "c.jsonl").summary["notes"]
    assert unused in neardup.find_passages(tmp_path / "c.jsonl", include=["*.jsonl", "*.csv"]).summary["notes"]


def test_texts_are_cut_beside_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    text = "a+b\n" + "the ferry leaves the quay at noon and comes back at night with the mail\n" * 2
    path = tmp_path / "docs.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.csv", text)
        archive.writestr("b.csv", text)
    content = bytearray(path.read_bytes())
    content[content.rindex(b"at noon")] ^= 1
    path.write_bytes(content)
    found = neardup.find_passages(path, text_field="a+b", tokens=8, on_error="skip", output=tmp_path / "out")
    assert (found.summary["counts"]["documents"], found.summary["counts"]["rejected"]) == (2, 1)
    assert (tmp_path / "out" / "kept" / "docs.zip" / "a.csv").read_text() == text[: len(text) // 2 + 2]


def test_an_unknown_kind_is_named_with_the_known_ones(tmp_path: Path) -> None:
    (tmp_path / "a.docx").write_text("x")
    with pytest.raises(UsageError, match=r"unknown kind of file; known are .*\.bz2.*\.zip"):
        neardup.dedup(tmp_path / "a.docx")


@pytest.mark.parametrize(
    ("name", "value"), [("csv", "delimiter=ab"), ("csv", "quotes=maybe"), ("encoding", "latin-99")]
)
def test_a_wrong_option_is_refused_with_what_is_allowed(name: str, value: str, tmp_path: Path) -> None:
    path = write_records(tmp_path / "a.jsonl", [ROW])
    with pytest.raises(UsageError, match=r"allowed are delimiter=CHARACTER|known are utf-8"):
        neardup.dedup(path, **{name: value})  # type: ignore[call-overload]
