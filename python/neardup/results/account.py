"""Accounts: counts of the files and the records of inputs, by what became of them."""

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from neardup import _core

LISTED = 100
"""Maximum number of names of files that are listed."""


class Account(NamedTuple):
    """Counts of the files and the records of inputs, with the names of run.json.

    Files that were named or found are read or not read; records of those that were read are documents, rejected or
    passed over.
    """

    files: dict[str, Any]
    records: dict[str, Any]

    @classmethod
    def of(cls, reader: _core.DocumentReader) -> "Account":
        """Return the counts of a reader so far."""
        files, records = reader.counts()
        return cls(json.loads(files), json.loads(records))

    @classmethod
    def of_run(cls, summary: Mapping[str, Any]) -> "Account":
        """Return the counts of a run."""
        return cls(summary["files"], summary["records"])

    @classmethod
    def of_counts(cls, *, files: int = 0, read: int = 0, rejected: int = 0) -> "Account":
        """Return the account of `files` files, all of them read, and of their records."""
        of_files = {"found": files, "read": files, "not_read": 0, "reasons": {}, "names": []}
        of_records = {"found": read + rejected, "read": read, "rejected": rejected, "passed_over": 0}
        return cls({**of_files, "own_folders": 0, "own_folder_names": []}, {**of_records, "kinds": {}, "flaws": {}})

    def plus(self, other: "Account") -> "Account":
        """Return the sum of two accounts."""
        return Account(_sum(self.files, other.files), _sum(self.records, other.records))


def _sum(left: dict[str, Any], right: dict[str, Any]) -> dict[str, Any]:
    """Add counts, counts by kind, and lists of names, which are cut at `LISTED`."""
    both: dict[str, Any] = {}
    for name, value in left.items():
        other = right[name]
        if isinstance(value, dict):
            both[name] = dict(Counter(value) + Counter(other))
        elif isinstance(value, list):
            both[name] = [*value, *other][:LISTED]
        else:
            both[name] = value + other
    return both
