"""Text files in any encoding: read as their UTF-8 form, kept byte for byte."""

from pathlib import Path

import pytest

import neardup
from command import run_neardup
from neardup import DataError

TEXTS = {
    "utf-8-sig": "Größe und Maß, 가나다",
    "utf-16": "Größe und Maß, 가나다",
    "utf-32": "Größe und Maß, 가나다",
    "utf-16-be": "Größe und Maß, 가나다",
    "cp1252": "Größe und Maß, café",
    "latin-1": "Größe und Maß, café",
    "iso8859-15": "Größe und Maß, 20 €",
    "mac-roman": "Größe und Maß, café",
    "cp1250": "příliš žluťoučký kůň",
    "iso8859-2": "zażółć gęślą jaźń",
    "cp1251": "съешь ещё этих мягких булок",
    "koi8-r": "съешь ещё этих мягких булок",
    "cp866": "съешь ещё этих мягких булок",
    "cp1253": "ξεσκεπάζω την ψυχοφθόρα",
    "cp1254": "pijamalı hasta yağız şoföre",
    "cp1255": "דג סקרן שט בים מאוכזב",
    "cp949": "다람쥐 헌 쳇바퀴에 타고파",
    "euc-kr": "다람쥐 헌 책을 보았다",
    "shift_jis": "いろはにほへと 色は匂へど",
    "euc-jp": "いろはにほへと 色は匂へど",
    "iso-2022-jp": "いろはにほへと 色は匂へど",
    "gb18030": "天地玄黄 宇宙洪荒 日月盈昃",
    "gbk": "天地玄黄 宇宙洪荒 日月盈昃",
    "big5": "天地玄黃 宇宙洪荒 日月盈昃",
}
MARKED = ("utf-8-sig", "utf-16", "utf-32")


@pytest.mark.parametrize("encoding", TEXTS)
def test_a_file_is_equal_to_its_utf_8_form(encoding: str, tmp_path: Path) -> None:
    text = " ".join([TEXTS[encoding]] * 3)
    named = None if encoding in MARKED else encoding
    (tmp_path / "other").mkdir()
    for name, content in {
        "a.txt": text,
        "b.jsonl": f'{{"text": "{text}"}}\n{{"text": "x {text}"}}\n',
        "c.csv": f'id;text\n1;"{text}"\n2;"x {text}"\n',
    }.items():
        (tmp_path / name).write_text(content, encoding=encoding, newline="")
        (tmp_path / "other" / name).write_text(content, encoding="utf-8", newline="")
        texts = [one.text for one in neardup.read(tmp_path / name, encoding=named)]
        assert texts == [one.text for one in neardup.read(tmp_path / "other" / name)]
        assert text in texts


@pytest.mark.parametrize("encoding", ["utf-16", "cp1251", "shift_jis"])
def test_kept_files_have_the_bytes_of_the_input(encoding: str, tmp_path: Path) -> None:
    lines = [f'{{"id": {n}, "text": "{TEXTS[encoding]} {n % 2}"}}\n' for n in range(4)]
    path = tmp_path / "docs.jsonl"
    path.write_text("".join(lines), encoding=encoding, newline="")
    arguments = [] if encoding in MARKED else ["--encoding", encoding]
    run_neardup("dedup", path, "-o", tmp_path / "out", "--threshold", "1", "--quiet", *arguments)
    kept = (tmp_path / "out" / "kept" / "docs.jsonl").read_bytes()
    assert kept == "".join(lines[:2]).encode(encoding)
    # the finished run knows the encoding
    run_neardup("evidence", tmp_path / "out", "-o", tmp_path / "evidence", "--quiet")


def test_an_error_names_the_option(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes("café".encode("latin-1"))
    with pytest.raises(DataError, match=r"a\.txt: invalid UTF-8 at byte 4 of the file.*--encoding NAME"):
        list(neardup.read(tmp_path / "a.txt"))
    assert [one.text for one in neardup.read(tmp_path / "a.txt", encoding="latin-1")] == ["café"]


def test_a_guess_is_counted(tmp_path: Path) -> None:
    for n, encoding in enumerate(("cp1251", "koi8-r")):
        (tmp_path / f"{n}.txt").write_text(" ".join([TEXTS[encoding]] * 4), encoding=encoding)
    done = run_neardup("dedup", tmp_path, "-o", tmp_path / "out", "--encoding", "detect")
    assert "encoding guessed as windows-1251" in done.stdout + done.stderr
    assert "encoding guessed as KOI8-" in done.stdout + done.stderr
    assert len(list((tmp_path / "out" / "kept").iterdir())) == 1


def test_joined_files_with_marks(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes("\ufeffid,text\na,one\n\ufeffb,two\n".encode())
    assert [one.id for one in neardup.read(tmp_path / "a.csv", id_field="id")] == ["a", "b"]


def test_a_delimiter_is_found_out_or_given(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text('id;text\n1;"one; two"\n2;three, four\n')
    assert [one.text for one in neardup.read(path)] == ["one; two", "three, four"]
    path.write_text("id:text\n1:one\n")
    assert [one.text for one in neardup.read(path, csv="delimiter=:")] == ["one"]
    path.write_text('id,text\n1,"one\n2,two"\n')
    assert [one.text for one in neardup.read(path, csv="quotes=no")] == ['"one', 'two"']
