"""Printed numbers agree with their nouns."""

import re
from pathlib import Path

import pytest

from command import Cli
from records import write_records

PLURAL = re.compile(r"\b1(?:</b>)?(?:<span>)? (?:(?:later|other|different|reference|listed|equal) )?[a-z]+s\b")
"""The number 1 in front of a word that may be a plural."""
ALLOWED = re.compile(r"1 (?:as|differs|has|is|ms|was)\b")
LONG = " ".join(f"w{number}" for number in range(60))


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    """Make inputs of which all that is counted comes once."""
    write_records(tmp_path / "one.jsonl", [{"id": "a", "url": "https://a.example/x", "text": LONG}])
    copies = [{"id": name, "url": f"https://{name}.example/x", "text": LONG} for name in "ab"]
    write_records(tmp_path / "two.jsonl", [*copies, {"id": "c", "url": "https://a.example/y", "text": "word"}])
    write_records(tmp_path / "bad.jsonl", [*copies, {"id": "c", "url": "https://a.example/y", "text": 5}])
    return tmp_path


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("dedup one.jsonl -o out", 0),
        ("dedup two.jsonl -o out --group-field id", 0),
        ("dedup bad.jsonl -o out --on-error skip", 3),
        ("cluster two.jsonl -o out", 0),
        ("pairs two.jsonl -o out", 0),
        ("passages two.jsonl -o out", 0),
        ("lexicon one.jsonl -o out", 0),
        ("urls one.jsonl -o out", 0),
        ("explain --in two.jsonl --id-field id a c", 0),
        ("index create out one.jsonl", 0),
        ("gate create out", 0),
        ("sweep add out two.jsonl --date 2020", 0),
    ],
)
def test_one_is_no_plural(command: str, code: int, cli: Cli, inputs: Path) -> None:
    done = cli(*command.split(), code=code, cwd=inputs)
    pages = [page.read_text(encoding="utf-8") for page in (inputs / "out").glob("report.html")]
    for text in (done.stdout, done.stderr, *pages):
        found = [match[0] for match in PLURAL.finditer(text) if not ALLOWED.match(match[0])]
        assert not found, text if text not in pages else found
