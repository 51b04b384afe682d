"""The hand-written files that an addition changes: those that name one signature, format, option, column or store."""

import importlib.util
import re
from pathlib import Path
from typing import Any

import click
import pytest

from neardup.cli import program
from neardup.options import table
from neardup.options.option import Option

ROOT = Path(__file__).parents[2]
CRATES = "crates/*/src/**/*.rs"
PACKAGE = "python/neardup/**/*.py"


def matching(pattern: str, *globs: str) -> set[str]:
    """Return the files whose code matches a pattern, without comments, docs and tests inside a file."""
    found = set()
    for path in (path for glob in globs for path in ROOT.glob(glob)):
        code = path.read_text(encoding="utf-8").partition("#[cfg(test)]")[0]
        lines = (line for line in code.splitlines() if not line.lstrip().startswith(("//", "#")))
        if re.search(pattern, re.sub("`[^`]*`", "", "\n".join(lines))):
            found.add(str(path.relative_to(ROOT)))
    return found


def test_a_signature_is_two_files_and_a_line_in_the_list_of_each() -> None:
    core = "crates/neardup-core/src"
    assert matching(r"(?i)\bsupershingles\b", CRATES) == {
        f"{core}/signatures/supershingles.rs",
        f"{core}/signatures/mod.rs",
        f"{core}/scheme/entries/signatures/supershingles.rs",
        f"{core}/scheme/entries/signatures/mod.rs",
    }


def test_a_format_is_one_file_and_a_line_in_the_list() -> None:
    formats = "crates/neardup-corpus/src/formats"
    assert matching(r"\bmod arrow\b|(?<!parquet::)\barrow::\w|\"feather\"", CRATES, PACKAGE) == {
        f"{formats}/arrow.rs",
        f"{formats}/mod.rs",
    }


def test_a_store_is_one_file_and_a_line_in_the_list_of_names() -> None:
    assert matching(r"\bPostgresStore\b", PACKAGE) == {"python/neardup/stores/postgres.py", "python/neardup/public.py"}


def test_a_column_is_one_entry_from_which_the_reference_is_generated() -> None:
    """Spark defines its own columns and is excluded."""
    named = matching(r'"leader_size"', CRATES, PACKAGE)
    own = {path for path in named if not path.startswith("python/neardup/spark/")}
    assert own == {"crates/neardup-engine/src/results/tables/clusters.rs"}
    assert "| leader_size | uint32 |" in (ROOT / "docs/reference/outputs.md").read_text(encoding="utf-8")


def test_an_option_is_one_row_from_which_the_rest_is_generated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the row is added; the code that uses the option is the rest of the handwork."""
    toy = Option("toy", ("dedup",), "int", "A toy.", default=7, least=1, core="usize", decides=True)
    writer = load_writer()
    for module in (table, writer):
        monkeypatch.setattr(module, "OPTIONS", (*table.OPTIONS, toy))
    texts = {str(path.relative_to(ROOT)): text for path, text in writer.written().items()}
    changed = {path for path, text in texts.items() if text != (ROOT / path).read_text(encoding="utf-8")}
    assert changed == {
        "python/neardup/jobs/dedup.py",
        "python/neardup/_core.pyi",
        "crates/neardup-engine/src/job/options.rs",
        "crates/neardup-py/src/jobs/read_options.rs",
    }
    assert "    toy: int = 7,\n" in texts["python/neardup/jobs/dedup.py"]
    assert "        toy: A toy.\n" in texts["python/neardup/jobs/dedup.py"]
    assert 'toy: given.get("toy")?.unwrap_or(default.toy)' in texts["crates/neardup-py/src/jobs/read_options.rs"]
    identity = texts["crates/neardup-engine/src/job/options.rs"].partition("fn identity")[2]
    assert re.search(r"\btoy\b", identity)


def load_writer() -> Any:
    """Load the script that generates code from the table of options."""
    spec = importlib.util.spec_from_file_location("write_options", ROOT / "tools" / "options.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_command_line_reads_the_table() -> None:
    for verb in ("dedup", "cluster", "pairs"):
        command = program.get_command(click.Context(program), verb)
        assert command is not None
        flags = {flag for parameter in command.params for flag in parameter.opts}
        assert {option.long_flag for option in table.options_of(verb) if option.in_commands} <= flags
