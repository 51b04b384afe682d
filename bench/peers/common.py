"""The common parts of the adapters: arguments, texts, shingles, groups, and the files that they write.

An adapter runs in its peer's own environment: `python ADAPTER.py DOCS.jsonl OUT --threshold 0.8 --threads 2`. It
writes OUT/labels.bin, one u32 a document: the first document of its cluster, which is itself if it is alone. If the
peer lists pairs, it also writes OUT/pairs.bin, two u32 a pair. If the peer may reorder documents, it writes
OUT/ids.json, the ids in the order of the peer.
"""

import argparse
import array
import json
import re
from collections.abc import Iterable
from pathlib import Path

PERMUTATIONS = 128
BANDS = 8
ROWS = 16
"""Bands and rows of peers that do not choose them."""
WIDTH = 5

WORD = re.compile(r"\w+")


def arguments() -> argparse.Namespace:
    """Parse an adapter's command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("docs", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--threshold", type=float, required=True)
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--checked", action="store_true", help="compare signatures where the peer does not by itself")
    return parser.parse_args()


def read_texts(path: Path) -> list[str]:
    """Return the texts of a JSONL file."""
    import orjson

    with path.open("rb") as file:
        return [orjson.loads(line)["text"] for line in file]


def shingle(text: str) -> list[str]:
    """Return the word shingles of a text, with repeats; a text of few words is one shingle."""
    words = WORD.findall(text.lower())
    if len(words) < WIDTH:
        return [" ".join(words)] if words else []
    return [" ".join(words[place : place + WIDTH]) for place in range(len(words) - WIDTH + 1)]


class Groups:
    """Disjoint sets of documents, each identified by its first document."""

    def __init__(self, count: int) -> None:
        """Make a group of each of `count` documents."""
        self.parent = list(range(count))

    def find(self, document: int) -> int:
        """Return the first document of the group."""
        parent = self.parent
        while parent[document] != document:
            parent[document] = parent[parent[document]]
            document = parent[document]
        return document

    def join(self, one: int, other: int) -> None:
        """Merge two groups."""
        one, other = self.find(one), self.find(other)
        self.parent[max(one, other)] = min(one, other)

    def labels(self) -> list[int]:
        """Return the group of every document."""
        return [self.find(document) for document in range(len(self.parent))]


def write(out: Path, labels: Iterable[int], pairs: Iterable[int] | None = None, ids: list[str] | None = None) -> None:
    """Write the answer of an adapter; `pairs` is flat: left, right, left, right."""
    out.mkdir(parents=True, exist_ok=True)
    with (out / "labels.bin").open("wb") as file:
        array.array("I", labels).tofile(file)
    if pairs is not None:
        with (out / "pairs.bin").open("wb") as file:
            array.array("I", pairs).tofile(file)
    if ids is not None:
        (out / "ids.json").write_text(json.dumps(ids))
