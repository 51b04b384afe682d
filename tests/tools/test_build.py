"""Dependencies are compiled once: the extension, the Rust tests and the programs of bench request the same features."""

import re
import subprocess
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]

COMPILED_AGAIN = {"twox-hash"}
"""Packages that are compiled again for the programs of bench; they are small, and bench needs fewer features."""


def features(*selection: str, workspace: Path = ROOT) -> dict[str, set[str]]:
    """Return the feature sets that are compiled for a selection of packages, by package and version."""
    command = ["cargo", "tree", "--quiet", "--prefix", "none", "--no-dedupe", "--format", "{p}|{f}", *selection]
    done = subprocess.run(command, cwd=workspace, check=True, capture_output=True, encoding="utf-8")
    found: dict[str, set[str]] = {}
    for line in done.stdout.splitlines():
        package, _, names = line.partition("|")
        found.setdefault(re.sub(r" \(.*", "", package), set()).add(names)
    return found


def test_tests_request_the_features_of_the_extension() -> None:
    """A difference is shown with its name; the manifest of a workspace crate can request the feature, too."""
    built = features("--edges", "normal,build", "--package", "neardup-py")
    tested = features("--edges", "normal,build,dev", "--workspace")
    # a package that build scripts of tests also use may have one more feature set for them
    assert {name: sets for name, sets in built.items() if not sets <= tested[name]} == {}


def test_programs_of_bench_request_the_features_of_the_extension() -> None:
    built = features("--edges", "normal,build", "--package", "neardup-py")
    names = {package.partition(" ")[0] for package in built}
    asked = features("--edges", "normal,build", "--workspace", workspace=ROOT / "bench")
    differing = {package.partition(" ")[0] for package, sets in asked.items() if not sets <= built.get(package, set())}
    assert differing & names == COMPILED_AGAIN


def test_programs_of_bench_have_the_profile_of_the_extension() -> None:
    ours, theirs = (
        tomllib.loads((workspace / "Cargo.toml").read_text(encoding="utf-8"))["profile"]["release"]
        for workspace in (ROOT, ROOT / "bench")
    )
    assert {key: theirs[key] for key in ("lto", "opt-level")} == {key: ours[key] for key in ("lto", "opt-level")}
