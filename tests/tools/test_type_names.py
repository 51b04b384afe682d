"""A type name means one thing in all crates, and the glossary names types that exist."""

import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[2]

DECLARATION = re.compile(r"^(?:pub(?:\([^)]*\))? )?(?:unsafe )?(?:struct|enum|trait|union|type) (\w+)", re.MULTILINE)

SAME = {
    "CappedKey": "the report shows those of a run",
    "Chance": "the report shows that of a run's keys",
    "ClusterTable": "the report shows that of a run",
    "Counts": "the report shows those of a run",
    "Error": "every crate has one of its own",
    "OutputFolder": "Python's wraps that of the disk",
    "Phase": "the report shows those of a run",
    "PhaseTime": "an evaluation reads those of a run",
    "Repair": "Python's wraps the index's",
    "Result": "every crate has one of its own",
    "Rule": "the report shows the one of a pair",
    "Scheme": "Python's wraps the core's",
    "Sources": "Python's wraps the engine's",
    "ThresholdStep": "the report shows those of a run",
}
"""Names that two crates share, because they mean the same thing in both."""


def test_a_type_name_means_one_thing() -> None:
    places = defaultdict(list)
    for path in sorted(ROOT.glob("crates/*/src/**/*.rs")):
        source = path.read_text(encoding="utf-8").partition("#[cfg(test)]")[0]
        for name in DECLARATION.findall(source):
            places[name].append(path.relative_to(ROOT / "crates"))
    several = {name: paths for name, paths in places.items() if len(paths) > 1}
    assert {name: paths for name, paths in several.items() if name not in SAME} == {}
    assert sorted(several) == sorted(SAME)
    # within one crate a name is declared only once
    for name, paths in several.items():
        assert len({path.parts[0] for path in paths}) == len(paths), name


def test_the_glossary_names_existing_types() -> None:
    page = (ROOT / "docs/concepts/glossary.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| [^|]+ \| `(\w+)` \| [^|]+ \|$", page.partition("## What it is made of")[2], re.MULTILINE)
    sources = [path.read_text(encoding="utf-8") for path in ROOT.glob("crates/*/src/**/*.rs")]
    declared = {name for source in sources for name in DECLARATION.findall(source)}
    assert len(rows) > 40
    assert set(rows) <= declared
