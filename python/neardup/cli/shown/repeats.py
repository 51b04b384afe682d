"""What a run of `neardup passages` found, in words."""

from typing import Any

from neardup.cli.shown.unread import list_account
from neardup.results.account import Account


def list_repeats(summary: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Put the counts of a run into labels, values and styles."""
    counts: dict[str, int] = summary["counts"]
    tokens = counts["tokens"]
    rows = [
        ("documents", f"{counts['documents']:,}", "bold"),
        *list_account(Account.of_run(summary)),
        ("passages", f"{counts['repeated']:,} of {summary['tokens']:,} {summary['unit']} or more", "green"),
        ("  later places", f"{counts['passages']:,} in {counts['repeated_documents']:,} documents", ""),
        ("repeated", _share(counts["repeated_tokens"], tokens), "yellow"),
        ("cut", f"{_share(counts['removed_tokens'], tokens)}, by {summary['cut']}", "yellow"),
        ("documents cut", f"{counts['cut']:,}", ""),
        ("  dropped", f"{counts['dropped']:,} with fewer than {summary['least']:,} tokens left", ""),
    ]
    if counts["rejected"]:
        rows.append(("skipped", f"{counts['rejected']:,} records, listed in rejects.jsonl", "red"))
    return rows


def _share(part: int, whole: int) -> str:
    return f"{part:,} tokens ({part / whole:.1%})" if whole else f"{part:,} tokens"
