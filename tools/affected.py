"""Print which tests a change can affect: affected.py [--since COMMIT] [FILE...].

Dependencies are read from imports in Python and from paths like `crate::keys` in Rust; RULES lists those that neither
shows. It prints the files of pytest, nearest first, and the packages of Rust, with the modules whose tests are
affected if not all of them are. A file without a rule affects all tests.
"""

import argparse
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cached_property
from pathlib import Path

from python_graph import PythonGraph
from rust_graph import RustGraph, crate_of, node_of

ROOT = Path(__file__).resolve().parent.parent

NO_TESTS = 5
"""The exit code of pytest if there was no test to run."""

ALL = ("*",)
NONE: tuple[str, ...] = ()

# A pattern of changed files, and the files whose importers it affects besides its own. `*` also matches `/`.
RULES: list[tuple[str, tuple[str, ...]]] = [
    # these affect all tests
    ("Makefile", ALL),
    ("pyproject.toml", ALL),
    ("Cargo.toml", ALL),
    ("Cargo.lock", ALL),
    (".cargo/*", ALL),
    ("conftest.py", ALL),
    ("tests/conftest.py", ALL),
    ("tests/support/tiers.py", ALL),
    ("tests/support/workers.py", ALL),
    ("tests/support/failures.py", ALL),
    ("tests/data/gate-0.1.0.tar.gz", ("tests/index/test_repair.py",)),
    ("tests/service/clients/*", ("tests/service/test_generated_clients.py",)),
    ("tests/support/recorder.c", ("tests/support/power_loss.py",)),
    # the package: modules that are found by name or as files at run time, or that run in their own processes
    ("python/neardup/__init__.py", ALL),
    ("python/neardup/_core.pyi", ("tests/public/test_api.py", "tests/public/test_docs.py")),
    ("python/neardup/*__init__.pyi", ("tests/public/test_api.py",)),
    ("python/neardup/public.py", ("tests/public/test_api.py", "tests/public/test_docs.py")),
    ("python/neardup/py.typed", NONE),
    ("python/neardup/*.py", ("tests/public/test_api.py",)),
    ("python/neardup/cli/*.py", ("tests/cli/test_cli.py", "tests/public/test_docs.py")),
    ("python/neardup/corpus/*.py", ("tests/corpus/test_archives.py", "tests/corpus/test_markup.py")),
    ("python/neardup/index/*.py", ("tests/*/test_index*.py", "tests/outputs/test_kills.py")),
    ("python/neardup/stores/*.py", ("tests/*/test_gate*.py", "tests/*/test_store*.py")),
    (
        "python/neardup/service/*.py",
        ("tests/*/test_service_*.py", "tests/*/test_browser*.py", "bench/test_serve_load.py"),
    ),
    ("python/neardup/service/work/tasks.py", ("python/neardup/service/work/pool.py",)),
    ("python/neardup/service/pages/templates/*", ("python/neardup/service/pages/render.py",)),
    ("python/neardup/service/pages/static/*", ("python/neardup/service/pages/statics.py",)),
    ("python/neardup/ray/*.py", ("tests/*/test_ray*.py",)),
    ("python/neardup/spark/*.py", ("tests/*/test_spark*.py",)),
    ("python/neardup/spread/*.py", ("tests/*/test_ray*.py", "tests/*/test_spark*.py")),
    ("python/neardup/remote/*.py", ("tests/*/test_spark*.py",)),
    ("python/neardup/evaluation/*.py", ("tests/evaluation/test_evaluate.py",)),
    ("python/neardup/review/*.py", ("tests/*/test_review*.py",)),
    # the crates: their sources, and the files beside them
    ("crates/*/src/*.rs", ("tests/jobs/test_golden.py", "tests/tools/test_type_names.py")),
    ("crates/*/examples/*", NONE),
    ("crates/*/proptest-regressions/*", NONE),
    # pages that tests run, and scripts and data that tests read or start as processes
    ("*.md", ("tests/public/test_docs.py",)),
    ("docs/*", ("tests/public/test_docs.py",)),
    ("docs/concepts/*", ("bench/test_scale.py",)),
    ("docs/guides/cluster.*", ("bench/test_cluster.py",)),
    ("docs/spark/*", ("tests/spark/test_spark_cluster.py",)),
    ("tests/golden/*", ("tests/jobs/test_golden.py", "tests/public/test_docs.py", "bench/test_*.py")),
    ("tests/support/cluster_job.py", ("tests/spark/test_spark_cluster.py",)),
    ("tests/support/iceberg_job.py", ("tests/spark/test_spark_iceberg.py",)),
    ("tests/support/standalone_job.py", ("tests/spark/test_spark_standalone.py",)),
    ("tests/support/typing_cases.py", NONE),
    ("tests/steady.tsv", NONE),
    ("bench/*", ("bench/test_*.py",)),
    ("packaging/chromium.sh", ("tests/*/test_browser*.py",)),
    ("packaging/java.sh", ("tests/*/test_spark*.py",)),
    ("packaging/iceberg.sh", ("tests/spark/test_spark_iceberg.py",)),
    ("packaging/debian.sh", ("tests/*/test_browser*.py", "tests/*/test_spark*.py")),
    ("packaging/*", NONE),
    ("tools/affected.py", ("tests/tools/test_affected.py",)),
    ("tools/quick.py", NONE),
    ("tools/budget.py", NONE),
    ("tools/any_order.py", NONE),
    ("tools/repeated.py", NONE),
    # files of other commands: `make quality`, `make check` and the automatic check
    ("tests/quality/*", NONE),
    ("rustfmt.toml", NONE),
    ("tools/stubtest.ini", NONE),
    (".ci/*", NONE),
    (".git*", NONE),
]


