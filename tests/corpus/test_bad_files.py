"""Files and folders that cannot be read or written are named in the error, and nothing is left behind."""

import gzip
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from command import Cli, run_process
from systems import need_linux, need_posix
from texts import lines_of_noise

LINES = '{"text": "a good document"}\n{"text": "another one"}\n'


def test_files_that_do_not_exist(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "odd.pdf").write_bytes(b"%PDF")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "odd.pdf").write_bytes(b"%PDF")
    for name, word in {
        "nothing.jsonl": "nothing.jsonl",
        "nothing*.jsonl": "nothing*.jsonl",
        "empty": "empty",
        "other": "other",
        "odd.pdf": ".jsonl",
    }.items():
        done = cli("dedup", tmp_path / name, "-o", tmp_path / "out", code=2 if name == "odd.pdf" else 1)
        assert word in done.stderr
        assert not (tmp_path / "out").exists()


def forbid(path: Path) -> None:
    path.write_text(LINES, encoding="utf-8")
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("root may read every file")


# a file that opens, but fails on read
broken_disk = pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs /proc")
UNREADABLE = [
    pytest.param("docs.jsonl", forbid, id="forbidden"),
    *(
        pytest.param(f"docs{suffix}", lambda path: path.symlink_to("/proc/self/mem"), marks=broken_disk, id=suffix)
        for suffix in (".jsonl.gz", ".csv", ".parquet", ".txt", ".html", ".warc")
    ),
]


@pytest.mark.parametrize(("name", "make"), UNREADABLE)
def test_an_unreadable_file(cli: Cli, tmp_path: Path, name: str, make: Callable[[Path], None]) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "good.jsonl").write_text(LINES, encoding="utf-8")
    make(tmp_path / "in" / name)
    for given in (tmp_path / "in" / name, tmp_path / "in", tmp_path / "in" / "*"):
        assert name in cli("dedup", given, "-o", tmp_path / "out", code=1).stderr
        assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("target", "why"), [("nowhere.jsonl", "does not exist"), ("docs.jsonl", "in a circle")])
def test_a_link_that_leads_to_no_file(cli: Cli, tmp_path: Path, target: str, why: str) -> None:
    """Named, it is an error; among others it is counted."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "good.jsonl").write_text(LINES, encoding="utf-8")
    (tmp_path / "in" / "docs.jsonl").symlink_to(target)
    assert "docs.jsonl" in cli("dedup", tmp_path / "in" / "docs.jsonl", "-o", tmp_path / "out", code=1).stderr
    for number, given in enumerate((tmp_path / "in", tmp_path / "in" / "*")):
        done = cli("dedup", given, "-o", tmp_path / f"out{number}")
        assert "files not read  1 of 2: 1 link" in done.stdout
        assert why in done.stdout


def test_a_pipe(cli: Cli, tmp_path: Path) -> None:
    need_posix("named pipes")
    os.mkfifo(tmp_path / "docs.jsonl")
    done = cli("dedup", tmp_path / "docs.jsonl", "-o", tmp_path / "out", code=2)
    assert "docs.jsonl: neither a file nor a folder" in done.stderr


def test_a_folder_named_like_a_file(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "docs.jsonl"
    path.mkdir()
    assert "docs.jsonl" in cli("dedup", path, "-o", tmp_path / "out", code=1).stderr


@pytest.mark.parametrize("name", ["b.csv", "b.jsonl", "b.json"])
def test_a_compressed_file_under_a_plain_name_has_no_fields(name: str, cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,text\n1,a good document\n2,a good document\n", encoding="utf-8")
    content = "id,text\n3,another one\n" if name == "b.csv" else '{"id": "3", "text": "another one"}\n'
    (tmp_path / name).write_bytes(gzip.compress(content.encode(), compresslevel=0))
    out = tmp_path / "out"
    cli("dedup", tmp_path, "-o", out, "--on-error", "skip", "--add-fields", "id=number", code=3)
    assert (out / "kept" / name).read_bytes() == b""
    assert (out / "kept" / "a.csv").read_text(encoding="utf-8").startswith("id,text,number\n1,")
    done = cli("dedup", tmp_path, "-o", tmp_path / "other", "--on-error", "skip", "--url-field", "link", code=1)
    assert 'the fields are "id", "text"\n' in done.stderr


def test_two_inputs_with_one_kept_file(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "docs.jsonl"
    path.write_text(LINES, encoding="utf-8")
    done = cli("dedup", path, path, "-o", tmp_path / "out", code=2)
    assert "docs.jsonl" in done.stderr


def test_an_existing_output_folder(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "docs.jsonl"
    path.write_text(LINES, encoding="utf-8")
    out = tmp_path / "out"
    out.mkdir()
    (out / "precious").write_text("mine", encoding="utf-8")
    assert "--overwrite" in cli("dedup", path, "-o", out, code=2).stderr
    # a folder that is not a result of neardup is never replaced
    cli("dedup", path, "-o", out, "--overwrite", code=2)
    assert (out / "precious").read_text(encoding="utf-8") == "mine"
    cli("dedup", path, "-o", tmp_path / "own")
    cli("dedup", path, "-o", tmp_path / "own", code=2)
    cli("dedup", path, "-o", tmp_path / "own", "--overwrite")


def test_an_output_folder_that_cannot_be_made(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "docs.jsonl"
    path.write_text(LINES, encoding="utf-8")
    done = cli("dedup", path, "-o", path / "below", code=1)
    assert "below" in done.stderr


def test_a_full_disk(cli: Cli, tmp_path: Path) -> None:
    need_linux("limits of files")
    import resource

    path = tmp_path / "docs.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in lines_of_noise(20_000)), encoding="utf-8")

    def limit_files() -> None:
        import signal

        # then a write beyond the limit fails as on a full disk
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))

    done = run_process("dedup", path, "-o", tmp_path / "out", code=1, preexec_fn=limit_files)
    assert str(tmp_path) in done.stderr
    assert not (tmp_path / "out").exists()
    cli("dedup", path, "-o", tmp_path / "out")


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.html", "a.warc"])
def test_files_without_fields_have_no_id_field(name: str, cli: Cli, tmp_path: Path) -> None:
    (tmp_path / name).write_text("some words", encoding="utf-8")
    done = cli("dedup", tmp_path / name, "-o", tmp_path / "out", "--id-field", "id", code=2)
    assert f"{name}: text, HTML and web archives have no field for an id" in done.stderr


def test_a_name_that_is_not_utf_8(cli: Cli, tmp_path: Path) -> None:
    need_linux("names of any bytes")
    folder = tmp_path / "in"
    folder.mkdir()
    path = os.fsencode(folder) + b"/caf\xe9.jsonl"
    with open(path, "wb") as file:
        file.write(b'{"text": "one text of a file with a name in Latin-1"}\n')
    done = cli("dedup", os.fsdecode(path), "-o", tmp_path / "out", code=2)
    assert "is not UTF-8; give the folder it is in" in done.stderr
    for arguments in (["explain", "a", "b", "--in"], ["dedup", folder, "-o", tmp_path / "out", "--against"]):
        done = cli(*arguments, os.fsdecode(path), code=2)
        assert "is not UTF-8; give the folder it is in" in done.stderr
    cli("dedup", folder, "-o", tmp_path / "out", "--quiet")
    assert [os.fsencode(kept.name) for kept in (tmp_path / "out" / "kept").iterdir()] == [b"caf\xe9.jsonl"]


def test_an_empty_name(cli: Cli, tmp_path: Path) -> None:
    done = cli("dedup", "", "-o", tmp_path / "out", code=1)
    assert '"": there is no such file or folder' in done.stderr
