"""TSV: a quote is an ordinary character, unless quoted fields are requested."""

from pathlib import Path

import pytest

import neardup
from command import run_neardup
from neardup import DataError

LONE = (
    'id\ttext\n1\tthe ferry left\n2\t"the quay is empty\n3\tno boat today\n4\tthe ferry left\n5\tall at sea"\n6\tend\n'
)
QUOTED = 'id\ttext\r\n1\t"a ""ferry""\tand\na quay"\r\n2\tplain\r\n'


def write(tmp_path: Path, text: str) -> Path:
    (tmp_path / "in.tsv").write_bytes(text.encode())
    return tmp_path / "in.tsv"


def test_no_row_is_swallowed_by_a_lone_quote(tmp_path: Path) -> None:
    result = neardup.dedup(write(tmp_path, LONE), id_field="id")
    assert result.summary["counts"]["documents"] == 6
    verdicts = dict(zip(result.decisions.column("id"), result.decisions.column("verdict"), strict=True))
    assert [name for name, verdict in verdicts.items() if verdict == "drop"] == ["4"]


def test_kept_rows_are_bytes_of_the_input(tmp_path: Path) -> None:
    run_neardup("dedup", write(tmp_path, LONE), "--id-field", "id", "-o", tmp_path / "out", "--quiet")
    lines = [line for line in LONE.splitlines(keepends=True) if not line.startswith("4")]
    assert (tmp_path / "out" / "kept" / "in.tsv").read_text() == "".join(lines)


def test_quoted_fields_are_read_on_request(tmp_path: Path) -> None:
    path = write(tmp_path, QUOTED)
    assert [one.text for one in neardup.read(path, quoted_tsv=True)] == ['a "ferry"\tand\na quay', "plain"]
    run_neardup("dedup", path, "--quoted-tsv", "--id-field", "id", "-o", tmp_path / "out", "--quiet")
    assert (tmp_path / "out" / "kept" / "in.tsv").read_bytes() == QUOTED.encode()
    # the finished run knows the option its input was read with
    run_neardup("evidence", tmp_path / "out", "-o", tmp_path / "evidence", "--quiet")
    with pytest.raises(DataError, match=r"in\.tsv, line 2"):
        list(neardup.read(path))


def test_an_unclosed_quote_is_an_error_if_fields_are_quoted(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="line 3"):
        list(neardup.read(write(tmp_path, 'id\ttext\n1\ta\n2\t"b\n3\tc\n'), quoted_tsv=True))


def test_an_index_and_a_reader_take_the_option(tmp_path: Path) -> None:
    path = write(tmp_path, QUOTED)
    run_neardup("index", "create", tmp_path / "index", path, "--quoted-tsv", "--id-field", "id", "--quiet")
    assert neardup.Index.open(tmp_path / "index").get("1").text == 'a "ferry"\tand\na quay'
