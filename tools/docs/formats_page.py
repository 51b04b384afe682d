"""The formats of documents, for the reference."""

from neardup import _core
from pages import write_table

STDIN = ("jsonl", "json")
"""Formats that the standard input may have."""
_COLUMNS = ["format", "suffixes", "compressed", "file", "folder", "stdin", "Python", "place", "`passages` cuts"]
_FEW = 6
"""Suffixes of a format that are listed; of source files there are many."""


def write_format_table() -> str:
    """Write a row for each format: how its files are named and compressed, and from where they are read."""
    rows = []
    for suffixes, compressions, unit, is_rewritten in _core.formats():
        listed = " ".join(f"`.{suffix}`" for suffix in suffixes[:_FEW])
        more = f" and {len(suffixes) - _FEW} more" if len(suffixes) > _FEW else ""
        packed = " ".join(f"`{one}`" for one in compressions) or "-"
        where = ["yes", "yes", "yes" if suffixes[0] in STDIN else "-", "yes"]
        rows.append([suffixes[0], listed + more, packed, *where, unit, "yes" if is_rewritten else "-"])
    return write_table(_COLUMNS, rows)
