"""What of the inputs was not read, in words."""

from typing import Any


def list_unread(files: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Put into words which files were found and not read."""
    rows: list[tuple[str, str, str]] = []
    if files["not_read"]:
        why = ", ".join(f"{count:,} {reason}" for reason, count in files["reasons"].items())
        rows.append(("files not read", f"{files['not_read']:,} of {files['found']:,}: {why}; see run.json", "yellow"))
    if files["own_folders"]:
        rows.append(("not entered", f"{files['own_folders']:,} folders that neardup made; see run.json", ""))
    return rows


def list_passed_over(records: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Put into words which records are no documents."""
    if not records["passed_over"]:
        return []
    kinds = sorted(records["kinds"].items(), key=lambda kind: (-kind[1], kind[0]))
    listed = ", ".join(f"{count:,} {kind}" for kind, count in kinds[:5])
    more = f" and {len(kinds) - 5:,} other kinds" if len(kinds) > 5 else ""
    return [("passed over", f"{records['passed_over']:,} records that are no documents: {listed}{more}", "")]
