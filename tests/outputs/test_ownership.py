"""Outputs replace only results of neardup, for all commands that write a folder: not links, inputs or other files."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

import neardup
from command import Cli
from neardup import UsageError
from neardup.review.review import Review

TEXTS = [
    "the lighthouse keeper counts the ships that pass before the fog comes in from the cold northern sea",
    "the lighthouse keeper counts the ships that pass before the fog comes in from the cold southern sea",
    "bread needs time and salt and a warm kitchen and somebody who gets up before the street is awake",
]


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    path = tmp_path / "in" / "docs.jsonl"
    path.parent.mkdir()
    lines = ({"id": f"d{number}", "text": text, "url": f"http://h{number}.org/a"} for number, text in enumerate(TEXTS))
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


COMMANDS: dict[str, tuple[str, ...]] = {
    "dedup": ("dedup",),
    "dedup with an index": ("dedup", "--index"),
    "cluster": ("cluster", "--pairs", "--forest"),
    "pairs": ("pairs",),
    "passages": ("passages",),
    "sketch": ("sketch", "--scheme", "words | shingles:5 | minima:9 | each | equal"),
    "urls": ("urls",),
    "mirrors": ("mirrors",),
}


def urls_of(name: str) -> list[str]:
    return ["--url-field", "url"] if name in ("urls", "mirrors") else []


@pytest.mark.parametrize("name", COMMANDS)
def test_a_foreign_folder_stays(cli: Cli, tmp_path: Path, docs: Path, name: str) -> None:
    command = [*COMMANDS[name], docs, *urls_of(name)]
    for end in ("", ".partial", ".replaced"):
        mine = tmp_path / f"out{end}"
        mine.mkdir()
        (mine / "run.json").write_text("mine")
        refused = cli(*command, "-o", tmp_path / "out", "--overwrite", code=2)
        assert str(mine) in refused.stderr
        assert "neardup did not make" in refused.stderr
        assert (mine / "run.json").read_text() == "mine"
        (mine / "run.json").unlink()
        mine.rmdir()
    cli(*command, "-o", tmp_path / "out")
    notes = tmp_path / "out" / "notes.txt"
    notes.write_text("mine")
    assert "notes.txt" in cli(*command, "-o", tmp_path / "out", "--overwrite", code=2).stderr
    assert notes.read_text() == "mine"
    notes.unlink()
    cli(*command, "-o", tmp_path / "out", "--overwrite")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "out"]


def test_no_command_takes_an_address_for_a_path(
    cli: Cli, tmp_path: Path, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    cli("pairs", docs, "--url-field", "url", "-o", tmp_path / "done")
    url = ["--url-field", "url"]
    labels = tmp_path / "in" / "labels.jsonl"
    labels.write_text('{"a": "d0", "b": "d1", "label": 1}\n')
    for address in ("s3a://bucket/out", "file:///out"):
        commands: list[list[Any]] = [
            [*command, docs, *urls_of(name), "-o", address] for name, command in COMMANDS.items()
        ]
        commands += [
            ["evaluate", labels, docs, "-o", address],
            ["recluster", "done", "--threshold", "0.9", "-o", address],
            ["evidence", "done", "-o", address],
            ["lexicon", docs, "-o", address],
            ["index", "create", address, docs],
            ["sweep", "add", address, docs, "--date", "2026-01", *url],
        ]
        for command in commands:
            refused = cli(*command, code=2)
            assert "this machine" in refused.stderr, command
    with pytest.raises(UsageError, match="this machine"):
        neardup.Index.create("hdfs://cluster/index")
    with pytest.raises(UsageError, match="this machine"):
        Review.create("gs://bucket/review", docs, id_field="id", floor="0.5")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["done", "in"]


def test_sweeps_and_reviews_inside_a_result_stay(cli: Cli, tmp_path: Path, docs: Path) -> None:
    out = tmp_path / "out"
    cli("dedup", docs, "-o", out)
    url = ["--html-field", "text", "--url-field", "url"]
    cli("sweep", "add", out / "sweeps", docs, "--date", "2026-01", *url)
    Review.create(out / "reviews" / "mine", docs, id_field="id", floor="0.5")
    refused = cli("dedup", docs, "-o", out, "--overwrite", code=2).stderr
    assert "it also holds reviews/mine (a review of neardup), sweeps (a store of sweeps of neardup)" in refused
    assert "sweeps  1" in cli("sweep", "stats", out / "sweeps").stdout
    assert (out / "reviews" / "mine").is_dir()
    (out / "sweeps").rename(tmp_path / "sweeps")
    (out / "reviews").rename(tmp_path / "reviews")
    cli("dedup", docs, "-o", out, "--overwrite")


def test_a_link_is_judged_by_its_target(cli: Cli, tmp_path: Path, docs: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "thesis.txt").write_text("mine")
    for end in ("", ".partial", ".replaced"):
        link = tmp_path / f"out{end}"
        link.symlink_to(home)
        cli("dedup", docs, "-o", tmp_path / "out", "--overwrite", code=2)
        assert (home / "thesis.txt").read_text() == "mine"
        link.unlink()
    cli("dedup", docs, "-o", tmp_path / "result")
    (tmp_path / "out").symlink_to("result")
    cli("dedup", docs, "-o", tmp_path / "out", "--overwrite", "--threshold", "0.9")
    assert (tmp_path / "out").is_symlink()
    assert "0.9" in json.loads((tmp_path / "result" / "run.json").read_text())["scheme"]


def test_an_output_that_would_replace_its_input_is_refused(cli: Cli, tmp_path: Path, docs: Path) -> None:
    cli("pairs", docs, "-o", tmp_path / "out")
    cli("dedup", docs, "-o", tmp_path / "clean")
    kept = tmp_path / "clean" / "kept"
    before = (kept / "docs.jsonl").read_bytes()
    for inputs in (kept, kept / "docs.jsonl", f"{kept}/*.jsonl", tmp_path / "clean" / ".." / "clean" / "kept"):
        refused = cli("dedup", inputs, "-o", tmp_path / "clean", "--overwrite", code=2)
        assert "would replace the input" in refused.stderr
    for command in (["recluster", tmp_path / "out", "--threshold", "0.9"], ["evidence", tmp_path / "out"]):
        refused = cli(*command, "-o", tmp_path / "out", "--overwrite", code=2)
        assert "would replace the input" in refused.stderr
    assert (kept / "docs.jsonl").read_bytes() == before
    cli("dedup", docs.parent, "-o", docs.parent / "out")
    assert (docs.parent / "out" / "run.json").exists()


def test_an_index_that_is_read_is_not_replaced(cli: Cli, tmp_path: Path, docs: Path) -> None:
    out, index = tmp_path / "out", tmp_path / "out" / "index"
    cli("dedup", docs, "-o", out, "--index", "--id-field", "id")
    for command in (
        ["dedup"],
        ["cluster"],
        ["pairs"],
        ["sketch", "--scheme", "words | shingles:5 | minima:9 | each | equal"],
    ):
        assert "would replace the input" in cli(*command, index, "-o", out, "--overwrite", code=2).stderr
    for verb in ("dedup", "pairs"):
        refused = cli(verb, docs, "--id-field", "id", "--against", index, "-o", out, "--overwrite", code=2)
        assert "would replace the input" in refused.stderr
    opened = neardup.Index.open(index)
    for inputs in (opened, [opened]):
        with pytest.raises(UsageError, match="would replace the input"):
            neardup.dedup(inputs, output=out, overwrite=True)
    with pytest.raises(UsageError, match="would replace the input"):
        neardup.find_pairs(docs, against=opened, id_field="id", output=out, overwrite=True)
    assert len(opened) == 3
    cli("index", "verify", index)


def test_a_file_that_a_scheme_names_is_not_replaced(cli: Cli, tmp_path: Path, docs: Path) -> None:
    out = tmp_path / "out"
    cli("dedup", docs, "-o", out, "--scheme", "i-match")
    lexicon = out / "lexicon.parquet"
    before = lexicon.read_bytes()
    named = f"words | terms:0,1 weight=idf:{lexicon} | digest:sha1 | each | equal"
    assert "would replace the input" in cli("dedup", docs, "-o", out, "--overwrite", "--scheme", named, code=2).stderr
    cli("lexicon", docs, "-o", tmp_path / "l.parquet", "--scheme", named)
    itself = named.replace(str(lexicon), str(tmp_path / "l.parquet"))
    refused = cli("lexicon", docs, "-o", tmp_path / "l.parquet", "--overwrite", "--scheme", itself, code=2)
    assert "would replace the input" in refused.stderr
    assert lexicon.read_bytes() == before


def test_a_result_by_the_name_of_an_unfinished_one_stays(cli: Cli, tmp_path: Path, docs: Path) -> None:
    for end in ("partial", "replaced"):
        other = tmp_path / f"out.{end}"
        cli("pairs", docs, "-o", other)
        for more in ([], ["--overwrite"]):
            refused = cli("dedup", docs, "-o", tmp_path / "out", *more, code=2).stderr
            assert str(other) in refused
            assert "a result of neardup; move it away" in refused
        assert (other / "pairs.parquet").exists()
        shutil.rmtree(other)


def test_a_slash_after_a_name_changes_nothing(cli: Cli, tmp_path: Path, docs: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    for more in ([], ["--overwrite"]):
        cli("dedup", docs, "-o", f"{tmp_path}/link/", *more)
        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "real" / "run.json").exists()
    for name in ("new/", "link/"):
        refused = cli("lexicon", docs, "-o", f"{tmp_path}/{name}", "--scheme", "i-match", code=2)
        assert "give the name of a file" in refused.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "link", "real"]


def test_results_are_not_read_by_accident(cli: Cli, tmp_path: Path, docs: Path) -> None:
    (docs.parent / "notes.docx").write_text("no documents")
    (docs.parent / "README").write_text("no documents")
    for again in range(2):
        cli("dedup", docs.parent, "-o", docs.parent / "out", "--overwrite")
        run = json.loads((docs.parent / "out" / "run.json").read_text())
        assert run["counts"]["documents"] == 3
        assert (run["files"]["found"], run["files"]["read"], run["files"]["not_read"]) == (3, 1, 2)
        assert run["files"]["reasons"] == {"no suffix": 1, "unknown suffix .docx": 1}
        assert run["files"]["own_folders"] == again
    # a result of an interrupted run, and one of a version without markers
    (docs.parent / "out").rename(docs.parent / "other.partial")
    old = docs.parent / "old"
    old.mkdir()
    (old / "run.json").write_text('{"neardup": "0.1.0"}')
    (old / "a.jsonl").write_text('{"text": "x"}\n')
    found = neardup.dedup(f"{docs.parent}/**/*.jsonl").summary
    assert (found["counts"]["documents"], found["files"]["own_folders"]) == (3, 2)
    shown = cli("dedup", f"{docs.parent}/**/*", "-o", tmp_path / "out").stdout
    assert "files not read" in shown
    assert "not entered" in shown
    for own in (old, docs.parent / "other.partial"):
        with pytest.raises(UsageError, match=r"a result of neardup.*kept"):
            neardup.dedup(own)
    # a result that is named explicitly is read
    assert neardup.dedup(docs.parent / "other.partial" / "kept").summary["counts"]["documents"] == 3
    assert neardup.dedup(f"{docs.parent}/other.partial/kept/*.jsonl").summary["counts"]["documents"] == 3


def test_an_index_is_made_in_a_new_or_empty_folder(cli: Cli, tmp_path: Path, docs: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "notes.txt").write_text("mine")
    assert "neardup did not make it" in cli("index", "create", mine, code=2).stderr
    empty = tmp_path / "empty"
    empty.mkdir()
    cli("index", "create", empty)
    assert (empty / ".neardup").read_text().split("\n")[0].split()[2] == "index"
    assert "an index of neardup" in cli("dedup", docs, "-o", empty, "--overwrite", code=2).stderr
    # an index of a version without markers still works
    (empty / ".neardup").unlink()
    cli("index", "add", empty, docs)
    assert "mine" in (mine / "notes.txt").read_text()


def test_a_lexicon_replaces_only_a_lexicon(cli: Cli, tmp_path: Path, docs: Path) -> None:
    thesis = tmp_path / "thesis.parquet"
    thesis.write_text("mine")
    assert "not a lexicon of neardup" in cli("lexicon", docs, "-o", thesis, "--overwrite", code=2).stderr
    assert thesis.read_text() == "mine"
    assert "not a lexicon" in cli("lexicon", docs, "-o", docs, "--overwrite", code=2).stderr
    counts = tmp_path / "counts.parquet"
    for options in ([], ["--overwrite"]):
        cli("lexicon", docs, "-o", counts, *options)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["counts.parquet", "in", "thesis.parquet"]


def test_a_run_that_fails_at_once_leaves_nothing(cli: Cli, tmp_path: Path, docs: Path) -> None:
    cli("dedup", docs, "-o", tmp_path / "out", "--text-field", "body", code=1)
    assert not (tmp_path / "out.partial").exists()


def test_a_review_that_was_stopped_does_not_keep_its_name(tmp_path: Path, docs: Path) -> None:
    options = {"id_field": "id", "floor": "0.5"}
    partial = tmp_path / "review.partial"
    child = os.fork()
    if child == 0:
        neardup._core.OutputFolder(tmp_path / "review", "review")
        os._exit(0)
    os.waitpid(child, 0)
    assert partial.exists()
    Review.create(tmp_path / "review", docs, **options)  # type: ignore[arg-type]
    assert not partial.exists()


def test_an_option_is_given_once(cli: Cli, tmp_path: Path, docs: Path) -> None:
    for twice in (["--threshold", "0.8", "--threshold", "0.9"], ["--text-field", "a", "--text-field", "b"]):
        assert "given twice" in cli("dedup", docs, "-o", tmp_path / "out", *twice, code=2).stderr
