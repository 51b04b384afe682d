"""Addresses and settings, and folders that are no objects, without a server."""

from pathlib import Path
from typing import Any

import pytest
from pyarrow import fs

from command import Cli
from neardup.errors import EnvironmentFault
from neardup.output.addresses import is_address, local_path
from neardup.remote.heads import HEAD, head_of, lines_of, write_part
from neardup.remote.place import Place
from neardup.remote.storage import Storage, file_system, options_of_azure, options_of_gs, options_of_s3, parts_of


def test_addresses_begin_with_a_scheme() -> None:
    for address in ("s3a://bucket/file", "s3a:/bucket/file", "file:///file", "hdfs:/file"):
        assert is_address(address)
        assert is_address(Path(address))
    for path in ("file", "/file", "C:/file", "a/b:/c", "-", 3):
        assert not is_address(path)
    assert local_path("file:///a/b") == local_path("file:/a/b") == local_path("/a/b") == "/a/b"


def test_settings_of_hadoop_are_those_of_pyarrow() -> None:
    assert parts_of("s3a://b/x/y") == parts_of("s3a:/b/x/y") == ("s3a", "b", "x/y")
    assert parts_of("hdfs:///x/y") == parts_of("hdfs:/x/y") == ("hdfs", "default", "x/y")
    assert parts_of("hdfs://name:8020/x") == ("hdfs", "name:8020", "x")
    assert parts_of("gs://bucket") == ("gs", "bucket", "")
    settings = {
        "fs.s3a.endpoint": "s3.eu-central-1.amazonaws.com",
        "fs.s3a.access.key": "all",
        "fs.s3a.bucket.one.access.key": "one",
        "fs.s3a.bucket.one.connection.ssl.enabled": "false",
    }
    one, other = (options_of_s3(bucket, settings) for bucket in ("one", "other"))
    assert (one["access_key"], one["scheme"], other["access_key"], other["scheme"]) == ("one", "http", "all", "https")
    assert one["force_virtual_addressing"]
    assert options_of_s3("b", {"fs.s3a.aws.credentials.provider": "x.AnonymousAWSCredentialsProvider"})["anonymous"]
    assert options_of_gs({"fs.gs.storage.root.url": "http://localhost:4443/"})["endpoint_override"] == "localhost:4443"
    host = "account.dfs.core.windows.net"
    azure = options_of_azure(f"box@{host}", {f"fs.azure.account.key.{host}": "key"})
    assert azure == {"account_name": "account", "account_key": "key", "sas_token": None}
    with pytest.raises(EnvironmentFault, match=r"^hdfs://nowhere:1: cannot open: "):
        file_system("hdfs", "nowhere:1", ())


def part_of(content: bytes, needed: Any, folder: Path) -> bytes:
    """Return what is written of the needed spans of a file."""
    (folder / "whole").write_bytes(content)
    with fs.LocalFileSystem().open_input_file(str(folder / "whole")) as source, open(folder / "part", "wb") as part:
        write_part(source, part, needed)
    return (folder / "part").read_bytes()


@pytest.mark.parametrize("name", ["docs.jsonl", "docs.json", "docs.parquet", "docs.jsonl.gz", "docs.arrow"])
@pytest.mark.parametrize("size", [0, 1, 10, 3 * HEAD])
def test_heads_are_within_a_file(name: str, size: int, tmp_path: Path) -> None:
    content = bytes(at % 251 for at in range(size))
    found = part_of(content, head_of(name), tmp_path)
    assert len(found) == size
    assert found[:HEAD] == content[:HEAD]
    assert found[-10:] == content[-10:] or name not in ("docs.parquet", "docs.arrow")


@pytest.mark.parametrize("lines", [[b"a"], [b"a" * HEAD, b"", b"b" * 3 * HEAD, b"c", b"d" * HEAD]])
@pytest.mark.parametrize("end", [b"\n", b""])
def test_lines_of_a_range_are_whole(lines: list[bytes], end: bytes, tmp_path: Path) -> None:
    """Whatever the range: the lines that begin in it are as in the file."""
    content = b"\n".join(lines) + end
    starts = [0, *(at + 1 for at, byte in enumerate(content) if byte == 10)]
    for start in range(0, len(content), HEAD // 2):
        stop = start + HEAD // 2
        found = part_of(content, lines_of("docs.jsonl", start, stop), tmp_path)
        assert len(found) == len(content)
        assert found[max(start - 1, 0) : start] == content[max(start - 1, 0) : start]
        for begin in starts:
            if start <= begin < stop:
                last = content.find(b"\n", begin) + 1 or len(content)
                assert found[begin:last] == content[begin:last]


def test_one_machine_has_its_own_files(cli: Cli, tmp_path: Path) -> None:
    for address in ("s3a://bucket/docs.jsonl", "s3a://bucket/*.jsonl", "hdfs:///docs"):
        done = cli("dedup", address, "-o", str(tmp_path / "out"), code=2)
        assert f"{address}: runs on one machine read its own files" in done.stderr
    done = cli("dedup", str(tmp_path), "-o", "s3a://bucket/out", code=2)
    assert "s3a://bucket/out: only runs on Spark write to other machines" in done.stderr


def test_a_folder_of_a_cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where files are no objects, folders are made, and a file is written aside."""

    def local(*_: Any) -> fs.FileSystem:
        return fs.SubTreeFileSystem(str(tmp_path), fs.LocalFileSystem())

    monkeypatch.setattr("neardup.remote.storage.file_system", local)
    folder = Place.of(Storage(), "hdfs://name:8020/out")
    (tmp_path / "here" / "deep").mkdir(parents=True)
    (tmp_path / "here" / "deep" / "file").write_bytes(b"1")
    for content in (b"1", b"2"):
        (tmp_path / "here" / "deep" / "file").write_bytes(content)
        folder.send_all(tmp_path / "here", "spent")
        assert (folder / "deep/file").read() == content
    assert [str(place) for place, _ in folder.files()] == ["hdfs://name:8020/out/deep/file"]
    with pytest.raises(EnvironmentFault, match=r"^hdfs://name:8020/out/nothing: cannot read: "):
        (folder / "nothing").read()
    folder.remove()
    folder.remove()
    assert folder.files() == []
