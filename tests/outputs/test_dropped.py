"""The dropped records beside the kept ones: every record of the input is in exactly one of the two folders."""

import gzip
import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import neardup
from command import Cli
from framed import answer, gzipped, warc_record

TEXTS = [f"the ferry number {number} left the quay before dawn with salt and tar" for number in range(6)]


def draw_texts(seed: int, count: int = 40) -> list[str]:
    """Return texts of which many are equal."""
    draw = random.Random(seed)
    return [draw.choice(TEXTS) + draw.choice(["", "", f" and {draw.random()} {draw.random()} {draw.random()}"] * 2)
            for _ in range(count)]  # fmt: skip


def run(path: Path, output: Path, **options: Any) -> neardup.Deduplication[Any]:
    return neardup.dedup(path, output=output, write_dropped=True, **options)


@pytest.mark.parametrize("packed", [False, True])
def test_lines_are_in_one_of_the_folders(tmp_path: Path, packed: bool) -> None:
    lines = [b'{"text": "%s", "n": %d}\r\n' % (text.encode(), n) for n, text in enumerate(draw_texts(1))]
    lines[7] = b"\n"
    lines.append(b'{"text": "the last line has no end"}')
    data = b"\xef\xbb\xbf" + b"".join(lines)
    path = tmp_path / ("a.jsonl.gz" if packed else "a.jsonl")
    path.write_bytes(gzip.compress(data) if packed else data)
    result = run(path, tmp_path / "out")
    kept, dropped = ((tmp_path / "out" / name / path.name).read_bytes() for name in ("kept", "dropped"))
    if packed:
        kept, dropped = gzip.decompress(kept), gzip.decompress(dropped)
    fates = dict(zip(result.decisions.column("row"), result.decisions.column("verdict"), strict=True))
    for folder, verdict in ((kept, "keep"), (dropped, "drop")):
        expected = [line for row, line in enumerate(lines, 1) if fates.get(row, verdict) == verdict]
        assert folder.removeprefix(b"\xef\xbb\xbf") == b"".join(expected)
    assert result.summary["counts"]["dropped"] > 5


def test_both_folders_have_the_header_of_a_table(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b'id,text\r\n1,"one\ntwo"\r\n2,"one\ntwo"\r\n3,other\r\n')
    run(tmp_path / "a.csv", tmp_path / "out")
    assert (tmp_path / "out/kept/a.csv").read_bytes() == b'id,text\r\n1,"one\ntwo"\r\n3,other\r\n'
    assert (tmp_path / "out/dropped/a.csv").read_bytes() == b'id,text\r\n2,"one\ntwo"\r\n'


def test_tables_whole_files_and_archives(tmp_path: Path) -> None:
    texts = draw_texts(2)
    folder = tmp_path / "in"
    folder.mkdir()
    table = pa.table({"text": texts, "n": range(len(texts))})
    pq.write_table(table, folder / "a.parquet", row_group_size=7)
    (folder / "one.txt").write_text(TEXTS[0], encoding="utf-8")
    (folder / "two.txt").write_text("nothing like it is on the quay", encoding="utf-8")
    pages = [TEXTS[1], "a page by itself, of tar and of salt"]
    records = [
        warc_record("warcinfo", b"software: test\r\n", 0),
        *(warc_record("response", answer(page.encode()), number) for number, page in enumerate(pages, 1)),
    ]
    (folder / "b.warc.gz").write_bytes(b"".join(map(gzipped, records)))
    result = run(folder, tmp_path / "out")
    kept, dropped = tmp_path / "out/kept", tmp_path / "out/dropped"
    parts = [pq.read_table(part / "a.parquet") for part in (kept, dropped)]
    assert all(part.schema == table.schema for part in parts)
    assert pa.concat_tables(parts).sort_by("n") == table
    assert [(part / "one.txt").exists() for part in (kept, dropped)] == [False, True]
    assert [(part / "two.txt").exists() for part in (kept, dropped)] == [True, False]
    members = [b"".join(map(gzipped, records[:1] + records[2:])), gzipped(records[1])]
    assert [(part / "b.warc.gz").read_bytes() for part in (kept, dropped)] == members
    assert result.summary["counts"]["kept"] == sum(
        [len(parts[0]), len(list(kept.glob("*.txt"))), 1]  # and one page
    )


def test_rejects_are_in_neither_folder(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    lines = ['{"id": 1, "text": "a lamp"}', '{"id": 1, "text": "a quay"}', "broken", '{"id": 2, "text": "a lamp"}']
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    run(path, tmp_path / "out", id_field="id", on_error="skip")
    assert (tmp_path / "out/kept/a.jsonl").read_text(encoding="utf-8") == f"{lines[0]}\n"
    assert (tmp_path / "out/dropped/a.jsonl").read_text(encoding="utf-8") == f"{lines[3]}\n"


def test_dropped_alone(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"text": "a lamp"}\n' * 3, encoding="utf-8")
    cli("dedup", tmp_path / "a.jsonl", "-o", tmp_path / "out", "--no-kept", "--write-dropped")
    assert not (tmp_path / "out/kept").exists()
    assert (tmp_path / "out/dropped/a.jsonl").read_text(encoding="utf-8") == '{"text": "a lamp"}\n' * 2


def test_what_has_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(neardup.UsageError, match="name an output"):
        neardup.dedup(["a lamp", "a lamp"], write_dropped=True)
    with pytest.raises(neardup.UsageError, match="not in files"):
        neardup.dedup(["a lamp", "a lamp"], write_dropped=True, output=tmp_path / "out")
    assert not (tmp_path / "out").exists()
