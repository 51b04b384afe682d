"""Documents whose true pairs are known, by their labels or by a list, and the figures of a scheme on them."""

import json
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from sets import read_records, unpack

Rows = Callable[[Path], list[dict[str, Any]]]
Run = Callable[..., Path]
EQUAL = ("identical", "lexical")
"""Rules of pairs with the same words, which no method can distinguish by their texts."""

FIRST = 8000
"""Number of documents of a set with stated pairs by default; the deep tier uses all."""


class Found(NamedTuple):
    """A pair that was found: its resemblance, whether it is true, and whether the texts are the same."""

    resemblance: float
    is_true: bool
    is_equal: bool


class Labelled:
    """Documents in a file, with a label for each; documents with equal labels are true pairs."""

    def __init__(self, path: Path, documents: Iterable[dict[str, Any]], label: Callable[[str], str]) -> None:
        self.path = path
        self.label = label
        with path.open("w", encoding="utf-8", newline="\n") as file:
            labels = []
            for document in documents:
                file.write(json.dumps(document) + "\n")
                labels.append(label(document["id"]))
        self.positives = sum(count * (count - 1) // 2 for count in Counter(labels).values())

    def find(self, run: Run, rows: Rows, scheme: str | None, *options: str) -> list[Found]:
        """Return the pairs that a scheme finds; by default those of the default scheme."""
        chosen = ("--scheme", scheme) if scheme else ()
        table = rows(run("pairs", self.path, "--max-family", "1000000", *chosen, *options) / "pairs.parquet")
        label = self.label
        return [
            Found(row["resemblance"], label(row["left"]) == label(row["right"]), row["rule"] in EQUAL) for row in table
        ]

    def score(self, run: Run, rows: Rows, scheme: str | None, *options: str) -> dict[str, float]:
        """Return the recall and precision of a scheme; precision is 1 if nothing was found."""
        found = self.find(run, rows, scheme, *options)
        right = sum(one.is_true for one in found)
        return {"recall": right / self.positives, "precision": right / len(found) if found else 1.0}


def of_number(name: str) -> str:
    """Return the number that both texts of a planted pair have in their ids."""
    return name.partition("/")[0]


def write_planted(planted: dict[str, str], path: Path) -> Labelled:
    return Labelled(path, ({"id": name, "text": text} for name, text in planted.items()), of_number)


class Stated(NamedTuple):
    """Documents in a file, and the resemblance of each of their pairs that the set lists by its own definition."""

    path: Path
    pairs: dict[tuple[str, str], float]

    def reaching(self, least: float) -> set[tuple[str, str]]:
        """Return the pairs of a resemblance of at least `least`."""
        return {pair for pair, resemblance in self.pairs.items() if resemblance >= least}


def read_stated(data: Path, name: str, path: Path, most: int | None) -> Stated:
    """Write the documents of a set, or its first `most`, to a file, and return them with the pairs that it lists."""
    docs = unpack(data, [name], path, most)
    with docs.open("rb") as lines:
        known = {json.loads(line)["id"] for line in lines}
    rows = (row for row in read_records(data / name / "exact_pairs.jsonl.zst") if {row["a"], row["b"]} <= known)
    return Stated(docs, {(min(row["a"], row["b"]), max(row["a"], row["b"])): row["jaccard"] for row in rows})
