"""Hold every classic against every labelled set and write docs/compare.md: python docs/compare.py DATA.

DATA is the folder of the labelled sets. What was measured is kept in a work folder, a file for every set and scheme, so
that an interrupted comparison goes on; --only NAME,... takes some of the sets.
"""

import argparse
import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import neardup
from neardup.classics import CLASSICS

PAGE = Path(__file__).parent / "compare.md"
SKIPPED = ("given-fingerprints",)
"""Classics that are no method of comparing texts."""


class Labelled(NamedTuple):
    """A labelled set: its folder, what its labels are and how they are read."""

    name: str
    truth: str
    about: str
    options: dict[str, Any]


SETS = [
    Labelled("mccormick_articles", "truth", "planted plagiarism, complete", {"complete": True}),
    Labelled("spdx_licenses", "truth", "two texts of one licence; positives only", {}),
    Labelled("react_ko_sweeps", "truth", "Korean pages followed over 8 dates", {}),
    Labelled("win32_sweeps", "truth", "pages followed over 4 dates, sister pages much alike", {}),
    Labelled(
        "nsmc_reviews", "exact_pairs", "short Korean reviews, character Jaccard 0.7", {"at": "0.7", "complete": True}
    ),
    Labelled(
        "law_codes_19c_dev",
        "exact_pairs",
        "19th-century law codes with OCR noise, Jaccard 0.7",
        {"at": "0.7", "complete": True},
    ),
    Labelled("cve_2020_2021", "exact_pairs", "template texts, Jaccard 0.8", {"at": "0.8", "complete": True}),
    Labelled("kafka_html", "truth", "Javadoc over 6 releases, HTML", {"html_field": "html"}),
]


def measure(data: Path, work: Path, labelled: Labelled, line: str) -> dict[str, Any]:
    """Evaluate one scheme on one set in a process of its own, or take what was measured before."""
    key = hashlib.sha256(f"{labelled} {line} {neardup.__version__}".encode()).hexdigest()[:16]
    path = work / f"{labelled.name}-{key}.json"
    if not path.exists():
        folder = data / labelled.name
        command = [sys.executable, "-m", "neardup", "evaluate", folder / f"{labelled.truth}.jsonl.zst"]
        command += [folder / "docs.jsonl.zst", "--scheme", line, "--json", "--quiet"]
        for name, value in labelled.options.items():
            command += [f"--{name.replace('_', '-')}"] if value is True else [f"--{name.replace('_', '-')}", value]
        done = subprocess.run(list(map(str, command)), capture_output=True, encoding="utf-8", check=False)
        if done.returncode:
            raise SystemExit(f"{labelled.name}, {line}\n{done.stderr}")
        path.write_text(done.stdout, encoding="utf-8")
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def write_table(labelled: Labelled, rows: dict[str, dict[str, Any]]) -> list[str]:
    """Write the rows of one set."""
    truth = next(iter(rows.values()))["truth"]
    known = f"{truth['positives']:,} duplicates" + (f", {truth['negatives']:,} others" if truth["negatives"] else "")
    about = f"{labelled.about[0].upper()}{labelled.about[1:]}"
    lines = [
        f"## {labelled.name}",
        "",
        f"{about}. {truth['documents']:,} documents with labels; pairs: {known}.",
        "",
    ]
    lines += [
        "| classic | precision | recall | F1 | best F1 at | clusters F1 | docs/s | bytes/doc |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, found in rows.items():
        [scheme] = found["schemes"]
        pairs, best, cost = scheme["pairs"], scheme["curve"]["best"], scheme["cost"]
        cells = [
            _estimate(pairs["precision"]),
            _estimate(pairs["recall"]),
            _estimate(pairs["f1"]),
            "" if best is None or best["f1"] is None else f"{best['f1']:.3f} at {best['score']:.2f}",
            _estimate(scheme["clusters"]["f1"]),
            f"{cost['documents_per_second'] or 0:,.0f}",
            "" if cost["sketch_bytes_per_document"] is None else f"{cost['sketch_bytes_per_document']:,.0f}",
        ]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return [*lines, ""]


def _estimate(estimate: dict[str, Any]) -> str:
    if estimate["value"] is None:
        return "-"
    return f"{estimate['value']:.3f} ({estimate['low']:.2f}-{estimate['high']:.2f})"


def main() -> int:
    """Measure all and write the page: its head by hand, the tables from here."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--work", type=Path, default=Path("demo/compare"))
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    wanted = [labelled for labelled in SETS if not arguments.only or labelled.name in arguments.only.split(",")]
    tables: list[str] = []
    for labelled in wanted:
        rows = {}
        for name, make in CLASSICS.items():
            if name not in SKIPPED:
                rows[name] = measure(arguments.data, arguments.work, labelled, str(make()))
                print(f"{labelled.name}: {name}", file=sys.stderr)
        tables += write_table(labelled, rows)
    head, mark, _ = PAGE.read_text(encoding="utf-8").partition("<!-- generated from here on -->\n")
    PAGE.write_text(head + mark + "\n" + "\n".join(tables), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
