"""The command line: help, output for people and machines, exit codes."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from command import PATIENCE, Cli, run_neardup, run_process
from records import read_rows
from terminal import on_a_terminal

DOCS = Path(__file__).parents[1] / "golden" / "docs.jsonl"
FIELDS = ("--id-field", "id", "--time-field", "created")
COMMANDS = [
    "dedup",
    "cluster",
    "pairs",
    "passages",
    "recluster",
    "review",
    "evidence",
    "urls",
    "mirrors",
    "sweep",
    "fold",
    "explain",
    "evaluate",
    "schemes",
    "lexicon",
    "serve",
    "sketch",
    "gate",
    "index",
]


def test_help(cli: Cli) -> None:
    text = cli("--help").stdout
    assert all(command in text for command in COMMANDS)
    assert "130" in text
    for command in COMMANDS:
        assert cli(command, "--help").stdout.startswith("Usage:")
    assert re.fullmatch(r"neardup \d+\.\d+\.\d+\n", cli("--version").stdout)


def imported(*arguments: str | Path) -> set[str]:
    """Return the modules that a command imports, without those of click."""
    code = """if True:
        import sys, click
        before = {*sys.modules}
        from neardup.cli import program
        program.main(sys.argv[1:], standalone_mode=False)
        print("imported", *{*sys.modules} - before)
    """
    command = [sys.executable, "-c", code, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
    return set(done.stdout.rpartition("imported")[2].split())


def test_a_command_imports_what_it_needs(tmp_path: Path) -> None:
    others = {
        f"neardup.cli.commands.{name}" for name in ("jobs", "finished", "texts", "schemes", "urls", "sweep", "serve")
    }
    heavy = {"rich", "numpy", "pyarrow", "resiliparse", "warcio", "polars", "dataclasses"}
    helping = imported("dedup", "--help")
    assert others & helping == {"neardup.cli.commands.jobs"}
    assert not (heavy | {"json", "pathlib", "neardup._core"}) & helping
    running = imported("dedup", DOCS, "--output", tmp_path / "out", *FIELDS, "--quiet")
    assert others & running == {"neardup.cli.commands.jobs"}
    assert (
        not (heavy | {"json", "pathlib", "shutil", "difflib", "neardup.jobs.explanation", "neardup.corpus"}) & running
    )
    # each of these imports all commands that it lists
    for group in ((), ("index",), ("sweep",)):
        assert not (heavy | {"neardup._core"}) & imported(*group, "--help"), group


def test_commands_are_completed() -> None:
    environment = {**os.environ, "_NEARDUP_COMPLETE": "bash_complete", "COMP_WORDS": "neardup ", "COMP_CWORD": "1"}
    found = run_process(env=environment).stdout.split()
    assert found == [f"plain,{command}" for command in sorted(COMMANDS)]


def test_a_source_has_one_name_however_it_is_typed(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "docs.jsonl").write_text('{"text": "one two three"}\n' * 2, encoding="utf-8")
    (tmp_path / "in").mkdir()
    digests = set()
    for number, typed in enumerate(("docs.jsonl", "./docs.jsonl", "in/../docs.jsonl", tmp_path / "docs.jsonl")):
        out = tmp_path / f"out{number}"
        cli("dedup", typed, "-o", out, "--quiet", cwd=tmp_path)
        left, right = (row["id"] for row in read_rows(out / "decisions.parquet"))
        assert (left, right) == ("docs.jsonl:1", "docs.jsonl:2")
        digests.add(json.loads((out / "run.json").read_text())["digest"])
        assert "identical" in cli("explain", left, right, "--in", typed, cwd=tmp_path).stdout
    assert len(digests) == 1


def test_a_command_that_is_misspelt() -> None:
    assert "Did you mean 'dedup'?" in run_neardup("dedpu", code=2).stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_output_that_cannot_be_written() -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-m", "neardup", "--help"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 1
    assert "No space left on device" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("verb", ["dedup", "cluster", "pairs"])
def test_summary_in_a_pipe_and_for_machines(cli: Cli, tmp_path: Path, verb: str) -> None:
    done = cli(verb, DOCS, "-o", tmp_path / "plain", *FIELDS)
    assert "\x1b" not in done.stdout + done.stderr
    assert re.search(r"^documents +26$", done.stdout, re.MULTILINE)
    assert done.stderr == ""
    done = cli(verb, DOCS, "-o", tmp_path / "json", *FIELDS, "--json")
    assert json.loads(done.stdout) == json.loads((tmp_path / "json" / "run.json").read_text(encoding="utf-8"))
    assert cli(verb, DOCS, "-o", tmp_path / "quiet", *FIELDS, "--quiet").stdout == ""
    done = cli(verb, DOCS, "-o", tmp_path / "both", *FIELDS, "--quiet", "--json")
    assert json.loads(done.stdout)["verb"] == verb


def test_summary_warns_of_thin_samples(cli: Cli, tmp_path: Path) -> None:
    done = cli("pairs", DOCS, "-o", tmp_path / "out", *FIELDS, "--scheme", "broder-containment")
    thin = json.loads((tmp_path / "out" / "run.json").read_text(encoding="utf-8"))["counts"]["thin_samples"]
    assert thin > 0
    assert re.search(rf"^thin samples +{thin} with fewer than 8 sampled values: ", done.stdout, re.MULTILINE)
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert re.search(rf"{thin} documents? ha(ve samples|s a sample) of fewer than 8 values", page)
    assert "thin samples" not in cli("pairs", DOCS, "-o", tmp_path / "plain", *FIELDS).stdout


def test_summary_on_a_terminal(tmp_path: Path) -> None:
    written = on_a_terminal("dedup", DOCS, "-o", tmp_path / "out", *FIELDS)
    assert "\x1b[" in written
    assert "documents" in written


def test_counts_of_the_golden_run(cli: Cli, tmp_path: Path) -> None:
    counts = json.loads(cli("dedup", DOCS, "-o", tmp_path / "out", *FIELDS, "--json").stdout)["counts"]
    expected = {"documents": 26, "kept": 15, "dropped": 11, "without_text": 6, "rejected": 0, "reference": 0}
    assert {key: counts[key] for key in expected} == expected
    assert sum(counts[rule] for rule in ("identical", "lexical", "shingles", "near")) == 11


def test_no_kept(cli: Cli, tmp_path: Path) -> None:
    cli("dedup", DOCS, "-o", tmp_path / "out", *FIELDS, "--no-kept")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        ".neardup",
        "decisions.parquet",
        "report.html",
        "run.json",
    ]


def test_explain_texts_in_other_encodings(cli: Cli, tmp_path: Path) -> None:
    text = "der Fährmann verlässt die Mole früh um sieben und kommt erst mittags zurück"
    left, right = tmp_path / "left.txt", tmp_path / "right.md"
    left.write_text(text, encoding="latin-1")
    right.write_text(text, encoding="utf-16")
    for name in ("latin1", "detect"):
        assert json.loads(cli("explain", left, right, "--json", "--encoding", name).stdout)["rule"] == "identical"
    refused = cli("explain", left, right, code=1)
    assert (
        "left.txt: invalid UTF-8 at byte 6 of the file; if it has another encoding, name it: --encoding"
        in refused.stderr
    )
    assert "is unknown; known are" in cli("explain", left, right, "--encoding", "klingon", code=2).stderr


def test_explain(cli: Cli, tmp_path: Path) -> None:
    left, right = tmp_path / "left.txt", tmp_path / "right.txt"
    left.write_text("one two three four five six seven eight \u202enine\x1b[31m ten", encoding="utf-8")
    right.write_text("zero two three four five six seven eight \u202enine\x1b[31m ten", encoding="utf-8")
    done = cli("explain", left, right, "--threshold", "0.7")
    assert "near" in done.stdout
    assert "[-one" in done.stdout
    assert "{+zero" in done.stdout
    assert "\x1b" not in done.stdout
    assert "\u202e" not in done.stdout
    evidence = json.loads(cli("explain", left, right, "--json").stdout)
    assert evidence["rule"] is None
    [passage] = evidence["passages"]
    start, end = passage["left"]["bytes"]
    assert left.read_bytes()[start:end].startswith(b"two three")
    start, end = passage["right"]["chars"]
    assert right.read_text(encoding="utf-8")[start:end].endswith("ten")
    done = cli("explain", "a1", "a8", "--in", DOCS, "--id-field", "id")
    assert "A in B       1.0000  (52 of 52 shingles)" in done.stdout
    done = cli("explain", left, right, "--measure", "levenshtein:words", "--measure", "lcs", "--measure", "cosine")
    assert "levenshtein:words  1\n" in done.stdout
    assert "lcs                0.8333\n" in done.stdout
    assert "cosine             0.8571\n" in done.stdout
    assert "condition          resemblance>=0.8: " in done.stdout
    for path in (left, right):
        (tmp_path / f"no-{path.name}").write_text("!?", encoding="utf-8")
    done = cli("explain", tmp_path / f"no-{left.name}", tmp_path / f"no-{right.name}")
    assert "resemblance  none  (no shingles)\n" in done.stdout
    assert "condition    resemblance>=0.8, not met\n" in done.stdout
    assert "did you mean levenshtein" in cli("explain", left, right, "--measure", "levenstein", code=2).stderr
    assert "reported in any case" in cli("explain", left, right, "--measure", "resemblance", code=2).stderr
    assert "no document 'zz'" in cli("explain", "a1", "zz", "--in", DOCS, "--id-field", "id", code=1).stderr
    assert "missing.txt" in cli("explain", left, tmp_path / "missing.txt", code=1).stderr
    colours = on_a_terminal("explain", left, right)
    assert "\x1b[32mzero" in colours


def test_schemes(cli: Cli) -> None:
    lines = cli("schemes").stdout.splitlines()
    assert {line.split("\t")[0] for line in lines} >= {"tokens", "features", "signature", "keys", "measure"}
    assert (
        "words | shingles:5 | minhash:68 | bands:17x4 | resemblance>=0.7" in cli("schemes", "--threshold", "0.7").stdout
    )
    found = json.loads(cli("schemes", "--recall", "exact", "--json").stdout)
    assert found["scheme"] == "words | shingles:5 | whole | prefix:0.8 | resemblance>=0.8"
    assert found["verified"] is True
    assert on_a_terminal("schemes").count("\x1b[") > 10


@pytest.mark.parametrize("columns", [80, 120])
def test_nothing_is_cut_on_a_terminal(tmp_path: Path, columns: int) -> None:
    urls = tmp_path / "urls.txt"
    hosts = ("museum.example", "www.museum.example")
    urls.write_text("".join(f"http://{host}/{page}\n" for host in hosts for page in range(7)), encoding="utf-8")
    terminal = on_a_terminal("mirrors", urls, columns=columns)
    assert "…" not in terminal
    assert all(re.search(rf"^{re.escape(host)} ", terminal, re.MULTILINE) for host in hosts)
    chosen = on_a_terminal("schemes", "--scheme", "contained", columns=columns)
    for written in (terminal, chosen, on_a_terminal("schemes", columns=columns)):
        assert "…" not in written
        lines = re.sub(r"\x1b\[[0-9;]*m", "", written).splitlines()
        assert max(map(len, lines)) <= columns
    assert re.search(r"such\s+keys\s+are\s+listed", chosen)


def test_one_message_without_traceback(cli: Cli, tmp_path: Path) -> None:
    missing = ["dedup", "missing.jsonl", "-o", str(tmp_path / "never")]
    for arguments, code in [(["dedup"], 2), (["nonsense"], 2), (missing, 1)]:
        done = cli(*arguments, code=code)
        assert done.stderr.count("rror: ") == 1
        assert done.stdout == ""


@pytest.mark.parametrize("option", ["--scheme", "--threshold", "--keep"])
def test_a_long_value_is_shortened_in_a_message(option: str, cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a", encoding="utf-8")
    refused = cli("dedup", "a.txt", "-o", "out", option, "x" * 60_000, code=2, cwd=tmp_path)
    assert len(refused.stderr) < 2_500


def test_a_reader_that_closes_the_pipe() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "neardup", "schemes"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.close()
    _, errors = process.communicate(timeout=PATIENCE)
    assert errors == b""


def test_the_installed_command_is_the_module() -> None:
    script = Path(sys.executable).parent / "neardup"
    done = subprocess.run([script, "--version"], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout == run_neardup("--version").stdout


def test_no_summary_is_cut() -> None:
    groups: list[list[str]] = [[], ["gate"], ["index"], ["sweep"]]
    lines = [line for words in groups for line in run_neardup(*words, "--help").stdout.splitlines()]
    assert not [line for line in lines if line.endswith("...") and not line.startswith("Usage")]