@dataclass(frozen=True)
class Affected:
    """The tests that a change can affect."""

    tests: list[str]
    """Files of pytest, nearest first."""
    nodes: set[str]
    """The affected nodes of both graphs."""
    packages: dict[str, list[str] | None]
    """Packages of Rust, with prefixes of the names of their tests, or None for all tests."""


class Map:
    """The sources of a working tree and their dependencies."""

    def __init__(self, root: Path = ROOT) -> None:
        self.root = root
        self.python, self.rust = PythonGraph(root), RustGraph(root)
        self._matched: dict[str, set[str]] = {}
        self.tests = [path for path in self.python.sources if is_test(path)]

    @cached_property
    def users(self) -> dict[str, set[str]]:
        """The users of every node."""
        users: dict[str, set[str]] = {}
        for edges in (self.python.edges, self.rust.edges):
            for node, used in edges.items():
                for one in used:
                    users.setdefault(one, set()).add(node)
        return users

    def affected(self, changed: Iterable[str]) -> Affected:
        """Return everything that a change can affect, found from its files by breadth-first search."""
        nodes: dict[str, None] = {}
        step = [node for path in changed for node in sorted(self.begin(path))]
        while step:
            nodes |= dict.fromkeys(step)
            step = sorted({user for node in step for user in self.users.get(node, ())} - nodes.keys())
        tests = dict.fromkeys(path for node in nodes if is_test(path := node.partition("::")[0]))
        return Affected(list(tests), set(nodes), self.rust.filters(nodes))

    def begin(self, path: str) -> set[str]:
        """Return the nodes of a changed file, and those that the rules name for it."""
        if is_test(path) and path in self.python.sources:
            return self.python.nodes_of(path)
        named = [target for pattern, targets in RULES if fnmatch(path, pattern) for target in targets]
        nodes = {node for target in named for node in self._match(target)}
        # a deleted source is not in the graphs
        is_deleted = path.endswith((".py", ".rs")) and not (self.root / path).exists()
        if "*" in named or is_deleted or not self.knows(path):
            return self._match("*")
        if path in self.python.sources:
            return nodes | self.python.nodes_of(path)
        if path.startswith("crates/"):
            nodes.add(node_of(path) if path.endswith(".rs") else crate_of(path))
        return nodes

    def knows(self, path: str) -> bool:
        """Return whether a rule or a graph contains a file."""
        return path in self.python.sources or path.startswith("crates/") or any(fnmatch(path, one) for one, _ in RULES)

    def _match(self, pattern: str) -> set[str]:
        """Return the nodes of all Python files that match a pattern; `*` also matches the crates."""
        if pattern not in self._matched:
            paths = [path for path in self.python.sources if fnmatch(path, pattern)]
            nodes = {node for path in paths for node in self.python.nodes_of(path)}
            self._matched[pattern] = nodes | (self.rust.nodes | self.rust.manifests.keys() if pattern == "*" else set())
        return self._matched[pattern]


def is_test(path: str) -> bool:
    """Return whether a file contains tests that run by default."""
    return (
        fnmatch(path, "*/test_*.py") and path.startswith(("tests/", "bench/")) and not path.startswith("tests/quality/")
    )


def changed_files(since: str = "HEAD", root: Path = ROOT) -> list[str]:
    """Return the files that differ from a commit, and the untracked ones."""
    named = git("diff", "--name-only", "-z", since, root=root) + git(
        "ls-files", "--others", "--exclude-standard", "-z", root=root
    )
    return sorted({name for name in named.split("\0") if name})


def git(*words: str, root: Path = ROOT) -> str:
    """Run git in a working tree and return its output."""
    return subprocess.run(["git", *words], cwd=root, capture_output=True, encoding="utf-8", check=True).stdout


def main() -> None:
    parser = argparse.ArgumentParser(description="Print which tests a change can affect, nearest first.")
    parser.add_argument("files", nargs="*", help="files that changed; by default, those that git reports")
    parser.add_argument("--since", default="HEAD", help="the commit before the change")
    arguments = parser.parse_args()
    affected = Map().affected(arguments.files or changed_files(arguments.since))
    for path in affected.tests:
        print(path)
    for package, filters in affected.packages.items():
        print(f"-p {package}", *(filters or []))


if __name__ == "__main__":
    main()
