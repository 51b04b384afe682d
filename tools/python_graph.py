"""The dependencies of Python code, read from the sources.

A node is a whole module of the package, `python/neardup/x.py`, or one definition of another file, `tests/x.py::name`;
the code that such a file runs on import is `tests/x.py::`. A name of the extension is `_core.Name`, and a name of
another library is `outside subprocess.run`. `edges` contains for each node the nodes that it uses: by import, by name,
by the name of a fixture, and by the name of a command in a string.
"""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

SOURCES = ("tests", "bench", "docs", "tools")
"""Folders outside the package whose files are read."""
FOLDERS = ("tests/support", "bench", "tools", "tools/docs")
"""Folders besides that of the importing file whose files are imported by their names alone."""

PACKAGE = "python/neardup"
CORE = "_core"
OUTSIDE = "outside "
"""Prefix of a name that is defined in none of our files."""
PACKAGE_INIT = f"{PACKAGE}/__init__.py"
PUBLIC = f"{PACKAGE}/public.py"
COMMANDS = f"{PACKAGE}/cli/commands"
SPARK = f"{PACKAGE}/spark/"
"""Modules that the rest of the package imports only for callers that pass a `SparkEngine`, which tests name."""

Edges = dict[str, set[str]]
Function = ast.FunctionDef | ast.AsyncFunctionDef
_TYPED = (ast.arg, ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass
class Scope:
    """A piece of code, with its dotted names, arguments of functions, strings of one word, and imports."""

    dotted: set[str] = field(default_factory=set)
    arguments: set[str] = field(default_factory=set)
    words: set[str] = field(default_factory=set)
    imports: dict[str, str] = field(default_factory=dict)

    def read(self, tree: ast.AST) -> None:
        """Add the names of a tree; code for the type checker alone is left out."""
        if isinstance(tree, ast.If) and dotted(tree.test) == "TYPE_CHECKING":
            for other in tree.orelse:
                self.read(other)
            return
        self._take(tree)
        if not isinstance(tree, ast.Attribute) or not dotted(tree):
            # type annotations of a function do nothing when it runs
            types = [getattr(tree, name, None) for name in ("annotation", "returns") if isinstance(tree, _TYPED)]
            for one in ast.iter_child_nodes(tree):
                if one not in types:
                    self.read(one)

    def _take(self, tree: ast.AST) -> None:
        """Add the names of one node of a tree, without its children."""
        match tree:
            case ast.Name(id=name):
                self.dotted.add(name)
            case ast.Attribute():
                self.dotted |= {dotted(tree)} - {""}
            case ast.arg(arg=name):
                self.arguments.add(name)
            case ast.Constant(value=str(text)):
                words = text.split() if text.startswith("neardup ") else [text]
                self.words |= {word for word in words if word.replace("-", "_").isidentifier()}
            case ast.Import(names=names):
                # `import a.b` binds the name `a`
                firsts = {one.name.partition(".")[0] for one in names if not one.asname}
                self.imports |= {name: name for name in firsts} | {one.asname: one.name for one in names if one.asname}
            case ast.ImportFrom(names=names, module=module):
                self.imports |= {one.asname or one.name: f"{module}.{one.name}" for one in names}


def dotted(tree: ast.expr) -> str:
    """Return `a.b.c` if an expression is nothing else, otherwise an empty string."""
    match tree:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=name):
            before = dotted(value)
            return f"{before}.{name}" if before else ""
    return ""


class Source:
    """A file, split into its definitions."""

    def __init__(self, root: Path, path: str) -> None:
        self.path = path
        self.tree = ast.parse((root / path).read_text(encoding="utf-8"))

    @cached_property
    def scopes(self) -> dict[str, Scope]:
        """The definitions of the file by name; the code that runs on import has the empty name."""
        scopes = {"": Scope()}
        for one in self.tree.body:
            # the docstring of the module uses nothing
            if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant):
                continue
            for name in names_of(one):
                scopes.setdefault(name, Scope()).read(one)
        return scopes

    @cached_property
    def imports(self) -> dict[str, str]:
        """The target of each imported name, wherever in the file it is imported."""
        return {name: target for scope in self.scopes.values() for name, target in scope.imports.items()}

    @property
    def functions(self) -> Iterator[Function]:
        yield from (one for one in self.tree.body if isinstance(one, Function))


def names_of(statement: ast.stmt) -> Iterable[str]:
    """Return the names that a statement of a module defines, or the empty name if it defines none.

    The code that runs if the file is a program is named `__file__`, because a test uses that to start a program.
    """
    match statement:
        case ast.If(test=test) if "__name__" in ast.unparse(test):
            return ["__file__"]
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.Assign(targets=targets):
            names = [one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)]
            return names or [""]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
    return [""]


