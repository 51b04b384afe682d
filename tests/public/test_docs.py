"""The docs are correct and complete: their code runs, their links have targets, and nothing is missing."""

import re
import shlex
import shutil
import subprocess
import sys
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import click
import pytest

import neardup
from command import Cli, run_neardup
from framed import Made, answer, warc_record
from neardup import _core, errors
from neardup.cli import program
from neardup.options.table import OPTIONS
from neardup.options.values import translate_readers
from neardup.public import PUBLIC, homes
from records import read_jsonl
from spark_session import folder_of
from systems import need_linux, need_posix

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
REFERENCE = ROOT / "docs" / "reference"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)#]+)(?:#[^)]*)?\)")


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def blocks(page: Path) -> list[tuple[str, str]]:
    return [(kind, code) for kind, code in BLOCK.findall(page.read_text(encoding="utf-8"))]


def tidy(folder: Path, before: set[Path]) -> None:
    """Remove the files that were added to the folder of a Spark session, except those that Spark itself needs."""
    for path in set(folder.iterdir()) - before:
        if path.is_file():
            path.unlink()
        elif not path.name.startswith(("spark-", "blockmgr-")):
            shutil.rmtree(path)


ON_SPARK = "on-spark.md"


@pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=pytest.mark.spark) if page.name == ON_SPARK else page for page in PAGES if blocks(page)],
    ids=name,
)
def test_code_blocks_run(
    page: Path, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    need_posix("a shell, and reviews")
    if page.name == ON_SPARK:
        need_linux("Spark")
        spark = request.getfixturevalue("spark")
        # a session takes seconds to start, so the page uses the running one
        monkeypatch.setattr("neardup.spark.session.session.open_session", lambda *_, **__: nullcontext(spark))
        tmp_path = folder_of(spark)
        # later tests find the folder as it was
        request.addfinalizer(partial(tidy, tmp_path, set(tmp_path.iterdir())))
    shutil.copy(Path(__file__).parents[1] / "golden" / "docs.jsonl", tmp_path / "docs.jsonl")
    monkeypatch.chdir(tmp_path)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    # a page is one session: a later block can use the names that an earlier one defined
    namespace: dict[str, object] = {"__name__": page.stem}
    for kind, code in blocks(page):
        assert kind in ("python", "console", "sh", "text"), f"a block of kind {kind!r} is not run by this test"
        if kind == "python":
            exec(compile(code, name(page), "exec"), namespace)
        if kind == "console":
            for line in code.splitlines():
                assert line.startswith("$ neardup "), line
                run_neardup(*shlex.split(line.removeprefix("$ neardup ")))
        if kind == "sh":
            # set-up commands: they cannot run inside themselves, but their targets must exist
            for line in code.splitlines():
                verb, target = line.split()[:2]
                assert verb == "make"
                assert f"\n{target}:" in makefile


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_have_targets(page: Path) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        if not target.startswith(("http:", "https:")):
            assert (page.parent / target).exists(), target


def test_every_page_is_linked() -> None:
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8") + (ROOT / "README.md").read_text(encoding="utf-8")
    for page in PAGES:
        assert page.relative_to(page.parent.parent).as_posix() in index or page.parent == ROOT, page


def test_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 120


def test_generated_pages_are_up_to_date() -> None:
    need_posix("the service, which describes its API")
    command = [sys.executable, str(ROOT / "tools" / "docs" / "generate.py"), "--check"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr


def list_commands(command: click.Command, name: str) -> list[tuple[str, click.Command]]:
    inner = command.commands.items() if isinstance(command, click.Group) else ()
    return [(name, command), *(found for one, below in inner for found in list_commands(below, f"{name} {one}"))]


def test_every_option_has_help_and_is_in_the_reference() -> None:
    page = (REFERENCE / "cli.md").read_text(encoding="utf-8")
    for name, command in list_commands(program, "neardup"):
        assert command.help
        section = page.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                assert parameter.help, parameter.name
                assert parameter.opts[-1] in section, (name, parameter.opts)


def test_every_stage_is_in_the_reference() -> None:
    page = (REFERENCE / "schemes.md").read_text(encoding="utf-8")
    for kind, form, _, meaning, _ in _core.schemes():
        assert f"| {kind} | `{form}` |" in page, (kind, form)
        assert meaning


def test_every_name_is_in_the_reference() -> None:
    page = (REFERENCE / "python.md").read_text(encoding="utf-8")
    for place in PUBLIC:
        for word in homes(place):
            assert f"`{word}" in page or f"`{place}.{word}" in page, word
    for option in OPTIONS:
        if option.in_python:
            assert f"| `{option.name}` |" in page, option
    kinds: list[type] = [errors.NeardupError, *errors.NeardupError.__subclasses__()]
    for error in kinds:
        assert f"`{error.__name__}`" in page


@pytest.mark.parametrize(("verb", "table"), [("dedup", "decisions"), ("cluster", "clusters"), ("pairs", "pairs")])
def test_every_column_is_in_the_reference(verb: str, table: str, tmp_path: Path) -> None:
    page = (REFERENCE / "outputs.md").read_text(encoding="utf-8")
    section = page.partition(f"## {table}.parquet")[2].partition("\n## ")[0]
    documented = re.findall(r"^\| (\w+) \| (?!type)", section, re.MULTILINE)
    texts = ["one two three four five", "one two three four five"]
    tables = _core.collect((None, text, None, None, None) for text in texts)
    estimates = "words | shingles:2 | simhash:64 | blocks:3 | hamming<=3"
    pages = [warc_record("response", answer(text.encode()), number) for number, text in enumerate(texts)]
    archive = str(Made("a.warc", pages).write(tmp_path))
    options = {"against": [archive], "scheme": f"{estimates} ; {estimates}", **translate_readers({})}
    result = _core.run(verb, [archive], options)  # type: ignore[arg-type]
    assert result.table(table).column_names == documented  # type: ignore[arg-type]
    alone = _core.run(verb, [tables], {}).table(table).column_names  # type: ignore[arg-type]
    of_some = re.compile("(left_|right_)?(url|host|date|offset|length)|original_in|pass|value")
    assert alone == [column for column in documented if not of_some.fullmatch(column)]


@pytest.mark.parametrize("table", ["passages", "repeated", "removed", "changed"])
def test_every_column_of_passages_is_in_the_reference(table: str) -> None:
    page = (REFERENCE / "outputs.md").read_text(encoding="utf-8")
    section = page.partition(f"### {table}\n")[2].partition("\n##")[0]
    documented = re.findall(r"^\| (\w+) \| (?!type)", section, re.MULTILINE)
    texts = ["One two three."]
    found = neardup.find_passages(texts, 3, against=[{"text": texts[0]}])
    assert getattr(found, table).column_names == documented
    alone = getattr(neardup.find_passages(texts * 2, 3), table).column_names
    assert alone == [column for column in documented if column != "original_in"]
    keys = {*found.summary, *found.summary["counts"], *found.summary["effort"], *found.summary["inputs"][0]}
    words = set(re.findall(r"\w+", page.partition("### run.json of passages")[2].partition("\n## ")[0]))
    assert keys <= words, keys - words


def test_every_key_of_the_summary_is_in_the_reference() -> None:
    page = (REFERENCE / "outputs.md").read_text(encoding="utf-8").partition("## run.json")[2]
    summary = neardup.dedup(["one two three four five"] * 2).summary
    documented = set(re.findall(r"\w+", page))
    keys = {*summary, *summary["counts"], *summary["clusters"], *summary["phases"][0], *summary["inputs"][0]}
    assert keys <= documented, keys - documented


def test_every_part_of_evidence_is_in_the_reference(tmp_path: Path) -> None:
    page = (REFERENCE / "outputs.md").read_text(encoding="utf-8")
    section = page.partition("## evidence.jsonl")[2].partition("\n## ")[0]
    texts = ["one two three four five six"] * 2
    neardup.find_pairs(texts, output=tmp_path / "run")
    summary = neardup.evidence(tmp_path / "run", inputs=texts, texts=True, output=tmp_path / "out").summary
    [line] = read_jsonl(tmp_path / "out" / "evidence.jsonl")
    listed = ", ".join(re.findall(r"^\| ([\w, ]+) \| (?!meaning)", section, re.MULTILINE))
    assert list(line) == listed.split(", ")
    assert set(line["passages"][0]) <= set(re.findall(r"\w+", section))
    description = page.partition("`neardup evidence` writes a run.json")[2].partition("\n\n")[0]
    keys = {*summary, *summary["counts"]} - {"neardup", "verb"}
    assert keys <= set(re.findall(r"\w+", description))


def test_every_member_of_a_reject_is_in_the_reference(cli: Cli, tmp_path: Path) -> None:
    page = (REFERENCE / "outputs.md").read_text(encoding="utf-8")
    section = page.partition("## rejects.jsonl")[2].partition("\n## ")[0]
    (tmp_path / "docs.jsonl").write_text("{}\n", encoding="utf-8")
    cli("dedup", tmp_path / "docs.jsonl", "-o", tmp_path / "out", "--on-error", "skip", code=3)
    [reject] = read_jsonl(tmp_path / "out" / "rejects.jsonl")
    assert list(reject) == re.findall(r"^\| (\w+) \| (?!meaning)", section, re.MULTILINE)


def test_every_dependency_is_justified() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    manifests = [ROOT / "Cargo.toml", *(ROOT / "crates").glob("*/Cargo.toml")]
    wanted: set[str] = set()
    for manifest in manifests:
        for section in re.split(r"^\[", manifest.read_text(encoding="utf-8"), flags=re.MULTILINE):
            title, _, body = section.partition("]\n")
            if title.endswith("dependencies"):
                wanted.update(re.findall(r"^([\w-]+)(?: =|\.workspace)", body, re.MULTILINE))
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    wanted.update(re.findall(r'"([\w-]+)(?:\[\w+\])?>=', project))
    for dependency in wanted:
        assert dependency.startswith("neardup") or re.search(rf"\b{dependency}\b", page), dependency


def test_the_version_is_in_the_changes() -> None:
    assert f"\n## {neardup.__version__}\n" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
