"""The extractor of main content: who has the option, where its version is stored, and that two do not mix."""

import json
from pathlib import Path
from typing import Any, Literal

import pytest

import neardup
from command import Cli
from neardup import _core
from neardup.corpus import extractors
from neardup.corpus.extractors import NAMES, label_of
from neardup.corpus.markup import DEEP
from neardup.errors import UsageError
from neardup.gate import Page
from neardup.index.index import Index
from neardup.index.options import set_up
from neardup.options.table import OPTIONS
from neardup.sweeps import SweepStore
from records import write_records

WORDS = "mix a kilo of flour with warm water and wait an hour before adding the salt, then fold the dough twice"
MENU = "".join(f"<a href='/{number}'>part {number}</a> " for number in range(9))
# resiliparse takes the menu for text, because nothing names it
PAGE = f"<body><div>{MENU}</div><div><h1>Bread</h1><p>{WORDS}.</p></div></body>"

CHOICES: tuple[Literal["auto"], Literal["resiliparse"]] = ("auto", "resiliparse")


def text_by(name: str) -> str:
    return neardup.extract_main_text(PAGE, name)


def summary(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    return found


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_text(PAGE, encoding="utf-8")
    return path


def test_every_verb_that_takes_main_content_has_the_option() -> None:
    main_content, extractor = (
        {verb for option in OPTIONS if option.name == name for verb in option.verbs}
        for name in ("main_content", "extractor")
    )
    assert main_content <= extractor


@pytest.mark.parametrize("name", NAMES)
def test_a_run_states_the_extractor(name: str, page: Path, cli: Cli, tmp_path: Path) -> None:
    chosen = () if name == "auto" else ("--extractor", name)
    cli("dedup", page, "-o", tmp_path / "out", "--main-content", *chosen)
    assert summary(tmp_path / "out")["reading"]["extractor"] == label_of(name)
    options: Any = {"main_content": True, "extractor": name}
    [document] = neardup.read(page, **options)
    assert document.text == text_by(name)


def test_a_run_without_main_content_states_none(page: Path, cli: Cli, tmp_path: Path) -> None:
    cli("dedup", page, "-o", tmp_path / "out")
    assert summary(tmp_path / "out")["reading"]["extractor"] is None
    for command in ("dedup", "pairs"):
        done = cli(command, page, "-o", tmp_path / "no", "--extractor", "auto", code=2)
        assert "set main_content, too (--main-content)" in done.stderr
    assert "'auto', 'resiliparse', 'trafilatura'" in cli("dedup", page, "--extractor", "x", code=2).stderr


def test_pages_that_are_taken_whole_are_counted(tmp_path: Path) -> None:
    (tmp_path / "deep.html").write_text("<div>" * 3000 + WORDS, encoding="utf-8")
    run = neardup.dedup(tmp_path / "deep.html", main_content=True)
    assert run.summary["records"]["flaws"] == {DEEP: 1}
    assert neardup.dedup(tmp_path / "deep.html").summary["records"]["flaws"] == {}


def test_evidence_is_found_with_the_extractor_of_the_run(page: Path, tmp_path: Path) -> None:
    (tmp_path / "copy.html").write_text(PAGE.replace("twice", "thrice"), encoding="utf-8")
    for name in CHOICES:
        run = tmp_path / name
        neardup.find_pairs([page, tmp_path / "copy.html"], threshold=0.5, output=run, main_content=True, extractor=name)
        [tokens] = neardup.evidence(run).passages.column("tokens")
        assert tokens == len(text_by(name).replace(",", "").split()) - 1


def test_evidence_of_another_version_is_refused(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    neardup.find_pairs([page, page], output=tmp_path / "run", main_content=True)
    monkeypatch.setattr(extractors, "VERSION", 2)
    with pytest.raises(UsageError, match="taken by auto 1, and this is auto 2"):
        neardup.evidence(tmp_path / "run")


def test_an_index_has_one_extractor(page: Path, cli: Cli, tmp_path: Path) -> None:
    index = tmp_path / "index"
    cli("index", "create", index, page, "--main-content", "--extractor", "resiliparse")
    assert Index.open(index).get("page.html:1").text == text_by("resiliparse")
    other = tmp_path / "other.html"
    other.write_text(PAGE, encoding="utf-8")
    cli("index", "add", index, other, "--main-content")
    assert Index.open(index).get("other.html:1").text == text_by("resiliparse")
    done = cli("index", "add", index, other, "--main-content", "--extractor", "auto", code=2)
    assert f"taken by {label_of('resiliparse')}, not by auto" in done.stderr
    found = cli("index", "query", index, "--file", page, "--main-content", "--json").stdout
    assert [hit["resemblance"] for hit in json.loads(found)["hits"]] == [1.0, 1.0]


def test_an_index_of_another_version_takes_texts_and_no_pages(
    page: Path, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = tmp_path / "index"
    cli("index", "create", index, page, "--main-content")
    monkeypatch.setattr(extractors, "VERSION", 2)
    assert "taken by auto 1, and this is auto 2" in cli("index", "add", index, page, "--main-content", code=2).stderr
    write_records(tmp_path / "docs.jsonl", [{"text": WORDS}])
    cli("index", "add", index, tmp_path / "docs.jsonl")
    assert len(Index.open(index)) == 2


def test_an_index_that_states_none_is_of_resiliparse(tmp_path: Path) -> None:
    _core.Index.create(str(tmp_path), *set_up({})[:5])
    with pytest.raises(UsageError, match="taken by resiliparse, not by auto"):
        Index.open(tmp_path).choose_extractor("auto")
    assert Index.open(tmp_path).choose_extractor() == "resiliparse"


def test_a_gate_takes_pages_by_the_extractor_of_its_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in CHOICES:
        with neardup.Gate.open(tmp_path / name, extractor=name) as gate:
            gate.admit(Page(PAGE, "a"))
            assert gate.index.get("a").text == text_by(name)
    with pytest.raises(UsageError, match="extractor is"):
        neardup.Gate.open(tmp_path / "auto", extractor="resiliparse")
    monkeypatch.setattr(extractors, "VERSION", 2)
    with neardup.Gate.open(tmp_path / "auto") as gate, pytest.raises(UsageError, match="this is auto 2"):
        gate.admit(Page(PAGE, "b"))


def test_the_commands_of_a_gate_read_pages_by_its_extractor(page: Path, cli: Cli, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    cli("gate", "create", gate, page, "--main-content", "--extractor", "resiliparse")
    other = tmp_path / "other.html"
    other.write_text(PAGE, encoding="utf-8")
    [answer] = cli("gate", "check", gate, other, "--main-content", "--json", code=4).stdout.splitlines()
    assert json.loads(answer)["rule"] == "identical"
    cli("gate", "admit", gate, other, "--main-content", code=4)
    assert "not by auto" in cli("gate", "admit", gate, other, "--main-content", "--extractor", "auto", code=2).stderr
    assert Index.open(gate / "index").get("other.html:1").text == text_by("resiliparse")


def test_a_store_of_sweeps_has_one_extractor(page: Path, cli: Cli, tmp_path: Path) -> None:
    store = tmp_path / "store"
    write_records(tmp_path / "pages.jsonl", [{"url": "https://a.example/", "html": PAGE}])
    added = ("sweep", "add", store, tmp_path / "pages.jsonl", "--html-field", "html", "--main-content", "--date")
    cli(*added, "2024-01", "--extractor", "resiliparse")
    cli(*added, "2024-02")
    with SweepStore(store) as opened:
        assert opened.last_text("https://a.example/") == text_by("resiliparse")
    assert "not by auto" in cli(*added, "2024-03", "--extractor", "auto", code=2).stderr
    assert SweepStore(store).choose_extractor() == "resiliparse"
    found = cli("sweep", "contacts", store, page, "--main-content", "--json").stdout
    assert [one["holds"] for one in json.loads(found)["found"]] == ["identical"]