class PythonGraph:
    """All Python sources below a folder."""

    def __init__(self, root: Path) -> None:
        found = [*root.glob(f"{PACKAGE}/**/*.py"), *(one for name in SOURCES for one in root.glob(f"{name}/**/*.py"))]
        paths = sorted(str(one.relative_to(root)) for one in [*found, *root.glob("*.py")])
        self.sources = {path: Source(root, path) for path in paths}
        self._modules: dict[tuple[str, str], tuple[str | None, str]] = {}

    @cached_property
    def homes(self) -> dict[str, dict[str, str]]:
        """The public names of each package, by its file, each with the module that defines it."""
        for tree in ast.walk(self.sources[PUBLIC].tree):
            if isinstance(tree, ast.AnnAssign) and dotted(tree.target) == "PUBLIC" and tree.value is not None:
                places: dict[str, dict[str, str]] = ast.literal_eval(tree.value)
                return {
                    f"python/{place.replace('.', '/')}/__init__.py": {
                        name: home for home, names in homes.items() for name in names.split()
                    }
                    for place, homes in places.items()
                }
        raise LookupError(f"{PUBLIC} has no PUBLIC")

    @cached_property
    def edges(self) -> Edges:
        """The nodes that every node uses."""
        edges: Edges = {}
        for source in self.sources.values():
            if in_package(source.path):
                used = {node for scope in source.scopes.values() for node in self._uses(source, scope)}
                is_outside_spark = not source.path.startswith(SPARK)
                edges[source.path] = {node for node in used if not (is_outside_spark and node.startswith(SPARK))}
                continue
            for name, scope in source.scopes.items():
                used = self._uses(source, scope) | self._named(source, scope)
                edges[f"{source.path}::{name}"] = used | ({f"{source.path}::"} if name else set())
            edges[f"{source.path}::"] |= {f"{path}::{name}" for path, name in self._for_all(source)}
        return edges

    def nodes_of(self, path: str) -> set[str]:
        """Return all nodes of a file."""
        if in_package(path):
            return {path}
        return {f"{path}::{name}" for name in self.sources[path].scopes}

    def tests_of(self, path: str) -> list[str]:
        """Return the names of the tests in a file."""
        return [one.name for one in self.sources[path].functions if one.name.startswith("test_")]

    def _uses(self, source: Source, scope: Scope) -> set[str]:
        """Return the nodes that a scope uses by names."""
        nodes: set[str] = set()
        for name in scope.dotted:
            first, _, rest = name.partition(".")
            nodes |= {f"{source.path}::{first}"} if first in source.scopes and not in_package(source.path) else set()
            if first in source.imports:
                nodes |= self._find(source, ".".join(filter(None, [source.imports[first], rest])))
        if in_package(source.path):
            # for a module of the package, the import itself also counts as a use
            for target in scope.imports.values():
                nodes |= {PACKAGE_INIT} if target in ("neardup", f"neardup.{CORE}") else self._find(source, target)
        return nodes

    def _named(self, source: Source, scope: Scope) -> set[str]:
        """Return the nodes that a scope of a test uses by arguments and words: fixtures and commands."""
        nodes = {
            f"{path}::{name}"
            for path in {source.path, *conftests_of(source.path)} & self.sources.keys()
            for name in (scope.arguments | scope.words) & self.sources[path].scopes.keys()
        }
        return nodes.union(*(self.commands.get(word.replace("-", "_"), ()) for word in scope.words))

    @cached_property
    def commands(self) -> dict[str, set[str]]:
        """The modules of each command and of each group of commands, by name."""
        commands = {"neardup": {f"{PACKAGE}/__main__.py"}}
        for path in self.sources:
            if path.startswith(f"{COMMANDS}/"):
                names = [
                    one.name
                    for one in self.sources[path].functions
                    if "click." in "".join(map(ast.unparse, one.decorator_list))
                ]
                for name in (*names, *path.removeprefix(f"{COMMANDS}/").split("/")[:-1]):
                    commands.setdefault(name, set()).add(path)
        return commands

    def _for_all(self, source: Source) -> Iterator[tuple[str, str]]:
        """Yield the fixtures that all tests of a file use automatically."""
        for path in sorted({source.path, *conftests_of(source.path)} & self.sources.keys()):
            for one in self.sources[path].functions:
                if any("autouse=True" in ast.unparse(decorator) for decorator in one.decorator_list):
                    yield path, one.name

    def _find(self, source: Source, target: str) -> set[str]:
        """Return the nodes that a dotted name represents."""
        if target.startswith("neardup._core"):
            return {PACKAGE_INIT, ".".join([CORE, *target.split(".")[2:3]])}
        path, rest = self._module(source, target)
        if path is None:
            return {f"{OUTSIDE}{target}"}
        if not in_package(path):
            # a module that is passed as a whole may be used for any of its names
            names = [rest.partition(".")[0]] if rest else list(self.sources[path].scopes)
            return {f"{path}::", *(f"{path}::{name}" for name in names if name in self.sources[path].scopes)}
        if path in self.homes:
            known = self.homes[path]
            names = [rest.partition(".")[0]] if rest else sorted(known)
            homes = {f"neardup.{known[name]}.{name}" for name in names if name in known}
            return {PACKAGE_INIT, PUBLIC, path}.union(*(self._find(source, home) for home in homes))
        above = [one for one in (f"{folder}/__init__.py" for folder in Path(path).parents) if one in self.sources]
        return {path, *above}

    def _module(self, source: Source, target: str) -> tuple[str | None, str]:
        """Return the file of the module at the start of a dotted name, and the rest of the name."""
        folder = source.path.rpartition("/")[0]
        if (folder, target) not in self._modules:
            self._modules[folder, target] = self._look_up(folder, target)
        return self._modules[folder, target]

    def _look_up(self, folder: str, target: str) -> tuple[str | None, str]:
        parts = target.split(".")
        for length in range(len(parts), 0, -1):
            stem = "/".join(parts[:length])
            for place in (f"{folder}/", "python/", *(f"{one}/" for one in FOLDERS), ""):
                for path in (f"{place}{stem}.py", f"{place}{stem}/__init__.py"):
                    if path in self.sources:
                        return path, ".".join(parts[length:])
        return None, ""


def in_package(path: str) -> bool:
    return path.startswith(f"{PACKAGE}/")


def conftests_of(path: str) -> list[str]:
    """Return the paths of the fixture files of a test: in its folder, and in those above."""
    return [f"{folder}/conftest.py" for folder in Path(path).parents]
