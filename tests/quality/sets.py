"""The labelled sets of a data folder: documents and truths."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Listed:
    """A set that lists every pair above a resemblance, with the scheme that is closest to its definition."""

    name: str
    unit: str
    width: int
    threshold: Fraction

    @property
    def decimal(self) -> str:
        return str(float(self.threshold))

    @property
    def fraction(self) -> str:
        return f"{self.threshold.numerator}/{self.threshold.denominator}"

    def scheme(self, recall: str) -> str:
        keys = "whole | prefix:auto" if recall == "exact" else "minhash:auto | bands:auto"
        return f"{self.unit} | shingles:{self.width} | {keys} | resemblance>={self.decimal}"


LISTED = [
    Listed("spdx_licenses", "words", 5, Fraction(3, 10)),
    Listed("law_codes_19c_dev", "words", 3, Fraction(1, 2)),
    Listed("cve_2020_2021", "words", 3, Fraction(1, 2)),
    Listed("nsmc_reviews", "chars", 3, Fraction(1, 2)),
    Listed("react_ko_sweeps", "chars", 5, Fraction(1, 2)),
]

TEXTS = [
    "cve_2020_2021",
    "law_codes_19c_dev",
    "mccormick_articles",
    "nsmc_reviews",
    "peps_sweeps",
    "react_ko_sweeps",
    "spdx_licenses",
    "win32_sweeps",
]
"""Sets with a `text` field."""
LARGE = {"law_codes_19c_dev", "peps_sweeps", "react_ko_sweeps", "win32_sweeps"}
"""Sets that contain six sevenths of all bytes."""


def read_lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of a .jsonl or .jsonl.zst file with their line ends; a line ends at \\n only."""
    import pyarrow

    with pyarrow.input_stream(str(path), compression="detect") as file:
        yield from (line + b"\n" for line in file.read().split(b"\n") if line)


def read_records(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the records of a .jsonl or .jsonl.zst file."""
    yield from map(json.loads, read_lines(path))


def unpack(folder: Path, names: list[str], target: Path, most: int | None = None) -> Path:
    """Write the documents of some sets, or the first `most` of each, line for line to one plain file, and return it."""
    if not target.exists():
        with target.open("wb") as out:
            for name in names:
                out.writelines(islice(read_lines(folder / name / "docs.jsonl.zst"), most))
    return target
