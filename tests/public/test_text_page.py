"""The page on text: each row of its table is true."""

import re
from pathlib import Path
from typing import NamedTuple

import pytest

import neardup
from neardup import _core

PAGE = (Path(__file__).parents[2] / "docs" / "concepts" / "text.md").read_text(encoding="utf-8")
EQUAL = {"equal": True, "not equal": False}


class Row(NamedTuple):
    what: str
    one: str
    other: str
    default: str
    option: str
    changed: str


def read_rows() -> list[Row]:
    table = PAGE.partition("| what | one text")[2].partition("\n\n")[0].splitlines()[2:]
    return [Row(*(cell.strip().strip("`") for cell in line.strip("|").split("|"))) for line in table]


ROWS = read_rows()


def unescape(text: str) -> str:
    coded = re.sub(r"\\u([0-9a-f]{4})", lambda found: chr(int(found[1], 16)), text)
    return coded.replace("\\n", "\n")


def is_equal(row: Row, option: str) -> bool:
    """Return whether two texts have the same tokens, and whether a run drops one of them as such."""
    texts = [unescape(row.one), unescape(row.other)]
    scheme = " ".join(["words", option]).strip() + " | shingles:5 | minhash:96 | bands:16x6 | resemblance>=0.8"
    one, other = ([token.token for token in neardup.list_tokens(text, scheme=scheme)] for text in texts)
    rule = neardup.explain(*texts, scheme=scheme).rule
    assert (rule == "lexical") == (one == other), row
    assert (len(neardup.dedup(texts, scheme=scheme).kept_rows) == 1) == (one == other), row
    return one == other


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.what)
def test_a_row_is_true(row: Row) -> None:
    assert is_equal(row, "") == EQUAL[row.default]
    if row.option:
        assert is_equal(row, row.option) == EQUAL[row.changed]
    else:
        assert not row.changed


def test_every_option_changes_a_row() -> None:
    changing = {row.option for row in ROWS if row.option and row.default != row.changed}
    assert len(ROWS) > 50
    assert changing >= {"signs=keep", *(f"fold={name}" for name, _ in _core.folds())}
