"""Which modules of the crates use which, read from the sources.

A node is a module right below a crate with all that is inside it, `crates/neardup-core/src/keys`; a file of the tests
from outside, `crates/neardup-core/tests/suite/flow`; the root and the manifest of a crate, `crates/neardup-core`; or a
name that Python sees, `_core.Index`, which uses the module that defines it.
"""

import re
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

Edges = dict[str, set[str]]

DOOR = "crates/neardup-py"
CORE = "_core"

_PATH = re.compile(r"\b(crate|neardup_\w+)::(\{[^;]*\}(?=;)|\w+)")
_FIRSTS = re.compile(r"[{,]\s*(\w+)")
_EXPORTS = re.compile(r"^pub use (\w+)::(\{[^;]*\}|\w+);", re.MULTILINE)
_DEFINED = re.compile(r"\b(?:fn|struct|enum|impl|for) (\w+)|\bname = \"(\w+)\"")


class RustGraph:
    """All crates below a folder."""

    def __init__(self, root: Path) -> None:
        self.texts = {
            str(path.relative_to(root)): path.read_text(encoding="utf-8")
            for path in sorted(root.glob("crates/*/*/**/*.rs"))
        }
        self.manifests = {
            str(path.parent.relative_to(root)): path.read_text(encoding="utf-8")
            for path in sorted(root.glob("crates/*/Cargo.toml"))
        }
        self.nodes = {node_of(path) for path in self.texts} - self.manifests.keys()

    @cached_property
    def edges(self) -> Edges:
        """From every node to those that it uses."""
        edges: Edges = {}
        for path, text in self.texts.items():
            node, crate = node_of(path), crate_of(path)
            # the root of a crate lists its modules and uses none, but who changes it may change them all
            if node != crate:
                edges.setdefault(node, {crate}).update(self._used(root_of(path), text))
                if crate == DOOR:
                    for name in names_in(text):
                        edges.setdefault(f"{CORE}.{name}", set()).add(node)
        edges[CORE] = {name for name in edges if name.startswith(f"{CORE}.")}
        for crate, manifest in self.manifests.items():
            edges[crate] = {
                f"crates/{name}" for name in re.findall(r"^(neardup-\w+)\.workspace", manifest, re.MULTILINE)
            }
        return edges

    def filters(self, nodes: Iterable[str]) -> dict[str, list[str] | None]:
        """Return the packages of nodes, with the beginnings of the names of their tests, or None for all of them."""
        nodes, packages = set(nodes), dict[str, list[str] | None]()
        for crate in sorted({crate_of(node) for node in nodes if node.startswith("crates/")}):
            own = {node for node in self.nodes if crate_of(node) == crate}
            some = [f"{Path(node).name}::" for node in sorted(own & nodes)]
            packages[Path(crate).name] = None if crate in nodes or own <= nodes else some
        return packages

    def _used(self, root: str, text: str) -> set[str]:
        """Return the nodes that a text names."""
        used: set[str] = set()
        for start, names in _PATH.findall(text):
            other = root if start == "crate" else f"crates/{start.replace('_', '-')}/src"
            used |= {self._node(other, name) for name in firsts(names)}
        return used

    def _node(self, root: str, name: str) -> str:
        """Return the node of a name right below the root of a crate."""
        module = f"{root}/{self._exports.get((root, name), name)}"
        return module if module in self.nodes else crate_of(root)

    @cached_property
    def _exports(self) -> dict[tuple[str, str], str]:
        """The module of each name that a crate hands on at its root."""
        return {
            (root_of(path), name): module
            for path, text in self.texts.items()
            if path.endswith("/src/lib.rs")
            for module, names in _EXPORTS.findall(text)
            for name in re.findall(r"\w+", names)
        }


def firsts(names: str) -> list[str]:
    """Return the first parts of the paths in `{a::b, c::{d, e}}`, or of a single one."""
    while "::{" in names:
        names = re.sub(r"::\{[^{}]*\}", "", names)
    return _FIRSTS.findall(names) if names.startswith("{") else [names]


def names_in(text: str) -> set[str]:
    """Return the names that a module of the extension defines."""
    return {name for pair in _DEFINED.findall(text) for name in pair if name}


def node_of(path: str) -> str:
    """Return the node of a file below a crate: the module it is inside of."""
    root = root_of(path)
    node = f"{root}/{path.removeprefix(f'{root}/').split('/')[0].partition('.')[0]}"
    return crate_of(path) if node.endswith("/src/lib") else node


def root_of(path: str) -> str:
    """Return the folder of the file that `crate` stands for in this one."""
    parts = path.split("/")
    return "/".join(parts[: 4 if parts[2:4] == ["tests", "suite"] else 3])


def crate_of(path: str) -> str:
    return "/".join(path.split("/")[:2])
