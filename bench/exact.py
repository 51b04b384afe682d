"""Read the truth that bench/truth wrote: exact pairs, and the leader rule applied to them."""

import json
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

CRATE = Path(__file__).resolve().parent / "truth"


@dataclass(frozen=True)
class Truth:
    """Every pair of documents at or above the threshold, stored by groups of documents with equal shingle sets."""

    ids: list[str]
    """Ids in input order; a document is identified by its position here."""
    group: list[int]
    """For each document, the first document with the same shingle set; -1 for a blank text."""
    size: list[int]
    """Number of shingles of each document."""
    members: dict[int, list[int]]
    """The documents of each group, in input order."""
    links: dict[tuple[int, int], int]
    """Number of shared shingles of each pair of groups at or above the threshold; the smaller group first."""

    def shared(self, left: int, right: int) -> int | None:
        """Return the number of shingles two documents share, or None if they are below the threshold."""
        one, other = self.group[left], self.group[right]
        if one < 0 or other < 0:
            return None
        if one == other:
            return self.size[left]
        return self.links.get((min(one, other), max(one, other)))

    def pairs(self) -> Iterator[tuple[int, int, int]]:
        """Yield (left, right, shared) for every pair of documents at or above the threshold, left < right."""
        for documents in self.members.values():
            for place, left in enumerate(documents):
                for right in documents[place + 1 :]:
                    yield left, right, self.size[left]
        for (one, other), shared in self.links.items():
            for left in self.members[one]:
                for right in self.members[other]:
                    yield min(left, right), max(left, right), shared

    def neighbours(self) -> dict[int, list[int]]:
        """Return for each group the other groups that it has a link with."""
        near: dict[int, list[int]] = defaultdict(list)
        for one, other in self.links:
            near[one].append(other)
            near[other].append(one)
        return near

    def originals(self) -> list[int]:
        """Apply the leader rule in input order; return the original of each document, which is itself if it is kept.

        A document is dropped if it is near one that is already kept; the first such document is its original.
        """
        near = self.neighbours()
        leader: dict[int, int] = {}
        originals = list(range(len(self.ids)))
        for document, group in enumerate(self.group):
            if group < 0:
                continue
            if group not in leader:
                kept = [other for other in near[group] if leader.get(other) == other]
                leader[group] = min(kept, default=group)
            originals[document] = leader[group]
        return originals


def load(folder: Path) -> Truth:
    """Read a folder that bench/truth wrote."""
    ids, group, size = [], [], []
    members: dict[int, list[int]] = defaultdict(list)
    with (folder / "docs.tsv").open(encoding="utf-8", newline="\n") as file:
        for line in file:
            index, first, shingles, name = line.rstrip("\n").split("\t")
            ids.append(json.loads(name))
            group.append(-1 if first == "-" else int(first))
            size.append(int(shingles))
            if first != "-":
                members[int(first)].append(int(index))
    links = {}
    with (folder / "pairs.tsv").open() as file:
        for line in file:
            left, right, shared, _, _ = map(int, line.split())
            links[left, right] = shared
    return Truth(ids, group, size, dict(members), links)


def program() -> Path:
    """Build bench/truth if it is not up to date, and return its path."""
    subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=CRATE, check=True)
    return CRATE.parents[1] / "target" / "release" / "truth"


def find(docs: Path, work: Path, tokens: str, unit: str, shingle: int, threshold: str) -> Truth:
    """Return the truth of a file; it is read from `work` if it was computed there before for the same file.

    `threshold` is a fraction p/q. Raises SystemExit with the program's message if the program fails.
    """
    state = docs.stat()
    name = f"{docs.stem}-{state.st_size}-{state.st_mtime_ns}-{tokens}-{unit}{shingle}-{threshold.replace('/', 'of')}"
    folder = work / "truth" / name
    if not (folder / "truth.json").exists():
        command = [str(program()), str(docs), str(folder), "--threshold", threshold]
        command += ["--tokens", tokens, "--unit", unit, "--shingle", str(shingle)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(done.stderr)
    return load(folder)
