"""Web archives in Zstandard: each record is a frame, which may use a dictionary at the beginning of the file."""

import sys
from itertools import pairwise
from pathlib import Path

import pytest

from command import Cli
from framed import framed, made
from neardup.corpus.archives import read_archive

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


def train(parts: list[bytes]) -> bytes:
    samples = [part[at : at + 300] for part in parts for at in range(0, len(part), 20)]
    return bytes(zstd.train_dict(samples * 40, 1000).dict_content)


FORMS = ("plain", "dictionary", "packed dictionary")


def write_framed(path: Path, form: str, parts: list[bytes]) -> int:
    """Write an archive of frames, and return the bytes before the first one."""
    dictionary = None if form == "plain" else train(parts)
    data = framed(parts, dictionary, is_packed=form.startswith("packed"))
    path.write_bytes(data)
    return 0 if dictionary is None else 8 + int.from_bytes(data[4:8], "little")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", ["warc", "arc"])
def test_frames_of_zstd_are_read(kind: str, form: str, tmp_path: Path) -> None:
    parts = made(f"a.{kind}").parts
    path = tmp_path / f"a.{kind}.zst"
    before = write_framed(path, form, parts)
    expected = list(read_archive(str(made(f"a.{kind}").write(tmp_path))))
    found = list(read_archive(str(path)))
    assert [one[2:] for one in found] == [one[2:] for one in expected]
    assert (found[0].offset, found[-1].offset + found[-1].length) == (before, path.stat().st_size)
    assert all(one.offset + one.length == other.offset for one, other in pairwise(found))
    # frames to be skipped and zeros are padding
    last = found[-1].offset
    data = path.read_bytes()
    path.write_bytes(data[:last] + b"\x50\x2a\x4d\x18\x03\0\0\0abc" + data[last:] + b"\0" * 700)
    again = list(read_archive(str(path)))
    assert [one.text for one in again] == [one.text for one in found]
    assert again[-1].offset == last + 11


@pytest.mark.parametrize("form", FORMS)
def test_kept_frames_of_zstd_are_those_of_the_input(form: str, cli: Cli, tmp_path: Path) -> None:
    first, second, _ = made("a.warc").parts
    path = tmp_path / "a.warc.zst"
    before = write_framed(path, form, [first, second, first])
    [one, two, three] = read_archive(str(path))
    data = path.read_bytes()
    cli("dedup", path, "-o", tmp_path / "out", "--write-dropped")
    assert (tmp_path / "out/kept/a.warc.zst").read_bytes() == data[: three.offset]
    dropped = tmp_path / "out/dropped/a.warc.zst"
    assert dropped.read_bytes() == data[:before] + data[three.offset :]
    assert [record.text for record in read_archive(str(dropped))] == [one.text]
    assert two.text != one.text == three.text


def test_damaged_frames_of_zstd_are_named(tmp_path: Path) -> None:
    parts = made("a.warc").parts
    path = tmp_path / "a.warc.zst"
    write_framed(path, "dictionary", parts)
    data = path.read_bytes()
    good = list(read_archive(str(path)))
    path.write_bytes(data[:-1])
    cut = list(read_archive(str(path)))
    assert [one.text for one in cut] == [good[0].text, good[1].text, None]
    assert "the zstd frame ends too early" in str(cut[-1].reason)
    at = good[1].offset
    path.write_bytes(data[:at] + b"\xff" * good[1].length + data[at + good[1].length :])
    found = list(read_archive(str(path)))
    assert [one.text for one in found] == [good[0].text, None, good[2].text]
    assert "not a zstd frame" in str(found[1].reason)
    path.write_bytes(data[:20])
    assert ["dictionary of the file ends too early" in str(one.reason) for one in read_archive(str(path))] == [True]
    path.write_bytes(zstd.compress(b"".join(parts)))
    [one] = read_archive(str(path))
    assert "each must be a zstd frame of its own, or unpack the file" in str(one.reason)
