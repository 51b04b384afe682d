"""Check that crates can be read in one order: rooms.py, or a part of `make check`.

In each folder of a crate, files and folders do not depend on each other in a circle, and there are not too many of
them. A `mod.rs` belongs to its folder as a whole, so its imports count for none of the entries. The order of the crates
is that of their manifests.
"""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from rust_graph import Edges, RustGraph

MOST = 18
"""Most files and folders in one folder, without `mod.rs`."""

RECURSIVE = {
    "crates/neardup-core/src/scheme": "a stage is one of the entries, and an entry checks the stages of a whole pass",
}
"""Folders that may have a circle, because their algorithm is recursive."""


def main() -> None:
    """Print what is wrong; the exit code is 1 if anything is."""
    graph = RustGraph(Path(__file__).resolve().parent.parent)
    imports = {node: used for node, used in graph.imports.items() if "/src/" in node}
    faults = [*crowds(imports), *circles(imports)]
    print("\n".join(faults) or f"{len(imports)} modules, no circle except in {len(RECURSIVE)} folder that may have one")
    sys.exit(bool(faults))


def crowds(imports: Edges) -> Iterator[str]:
    """Yield the folders with too many entries."""
    for folder in folders(imports):
        entries = {entry for node in imports if (entry := entry_of(node, folder))}
        if len(entries) > MOST:
            yield f"{folder}: {len(entries)} files and folders, at most {MOST} may be beside each other"


def circles(imports: Edges) -> Iterator[str]:
    """Yield the circles among the entries of each folder, with the dependencies that form them."""
    for folder in sorted(folders(imports) - RECURSIVE.keys()):
        ties: dict[tuple[str, str], str] = {}
        for node, used in imports.items():
            for other in used:
                pair = (entry_of(node, folder), entry_of(other, folder))
                if all(pair) and pair[0] != pair[1]:
                    ties.setdefault(pair, f"{node} uses {other}")
        for circle in knots(ties):
            yield f"{folder}: a circle of {', '.join(sorted(circle))}"
            yield from (f"    {tie}" for (one, other), tie in sorted(ties.items()) if {one, other} <= circle)


def folders(imports: Edges) -> set[str]:
    """Return all folders with modules."""
    return {str(folder) for node in imports for folder in Path(node).parents if "/src" in str(folder)}


def entry_of(node: str, folder: str) -> str:
    """Return the entry of a folder that a node is or is in; empty if the node is elsewhere."""
    return node.removeprefix(f"{folder}/").split("/")[0] if node.startswith(f"{folder}/") else ""


def knots(ties: Iterable[tuple[str, str]]) -> list[set[str]]:
    """Return the sets of names in which each reaches every other one (Warshall 1962)."""
    reach: dict[str, set[str]] = {}
    for one, other in ties:
        reach.setdefault(one, set()).add(other)
    for middle in list(reach):
        for reached in reach.values():
            if middle in reached:
                reached |= reach[middle]
    found: list[set[str]] = []
    for name, reached in reach.items():
        knot = {other for other in reached if name in reach.get(other, ())}
        if len(knot) > 1 and knot not in found:
            found.append(knot)
    return found


if __name__ == "__main__":
    main()
