"""Options of the verbs that run on Spark, too."""

import re
from pathlib import Path

import pytest

import neardup
from command import Cli
from neardup.options.table import options_of

PACKAGE = Path(neardup.__file__).parent
ELSEWHERE = {"engine", "progress", "notice", "threshold", "recall"}
"""Options that the library heeds before Spark does."""


@pytest.mark.parametrize("verb", ["dedup", "cluster", "pairs"])
def test_none_is_ignored(verb: str) -> None:
    """Each is looked at or refused."""
    code = "".join(path.read_text(encoding="utf-8") for path in (PACKAGE / "spark").rglob("*.py"))
    named = set(re.findall(r'"(\w+)"', code))
    names = {option.name for option in options_of(verb) if option.in_python}
    assert names - named - ELSEWHERE == set()


def test_threads_and_a_master(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "docs.jsonl"
    path.write_text('{"text": "a"}\n', encoding="utf-8")
    asked = ("--engine", "spark", "--master", "local[2]", "--threads", 2)
    refused = cli("dedup", path, "-o", tmp_path / "out", *asked, code=2)
    assert "--master" in refused.stderr
