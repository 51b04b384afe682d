"""Dependencies are compiled once: the extension and the Rust tests ask for the same features of each."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent


def features(*selection: str) -> dict[str, set[str]]:
    """Return what is compiled for a selection of packages: by package and version, the sets of its features."""
    command = ["cargo", "tree", "--quiet", "--prefix", "none", "--no-dedupe", "--format", "{p}|{f}", *selection]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, encoding="utf-8")
    found: dict[str, set[str]] = {}
    for line in done.stdout.splitlines():
        package, _, names = line.partition("|")
        found.setdefault(re.sub(r" \(.*", "", package), set()).add(names)
    return found


def test_tests_ask_for_the_features_of_the_extension() -> None:
    """A difference shows here with its name; the manifest of a crate of ours can ask for the feature, too."""
    built = features("--edges", "normal,build", "--package", "neardup-py")
    tested = features("--edges", "normal,build,dev", "--workspace")
    # of a package that build scripts of tests use, too, one more set is a unit of theirs
    assert {name: sets for name, sets in built.items() if not sets <= tested[name]} == {}
