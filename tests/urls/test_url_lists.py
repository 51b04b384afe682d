"""Lists of URLs in any encoding and compression: what is read, and what is kept."""

import codecs
import tracemalloc
from pathlib import Path

import pytest

from neardup import DataError, EnvironmentFault, UsageError, _core
from neardup.urls import canonical_url, group_urls
from neardup.urls.url_lists import UrlList

# in UTF-16 and UTF-32 these have bytes of a line feed that belong to two characters
ODD = "\u0a05\u0100\u010a\u0a0a"
URLS = [f"http://a.example/{ODD}", "http://b.example/маяк", "HTTP://A.example:80/" + ODD, "http://b.example/порт"]
CYRILLIC = ["http://a.example/маяк", "http://a.example/гавань", "HTTP://A.example/маяк", "http://a.example/лоцман"]
ENCODINGS = [
    ("utf-16-le", codecs.BOM_UTF16_LE, None, URLS),
    ("utf-16-be", codecs.BOM_UTF16_BE, "windows-1251", URLS),
    ("utf-32-le", codecs.BOM_UTF32_LE, "detect", URLS),
    ("utf-32-be", codecs.BOM_UTF32_BE, None, URLS),
    ("utf-8", codecs.BOM_UTF8, "utf-16le", URLS),
    ("utf-8", b"", None, URLS),
    ("utf-8", b"", "detect", URLS),
    ("utf-16-le", b"", "utf_16_le", URLS),
    ("utf-16-be", b"", "UTF-16BE", URLS),
    ("utf-32-be", b"", "utf-32be", URLS),
    ("utf-16-le", b"", "detect", [*URLS[1:2], *CYRILLIC]),
    ("cp1251", b"", "windows-1251", CYRILLIC),
    ("cp1251", b"", "detect", CYRILLIC * 9),
    ("koi8-r", b"", "koi8-r", CYRILLIC),
    ("shift_jis", b"", "cp932", [f"http://{host}.example/表示" for host in "abA"]),
    ("iso2022_jp", b"", "iso-2022-jp", [f"http://{host}.example/灯台" for host in "abA"]),
]
"""How a list is written, its byte order mark, the option, and its URLs."""


@pytest.mark.parametrize(("encoding", "mark", "given", "urls"), ENCODINGS)
@pytest.mark.parametrize("name", ["list.txt", "list.txt.gz", "list.txt.zst"])
def test_lists_in_any_encoding(
    encoding: str, mark: bytes, given: str | None, urls: list[str], name: str, tmp_path: Path
) -> None:
    lines = ["\r\n", *(f"{url} \r\n" for url in urls)]
    # the last line has no line end
    lines[-1] = lines[-1].rstrip()
    _core.pack(str(tmp_path / name), mark + "".join(lines).encode(encoding))
    listed = list(UrlList(str(tmp_path / name), given).urls())
    assert listed == [(row, url, "") for row, url in enumerate(urls, 2)]
    found = group_urls(tmp_path / name, encoding=given, output=tmp_path / "out")
    first: dict[str, str] = {}
    for url, line in zip(urls, lines[1:], strict=True):
        first.setdefault(canonical_url(url), line)
    kept = [lines[0], *first.values()]
    assert _core.unpack(str(tmp_path / "out/kept" / name)) == mark + "".join(kept).encode(encoding)
    assert found.summary["documents"] == len(urls)
    guessed = found.summary["records"]["flaws"]
    assert len(guessed) == (given == "detect" and not mark)
    name_of = {"utf-8": "UTF-8", "utf-16-le": "UTF-16LE", "cp1251": "windows-1251"}
    assert all(flaw == f"encoding guessed as {name_of[encoding]}, sure" for flaw in guessed)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16-le"])
def test_a_byte_order_mark_of_a_joined_list_is_no_text(encoding: str, tmp_path: Path) -> None:
    lines = ["\ufeffhttp://a.example/\n", "\ufeffhttp://b.example/\n", "\ufeffhttp://b.example/#x\n", "\ufeff\n"]
    content = "".join(lines).encode(encoding.removesuffix("-sig"))
    (tmp_path / "list.txt").write_bytes(content)
    found = group_urls(tmp_path / "list.txt", keep="longest", output=tmp_path / "out")
    assert (found.summary["documents"], found.summary["canonical"]) == (3, 2)
    kept = "".join([lines[0], *lines[2:]]).encode(encoding.removesuffix("-sig"))
    assert (tmp_path / "out/kept/list.txt").read_bytes() == kept


