"""The tests that a change can affect: every file is known, every test is reached, a change affects the right ones."""

from fnmatch import fnmatch
from pathlib import Path

import pytest

from affected import ALL, RULES, Map, git, is_test
from rooms import circles, knots
from rust_graph import expanded, node_of
from steady import choose

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def known() -> Map:
    return Map()


@pytest.fixture(scope="module")
def files() -> list[str]:
    listed = git("ls-files", "--cached", "--others", "--exclude-standard").splitlines()
    return [path for path in listed if (ROOT / path).exists()]


def test_every_file_is_known(known: Map, files: list[str]) -> None:
    assert [path for path in files if not known.knows(path)] == []


def test_every_rule_names_something(known: Map, files: list[str]) -> None:
    for pattern, targets in RULES:
        # the table is written by the first run of tests under load
        assert fnmatch_any(files, pattern) or pattern == "tests/steady.tsv", pattern
        for target in targets:
            assert targets == ALL or fnmatch_any(files, target), (pattern, target)


def fnmatch_any(files: list[str], pattern: str) -> bool:
    return any(fnmatch(path, pattern) for path in files)


def test_every_test_is_reached_by_another_file(known: Map, files: list[str]) -> None:
    whole = known.begin("Makefile")
    sources = [path for path in files if not is_test(path) and known.begin(path) != whole]
    assert set(known.tests) - set(known.affected(sources).tests) == {"tests/tools/test_build.py"}


def test_nothing_is_imported_relatively(known: Map) -> None:
    """The graph does not follow imports that begin with a dot."""
    for path, source in known.python.sources.items():
        assert not any(target.startswith("None.") for target in source.imports.values()), path


@pytest.mark.parametrize(
    "path", ["pyproject.toml", "Cargo.lock", "tests/conftest.py", "nobody/knows.this", "tests/gone.py"]
)
def test_files_that_everything_depends_on_affect_everything(known: Map, path: str) -> None:
    affected = known.affected([path])
    assert sorted(affected.tests) == sorted(known.tests)
    assert len(affected.packages) == len(known.rust.manifests)
    assert set(affected.packages.values()) == {None}


@pytest.mark.parametrize(
    ("path", "some", "none"),
    [
        ("tests/jobs/test_fold.py", {"test_fold"}, {"test_cli"}),
        ("tests/support/browser.py", {"test_browser", "test_browser_review"}, {"test_fold", "test_service_api"}),
        ("tests/support/postgres_server.py", {"test_stores"}, {"test_cli"}),
        ("docs/guides/service.md", {"test_docs"}, {"test_cli", "test_service_api"}),
        (
            "python/neardup/service/state/limits.py",
            {"test_service_api", "test_service_stop"},
            {"test_fold", "test_spark"},
        ),
        ("python/neardup/service/pages/templates/page.html", {"test_service_pages", "test_browser"}, {"test_stores"}),
        (
            "python/neardup/spark/results/table.py",
            {"test_spark", "test_spark_tables"},
            {"test_archives", "test_stores"},
        ),
        ("python/neardup/jobs/fold.py", {"test_fold"}, {"test_archives", "test_markup"}),
        ("python/neardup/jobs/run.py", {"test_api", "test_cli", "test_resume", "test_spark"}, {"test_browser_none"}),
        ("packaging/java.sh", {"test_spark"}, {"test_browser"}),
    ],
)
def test_a_change_affects_the_right_tests(known: Map, path: str, some: set[str], none: set[str]) -> None:
    names = {Path(test).stem for test in known.affected([path]).tests}
    assert some <= names
    assert not none & names


def test_the_nearest_come_first(known: Map) -> None:
    tests = known.affected(["tests/urls/test_urls.py", "python/neardup/urls/urls.py"]).tests
    assert tests[0] == "tests/urls/test_urls.py"


def test_a_test_affects_no_other_test(known: Map) -> None:
    affected = known.affected(["tests/jobs/test_fold.py"])
    assert (affected.tests, affected.packages) == (["tests/jobs/test_fold.py"], {})


def test_rust_changes_are_followed_by_module(known: Map) -> None:
    """The crates that compute do not use a module of the report."""
    affected = known.affected(["crates/neardup-report/src/pages/sweeps.rs"])
    assert "pages::sweeps::" in (affected.packages["neardup-report"] or [])
    assert "neardup-core" not in affected.packages
    assert "crates/neardup-py/src/reports/pages" in affected.nodes
    assert "crates/neardup-py/src/jobs/lexicon" not in affected.nodes


def test_a_change_of_a_crate_affects_all_that_depend_on_it(known: Map) -> None:
    packages = known.affected(["crates/neardup-text/src/lib.rs"]).packages
    assert {"neardup-text", "neardup-core", "neardup-engine", "neardup-py"} <= packages.keys()
    assert packages["neardup-core"] is None


@pytest.mark.parametrize(
    ("path", "node"),
    [
        ("crates/neardup-core/src/lib.rs", "crates/neardup-core"),
        ("crates/neardup-core/src/keys/rows.rs", "crates/neardup-core/src/keys/rows"),
        ("crates/neardup-core/src/keys/mod.rs", "crates/neardup-core/src/keys"),
        ("crates/neardup-core/examples/fingerprints.rs", "crates/neardup-core"),
        ("crates/neardup-core/tests/suite/flow.rs", "crates/neardup-core/tests/suite/flow"),
    ],
)
def test_the_node_of_a_file(path: str, node: str) -> None:
    assert node_of(path) == node


def test_a_use_is_one_path_for_each_name() -> None:
    assert expanded("keys") == [["keys"]]
    assert expanded("crate::{Error, keys::{self, near::{a, b as c}}}") == [
        ["crate", "Error"], ["crate", "keys"], ["crate", "keys", "near", "a"], ["crate", "keys", "near", "b"],
    ]  # fmt: skip


def test_names_are_followed_to_where_they_are_defined(known: Map) -> None:
    """The engine re-exports `Keep` at its root."""
    assert "crates/neardup-engine/src/job/options" in known.rust.imports["crates/neardup-py/src/jobs/options"]


def test_a_file_that_adds_to_a_type_affects_its_users(known: Map) -> None:
    users = known.affected(["crates/neardup-engine/src/pipeline/batches.rs"]).nodes
    assert "crates/neardup-engine/src/pipeline/passes" in users


def test_a_circle_is_found() -> None:
    ties = [("a", "b"), ("b", "c"), ("c", "b"), ("c", "d"), ("d", "e"), ("f", "f")]
    assert knots(ties) == [{"b", "c"}]
    imports = {f"crates/x/src/{one}": {f"crates/x/src/{other}"} for one, other in (("a/b", "c/d"), ("c/e", "a/f"))}
    assert next(circles(imports)) == "crates/x/src: a circle of a, c"


def test_tests_that_start_a_process_or_wait_are_chosen(known: Map) -> None:
    chosen = set(choose(known.python, known.tests))
    assert {
        "tests/jobs/test_resume.py::test_kill_and_resume",
        "tests/outputs/test_kills.py::test_a_killed_run_ends_in_the_same_results",
        "tests/service/test_service_stop.py::test_what_is_under_way_is_answered",
        "tests/spark/test_spark_cluster.py::test_separate_executors",
    } <= chosen
    assert "tests/tools/test_steady.py::test_passes_are_counted_in_a_row" not in chosen
    assert "tests/public/test_docs.py::test_readme_is_short" not in chosen
