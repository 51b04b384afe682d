"""What of the inputs was not read, in words."""

from typing import Any


def list_unread(files: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Put into words which files were found and not read."""
    rows: list[tuple[str, str, str]] = []
    if files["not_read"]:
        why = _list_kinds(files["reasons"])
        rows.append(("files not read", f"{files['not_read']:,} of {files['found']:,}: {why}; see run.json", "yellow"))
    if files["own_folders"]:
        rows.append(("not entered", f"{files['own_folders']:,} folders that neardup made; see run.json", ""))
    return rows


def list_passed_over(records: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Put into words which records are no documents, and which are documents with a flaw."""
    rows: list[tuple[str, str, str]] = []
    if records["passed_over"]:
        told = f"{records['passed_over']:,} records that are no documents: {_list_kinds(records['kinds'])}"
        rows.append(("passed over", told, ""))
    if flaws := records["flaws"]:
        told = f"{sum(flaws.values()):,} documents, whose bodies are read as far as they go: {_list_kinds(flaws)}"
        rows.append(("flawed", told, "yellow"))
    return rows


def _list_kinds(kinds: dict[str, int]) -> str:
    ordered = sorted(kinds.items(), key=lambda kind: (-kind[1], kind[0]))
    listed = ", ".join(f"{count:,} {kind}" for kind, count in ordered[:5])
    return f"{listed} and {len(ordered) - 5:,} other kinds" if len(ordered) > 5 else listed
