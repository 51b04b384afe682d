"""The dependencies between files of the crates, read from the sources.

A node is a module, `crates/neardup-core/src/keys/rows`; a file of the integration tests,
`crates/neardup-core/tests/suite/flow`; the root and the manifest of a crate, `crates/neardup-core`; or a name of the
Python module, `_core.Index`, which uses the module that defines it.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

Edges = dict[str, set[str]]

EXTENSION = "crates/neardup-py"
CORE = "_core"

_COMMENT = re.compile(r"^\s*//.*$", re.MULTILINE)
_USE = re.compile(r"^[ \t]*(pub(?:\([^)]*\))? )?use ([^;]+);", re.MULTILINE)
_PATH = re.compile(r"(?<![\w:])((?:crate|super|neardup_\w+)::\w+(?:::\w+)*)")
_INHERENT = re.compile(r"^impl(?:<[^>]*>)? (\w+)(?:<[^>]*>)? \{", re.MULTILINE)
_TESTS = re.compile(r"^#\[cfg\(test\)\]\nmod \w+ \{.*", re.MULTILINE | re.DOTALL)
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
    def imports(self) -> Edges:
        """The modules that every module names outside of its tests.

        A re-export is not a use.
        """
        return {node_of(file): self._used(file, _TESTS.sub("", text)) for file, text in self.texts.items()}

    @cached_property
    def edges(self) -> Edges:
        """The nodes whose change can affect every node."""
        edges: Edges = {}
        for path, text in self.texts.items():
            node, crate = node_of(path), crate_of(path)
            # the root of a crate only lists its modules, but a change to it may affect them all
            if node == crate:
                continue
            edges.setdefault(node, {crate}).update(self._used(path, text))
            # a file that uses a type may call methods that another file adds to it
            for name in _INHERENT.findall(text):
                for home in self._homes(path, name):
                    edges.setdefault(home, set()).add(node)
            if crate == EXTENSION:
                for name in names_in(text):
                    edges.setdefault(f"{CORE}.{name}", set()).add(node)
        edges[CORE] = {name for name in edges if name.startswith(f"{CORE}.")}
        for crate, manifest in self.manifests.items():
            edges[crate] = {
                f"crates/{name}" for name in re.findall(r"^(neardup-\w+)\.workspace", manifest, re.MULTILINE)
            }
        return edges

    def filters(self, nodes: Iterable[str]) -> dict[str, list[str] | None]:
        """Return the packages of nodes, with prefixes of the names of their tests, or None for all tests."""
        nodes, packages = set(nodes), dict[str, list[str] | None]()
        for crate in sorted({crate_of(node) for node in nodes if node.startswith("crates/")}):
            own = {node for node in self.nodes if crate_of(node) == crate}
            some = [f"{'::'.join(parts_of(node))}::" for node in sorted(own & nodes)]
            packages[Path(crate).name] = None if crate in nodes or own <= nodes else some
        return packages

    def _used(self, file: str, text: str) -> set[str]:
        """Return the nodes named in the text of a file."""
        named = {self._named(module_of(file), path) for path in paths(text)}
        return named - {"", node_of(file)}

    def _named(self, module: str, path: list[str]) -> str:
        """Return the node that a path in a module names; empty if it is not in one of our crates."""
        if path[0] == "super":
            while path[0] == "super":
                module, path = str(Path(module).parent), path[1:]
            return self._resolved(module, path)
        if path[0] == "crate":
            return self._resolved(root_of(module), path[1:])
        if path[0].startswith("neardup_"):
            return self._resolved(f"crates/{path[0].replace('_', '-')}/src", path[1:])
        return self._resolved(module, path) if f"{module}/{path[0]}" in self.nodes else ""

    def _resolved(self, module: str, path: list[str]) -> str:
        """Return the node that defines the last name of a path below a module; re-exports are followed."""
        for at, name in enumerate(path):
            if f"{module}/{name}" in self.nodes:
                module = f"{module}/{name}"
            elif exported := self._exports.get((module, name)):
                return self._named(module, [*exported, *path[at + 1 :]]) or self._node(module)
            else:
                break
        return self._node(module)

    @staticmethod
    def _node(module: str) -> str:
        """Return the node of a module; that of the root of a crate is the crate."""
        return crate_of(module) if module.endswith("/src") else module

    @cached_property
    def _exports(self) -> dict[tuple[str, str], list[str]]:
        """The path of each name that a module re-exports."""
        return {
            (module_of(file), parts[-1]): parts
            for file, text in self.texts.items()
            for is_public, tree in _USE.findall(_COMMENT.sub("", text))
            if is_public
            for parts in expanded(tree)
        }

    def _homes(self, file: str, name: str) -> Iterator[str]:
        """Yield the module of a type that a file imports from its own crate."""
        for path in paths(self.texts[file]):
            home = self._named(module_of(file), path) if path[-1] == name else ""
            if home and home != node_of(file) and crate_of(home) == crate_of(file):
                yield home


def paths(text: str) -> list[list[str]]:
    """Return the paths in a file, split into parts: those of `use`, one for each name, and all others."""
    text = _COMMENT.sub("", text)
    used = [path for is_public, tree in _USE.findall(text) if not is_public for path in expanded(tree)]
    return used + [path.split("::") for path in _PATH.findall(_USE.sub("", text))]


def expanded(tree: str) -> list[list[str]]:
    """Return the paths of `a::{b, c::{d, self}}`, each split into parts."""
    head, opened, inner = tree.strip().partition("{")
    if not opened:
        parts = re.sub(r"\s+as\s+\w+$", "", head).split("::")
        return [parts[:-1] if parts[-1] == "self" else parts]
    found, depth, start = list[list[str]](), 0, 0
    inner = inner.rstrip().removesuffix("}")
    for at, letter in enumerate(f"{inner},"):
        depth += (letter == "{") - (letter == "}")
        if letter == "," and not depth:
            if inner[start:at].strip():
                found += expanded(head + inner[start:at].strip())
            start = at + 1
    return found


def names_in(text: str) -> set[str]:
    """Return the names that a module of the extension defines."""
    return {name for pair in _DEFINED.findall(text) for name in pair if name}


def node_of(file: str) -> str:
    """Return the node of a file below a crate."""
    module = module_of(file)
    is_root = module.endswith("/src") or file.split("/")[2:3] == ["examples"]
    return crate_of(file) if is_root else module


def module_of(file: str) -> str:
    """Return the path of a module without suffix; the root of a crate has its `src`."""
    return file.removesuffix(".rs").removesuffix("/mod").removesuffix("/lib")


def parts_of(module: str) -> list[str]:
    """Return the parts of the path of a module, below the root of its crate or of its tests."""
    return module.removeprefix(f"{root_of(module)}/").split("/")


def root_of(path: str) -> str:
    """Return the folder of the module that `crate` means at a path."""
    parts = path.split("/")
    return "/".join(parts[: 4 if parts[2:4] == ["tests", "suite"] else 3])


def crate_of(path: str) -> str:
    return "/".join(path.split("/")[:2])
