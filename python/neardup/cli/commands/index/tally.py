"""What came of documents that were added, counted."""

from typing import TYPE_CHECKING, Any

from neardup.cli.shown.summary import Row, print_rows
from neardup.cli.shown.unread import IN_JSON, list_account
from neardup.results.account import Account

if TYPE_CHECKING:
    from neardup.index.verdict import Admission

RULES = ("identical", "lexical", "shingles", "near")


class Tally:
    """Counts of admissions."""

    def __init__(self) -> None:
        self.documents = self.kept = self.replaced = self.unchanged = self.changed = self.expired = 0
        self.rules = dict.fromkeys(RULES, 0)
        self.refused = 0
        """Documents whose id is taken."""
        self.rejected = 0
        """All records that were skipped, those included."""
        self.total = self.total_kept = 0
        """Documents in the index afterwards, and those of them that are kept: later ones may have changed verdicts."""
        self.seconds = 0.0
        self.account = Account.of_counts()

    def count(self, admission: "Admission") -> None:
        """Count one more."""
        self.documents += 1
        self.unchanged += admission.unchanged
        self.replaced += admission.replaced is not None and not admission.unchanged
        self.changed += len(admission.changed)
        self.expired += len(admission.expired)
        if admission.unchanged:
            return
        if admission.verdict.rule is None:
            self.kept += 1
        else:
            self.rules[admission.verdict.rule] += 1

    def describe(self) -> dict[str, Any]:
        """Return the counts by name."""
        names = ("documents", "kept", "replaced", "unchanged", "changed", "expired", "rejected", "total", "total_kept")
        counts: dict[str, Any] = {name: getattr(self, name) for name in names}
        counts |= {"dropped": sum(self.rules.values()), **self.rules, "seconds": round(self.seconds, 6)}
        return counts | self.account._asdict()

    def show(self) -> None:
        """Print the counts to stdout."""
        dropped = sum(self.rules.values())
        rows: list[Row] = [("documents", f"{self.documents:,}", "bold")] if self.documents or self.rejected else []
        if self.documents:
            rows += [("kept", f"{self.kept:,}", "green"), ("dropped", f"{dropped:,}", "yellow")]
        if dropped:
            rows.append(
                ("  by rule", ", ".join(f"{count:,} {rule}" for rule, count in self.rules.items() if count), "")
            )
        told = {
            "unchanged": "there already, to the letter",
            "replaced": "in the place of another of their URL",
            "changed": "verdicts on documents that were there",
            "expired": "too old, or too many",
        }
        rows += [
            (name, f"{getattr(self, name):,} ({words})", "") for name, words in told.items() if getattr(self, name)
        ]
        rows += list_account(self.account, IN_JSON)
        if self.rejected:
            rows.append(("skipped", f"{self.rejected:,} records", "red"))
        if self.documents:
            rows.append(("time", f"{self.seconds:.2f} s, {self.documents / self.seconds:,.0f} documents a second", ""))
        print_rows([*rows, ("index", f"{self.total:,} documents, {self.total_kept:,} kept", "bold")])