def test_the_mark_stays_when_the_first_line_is_dropped(tmp_path: Path) -> None:
    for name, mark, encoding in (("8.txt", codecs.BOM_UTF8, "utf-8"), ("16.txt.gz", codecs.BOM_UTF16_BE, "utf-16-be")):
        _core.pack(str(tmp_path / name), mark + "http://a.example/\nhttp://a.example/#top\n".encode(encoding))
        group_urls(tmp_path / name, keep="longest", output=tmp_path / "out", overwrite=True)
        kept = _core.unpack(str(tmp_path / "out/kept" / name))
        assert kept == mark + "http://a.example/#top\n".encode(encoding)


@pytest.mark.parametrize(
    ("encoding", "bad", "given", "reason"),
    [
        ("utf-8", b"http://a.example/\xe9", None, r"invalid UTF-8 at byte 18 of the line; .*name it: --encoding NAME"),
        ("utf-8-sig", b"http://a.example/\xe9", "latin1", r"invalid UTF-8 at byte 18 of the line"),
        ("shift_jis", b"http://a.example/\x81", "shift_jis", "the line is not shift_jis"),
        ("utf-16", b"\0\xd8", None, "the line is not utf-16le"),
        ("utf-16-le", b"\0\xd8", "detect", "the line is not UTF-16LE"),
    ],
)
def test_a_line_that_is_no_text_is_one_reject(
    encoding: str, bad: bytes, given: str | None, reason: str, tmp_path: Path
) -> None:
    feed = "\n".encode(encoding).removeprefix(codecs.BOM_UTF16).removeprefix(codecs.BOM_UTF8)
    first = "http://a.example/".encode(encoding)
    others = [f"http://{number}.example/".encode("utf-16-le" if len(feed) > 1 else "ascii") for number in range(20)]
    path = tmp_path / "list.txt"
    path.write_bytes(feed.join([first, bad, *others]))
    with pytest.raises(DataError, match=rf"list\.txt, line 2: {reason}"):
        group_urls(path, encoding=given)
    found = group_urls(path, encoding=given, on_error="skip", output=tmp_path / "out")
    assert [reject.row for reject in found.rejects] == [2]
    records = found.summary["records"]
    assert (records["found"], records["read"], records["rejected"]) == (22, 21, 1)
    assert (tmp_path / "out/kept/list.txt").read_bytes() == feed.join([first, *others])


def test_an_unknown_encoding_is_refused(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_bytes(codecs.BOM_UTF8 + b"http://a.example/\n")
    with pytest.raises(UsageError, match='encoding "klingon" is unknown'):
        group_urls(tmp_path / "list.txt", encoding="klingon")


def test_errors_of_reading_name_the_list(tmp_path: Path) -> None:
    (tmp_path / "folder.txt").mkdir()
    with pytest.raises(EnvironmentFault, match=r"folder\.txt cannot be read"):
        list(UrlList(str(tmp_path / "folder.txt")).urls())
    (tmp_path / "cut.txt.gz").write_bytes(b"\x1f\x8b")
    with pytest.raises(DataError, match=r"cut\.txt\.gz: the compressed file is broken"):
        list(UrlList(str(tmp_path / "cut.txt.gz"), "detect").urls())


@pytest.mark.parametrize("name", ["list.txt", "list.txt.gz"])
@pytest.mark.parametrize(("encoding", "given"), [("utf-8", None), ("utf-8-sig", None), ("utf-16", None)])
def test_large_lists_are_streamed(name: str, encoding: str, given: str | None, tmp_path: Path) -> None:
    text = "".join(f"http://a.example/{number}\n" for number in range(60_000))
    content = text.encode(encoding)
    _core.pack(str(tmp_path / name), content)
    one = UrlList(str(tmp_path / name), given)
    tracemalloc.start()
    try:
        assert sum(1 for _ in one.urls()) == 60_000
        one.write_kept(str(tmp_path / f"kept-{name}"), set())
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < len(content) / 2
    assert _core.unpack(str(tmp_path / f"kept-{name}")) == content
