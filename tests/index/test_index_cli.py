"""`neardup index`: every command, for people and machines, and what is refused."""

import json
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import neardup
from batch import create
from command import PATIENCE, Cli, run_process
from neardup import Index
from neardup.cli.commands.index.admissions import add_inputs
from records import write_records
from systems import need_linux, need_posix
from terminal import on_a_terminal

GOLDEN = Path(__file__).parents[1] / "golden" / "docs.jsonl"
FIELDS = ("--id-field", "id", "--time-field", "created")
HEADINGS = ["id", "url", "time", "resemblance", "containment", "contained_by", "rule", "duplicate_id", "group_size"]
TEXT = (
    "the keeper of the light winds the clock at noon and writes the weather of the day into a book with a green cover"
)
PAGES = [
    {"url": "https://light.example/a", "date": "2024-05-01", "text": TEXT},
    {"url": "https://light.example/b", "date": "2024-05-02", "text": f"{TEXT} again"},
]


@pytest.fixture
def golden(cli: Cli, tmp_path: Path) -> Path:
    """Make an index of the golden run, with a table of parts."""
    cli("index", "create", tmp_path / "index", GOLDEN, *FIELDS, "--policy", "earliest", "--parts", "--quiet")
    return tmp_path / "index"


def ask(cli: Cli, *arguments: str | Path, **options: Any) -> Any:
    return json.loads(cli("index", *arguments, "--json", **options).stdout)


def test_create_and_add(cli: Cli, tmp_path: Path) -> None:
    counts = ask(cli, "create", tmp_path / "index", GOLDEN, *FIELDS)
    expected = {"documents": 26, "total": 26, "unchanged": 0, "replaced": 0, "rejected": 0, "expired": 0}
    assert {name: counts[name] for name in expected} == expected
    assert counts["kept"] + counts["dropped"] == 26
    assert counts["dropped"] == sum(counts[rule] for rule in ("identical", "lexical", "shingles", "near"))
    again = ask(cli, "add", tmp_path / "index", GOLDEN, *FIELDS)
    assert (again["unchanged"], again["kept"], again["dropped"], again["total"]) == (26, 0, 0, 26)
    plain = cli("index", "add", tmp_path / "index", GOLDEN, *FIELDS).stdout
    assert re.search(r"^unchanged +26 \(there already, to the letter\)$", plain, re.MULTILINE)
    assert re.search(rf"^index +26 documents, {counts['kept']} kept$", plain, re.MULTILINE)
    assert "\x1b" not in plain
    assert cli("index", "add", tmp_path / "index", GOLDEN, *FIELDS, "--quiet").stdout == ""
    assert cli("index", "create", tmp_path / "empty").stdout == "index  0 documents, 0 kept\n"


def test_it_reports_what_is_kept_in_the_end(cli: Cli, tmp_path: Path) -> None:
    docs = write_records(
        tmp_path / "docs.jsonl", [{"id": day, "text": TEXT, "date": f"2024-05-0{day}"} for day in "321"]
    )
    fields = ("--id-field", "id", "--time-field", "date")
    counts = ask(cli, "create", tmp_path / "index", docs, *fields, "--policy", "earliest")
    assert (counts["kept"], counts["changed"], counts["total"], counts["total_kept"]) == (3, 3, 3, 1)
    shown = cli("index", "add", tmp_path / "index", docs, *fields).stdout
    assert re.search(r"^index +3 documents, 1 kept$", shown, re.MULTILINE)


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_command_says_how_to_resume(stop: signal.Signals, cli: Cli, tmp_path: Path) -> None:
    need_posix("signals")
    docs = write_records(tmp_path / "docs.jsonl", [{"text": f"number {n}"} for n in range(60_000)])
    for command, again in (("create", "`index add` with the same input"), ("add", "the same command")):
        with subprocess.Popen(
            [sys.executable, "-m", "neardup", "index", command, str(tmp_path / "index"), str(docs), "--each"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        ) as process:
            assert process.stdout is not None
            process.stdout.readline()
            process.send_signal(stop)
            _, errors = process.communicate(timeout=PATIENCE)
        assert (process.returncode, errors) == (130, f"\ninterrupted: what was added stays; {again} adds the rest\n")
    assert ask(cli, "add", tmp_path / "index", docs)["total"] == 60_000


def test_the_verdicts_of_earliest_do_not_depend_on_the_order(cli: Cli, golden: Path) -> None:
    expected = neardup.dedup(GOLDEN, id_field="id", time_field="created").decisions
    for name, original in zip(expected.column("id"), expected.column("original"), strict=True):
        assert ask(cli, "show", golden, name)["original"] == original
        if name == "b1":
            break


def test_a_line_for_every_document(cli: Cli, tmp_path: Path) -> None:
    docs = write_records(tmp_path / "docs.jsonl", PAGES)
    fields = ("--url-field", "url", "--time-field", "date")
    lines = cli("index", "create", tmp_path / "index", docs, *fields, "--each").stdout.splitlines()
    first, second = map(json.loads, lines)
    assert (first["verdict"], first["id"], first["rule"], first["shared"]) == ("keep", "#1", None, None)
    assert (second["verdict"], second["original"], second["rule"]) == ("drop", "#1", "near")
    assert second["shared"] == first["shared"] or second["resemblance"] > 0.8
    write_records(docs, [{**PAGES[0], "text": "the page is gone"}, PAGES[1]])
    first, second = map(
        json.loads, cli("index", "add", tmp_path / "index", docs, *fields, "--each").stdout.splitlines()
    )
    assert (first["replaced"], first["unchanged"], first["verdict"]) == ("#1", False, "keep")
    assert [(one["id"], one["verdict"]) for one in first["changed"]] == [("#2", "keep")]
    assert second["unchanged"] is True
    summary = ask(cli, "add", tmp_path / "index", docs, *fields)
    assert (summary["unchanged"], summary["total"]) == (2, 2)


def test_ids_without_an_id_field(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT, encoding="utf-8")
    cli("index", "create", "index", "a.txt", cwd=tmp_path)
    for _ in range(2):
        run_process("index", "add", "index", "-", cwd=tmp_path, input='{"text": "from a pipe"}\n')
    found = cli("index", "query", "index", "from a pipe", cwd=tmp_path).stdout.splitlines()[1:]
    assert [line.split("\t")[0] for line in found] == ["#2", "#3"]
    assert ask(cli, "show", tmp_path / "index", "a.txt:1")["verdict"] == "keep"


def test_one_index_is_copied_into_another(cli: Cli, tmp_path: Path) -> None:
    index = neardup.Index.create(tmp_path / "old")
    index.add(
        [neardup.Document("a page", None, "u1"), neardup.Document("another", "b", "u2"), neardup.Document("third")]
    )
    counts = ask(cli, "create", tmp_path / "new", tmp_path / "old", "--threshold", "0.5")
    assert (counts["documents"], counts["total"]) == (3, 3)
    copied = [(one.id, one.url, one.text) for one in neardup.Index.open(tmp_path / "new")]
    assert copied == [("#1", "u1", "a page"), ("b", "u2", "another"), ("#3", None, "third")]
    neardup.Index.create(tmp_path / "other").add(neardup.Document("not the same", "b"))
    assert "error: b: id `b`" in cli("index", "add", tmp_path / "other", tmp_path / "old", code=1).stderr


def test_ids_that_are_taken(cli: Cli, tmp_path: Path) -> None:
    docs = write_records(tmp_path / "docs.jsonl", [{"id": "a", "text": TEXT}, {"id": "b", "text": "one"}])
    cli("index", "create", tmp_path / "index", docs, "--id-field", "id")
    write_records(
        docs, [{"id": "c", "text": "two"}, {"id": "b", "text": "another"}, {"text": "none"}, {"id": "d", "text": "x"}]
    )
    done = cli("index", "add", "index", "docs.jsonl", "--id-field", "id", code=1, cwd=tmp_path)
    assert done.stderr.startswith("error: docs.jsonl")
    skipping = ("--id-field", "id", "--on-error", "skip")
    counts = ask(cli, "add", tmp_path / "index", docs, *skipping, code=3)
    assert (counts["documents"], counts["rejected"], counts["total"]) == (2, 2, 4)
    index = neardup.Index.open(tmp_path / "index")
    same, other = neardup.Document("one", "b"), neardup.Document("one", "b", "https://light.example/b")
    assert index.check(same) == (index.verdict("b"), "b", True)
    assert [one.unchanged for one in index.add([same])] == [True]
    with pytest.raises(neardup.DataError, match="with another text, time or URL"):
        index.add(other)
    write_records(docs, [{"id": "b", "text": "another"}])
    done = cli("index", "add", "index", "docs.jsonl", "--id-field", "id", code=1, cwd=tmp_path)
    assert "docs.jsonl:1: id `b` is in the index already, with another text, time or URL" in done.stderr
    write_records(docs, [{"id": "e", "text": "two"}, {"id": "b", "text": "another"}])
    done = cli("index", "add", "index", "docs.jsonl", "--id-field", "id", "--each", code=1, cwd=tmp_path)
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == ["e"]


def test_html(cli: Cli, tmp_path: Path) -> None:
    page = f"<html><body><nav>menu</nav><main><p>{TEXT}</p></main></body></html>"
    (tmp_path / "page.html").write_text(page, encoding="utf-8")
    write_records(tmp_path / "pages.jsonl", [{"page": page.replace("green", "grey")}])
    cli("index", "create", "index", "page.html", "--main-content", cwd=tmp_path)
    cli("index", "add", "index", "pages.jsonl", "--html-field", "page", "--main-content", cwd=tmp_path)
    document = ask(cli, "show", "index", "page.html:1", "--text", cwd=tmp_path)
    assert document["text"].strip() == TEXT
    found = ask(cli, "query", "index", "--file", "page.html", "--main-content", cwd=tmp_path)["hits"]
    assert [hit["id"] for hit in found] == ["page.html:1", "pages.jsonl:1"]


def test_query(cli: Cli, golden: Path, tmp_path: Path) -> None:
    index = neardup.Index.open(golden)
    text = index.get("a1").text
    (tmp_path / "text.txt").write_text(text, encoding="utf-8")
    ways: list[Any] = [((text,), {}), (("-",), {"input": text}), (("--file", tmp_path / "text.txt"), {})]
    for arguments, options in ways:
        found = ask(run_process if options else cli, "query", golden, *arguments, **options)
        assert [hit["id"] for hit in found["hits"]] == [hit.id for hit in index.query(text)]
        assert found["hits"][0].keys() >= {"url", "time", "rule", "duplicate_id", "group_size", "shared", "size"}
    hits = ask(cli, "query", golden, "--id", "a1", "--limit", "2")["hits"]
    assert [hit["id"] for hit in hits] == ["a3", "a2"]
    assert [hit["resemblance"] for hit in hits] == [1.0, 1.0]
    hits = ask(cli, "query", golden, "--id", "a1", "--threshold", "0.9")["hits"]
    assert all(hit["resemblance"] >= 0.9 for hit in hits)
    by_parts = ask(cli, "query", golden, "--id", "a1", "--by", "containment", "--threshold", "1")["hits"]
    assert "a8" in [hit["id"] for hit in by_parts]
    assert {hit["containment"] for hit in by_parts} == {1.0}
    lines = cli("index", "query", golden, "--id", "a1").stdout.splitlines()
    assert lines[0].split("\t") == HEADINGS
    assert lines[1].split("\t") == [
        "a3",
        "",
        "2020-01-20T00:00:00Z",
        "1.0000",
        "1.0000",
        "1.0000",
        "lexical",
        "a1",
        "6",
    ]
    assert cli("index", "query", golden, "nothing like it").stdout.count("\n") == 1
    assert ask(cli, "query", golden, text, "--limit", f"{10**30}") == ask(cli, "query", golden, text, "--limit", "1000")


def test_times_of_hits_and_documents(cli: Cli, tmp_path: Path) -> None:
    times = ["2024-05-01T00:00:00.5Z", "2024-05-01T00:00:00.25Z"]
    docs = write_records(tmp_path / "docs.jsonl", [{"id": time, "text": TEXT, "time": time} for time in times])
    fields = ("--id-field", "id", "--time-field", "time", "--policy", "earliest")
    cli("index", "create", tmp_path / "index", docs, *fields)
    cli("index", "create", tmp_path / "copy", tmp_path / "index", "--policy", "earliest")
    for index in (tmp_path / "index", tmp_path / "copy"):
        hits = ask(cli, "query", index, TEXT)["hits"]
        assert [(hit["time"], hit["duplicate_id"]) for hit in hits] == [(time, times[1]) for time in reversed(times)]
        assert ask(cli, "show", index, times[0])["time"] == times[0]


def test_passages_in_context(cli: Cli, golden: Path) -> None:
    index = neardup.Index.open(golden)
    part = " ".join(index.get("a8").text.split()[20:75])
    found = ask(cli, "query", golden, part, "--by", "containment", "--passages")
    [passage] = found["hits"][0]["passages"]
    start, end = passage["right"]["chars"]
    assert index.get(found["hits"][0]["id"]).text[start:end] == part
    shown = cli("index", "query", golden, part, "--by", "containment", "--passages")
    assert f"[={part}=]" in shown.stdout
    assert "... " in shown.stdout
    assert "small sample" in shown.stderr
    on_terminal = on_a_terminal("index", "query", golden, part, "--by", "containment", "--passages")
    assert f"\x1b[32m{part}\x1b[0m" in on_terminal
    assert "[=" not in on_terminal


def test_show_finds_documents_by_url_and_by_cluster(cli: Cli, tmp_path: Path) -> None:
    docs = write_records(tmp_path / "docs.jsonl", [{**page, "id": f"p{n}"} for n, page in enumerate(PAGES)])
    cli("index", "create", tmp_path / "index", docs, "--id-field", "id", "--url-field", "url", "--time-field", "date")
    of_url = ask(cli, "show", tmp_path / "index", "--url", PAGES[1]["url"])
    assert (of_url["id"], of_url["cluster"], of_url["original"], of_url["group"]) == ("p1", "p0", "p0", ["p0", "p1"])
    assert of_url["time"] == "2024-05-02T00:00:00Z"
    of_cluster = ask(cli, "show", tmp_path / "index", of_url["cluster"])
    assert [(one["id"], one["url"]) for one in of_cluster["documents"]] == [
        ("p0", PAGES[0]["url"]),
        ("p1", PAGES[1]["url"]),
    ]
    plain = cli("index", "show", tmp_path / "index", "p1", "--text").stdout
    assert re.search(r"^verdict +drop$", plain, re.MULTILINE)
    assert plain.endswith(f"\n{PAGES[1]['text']}\n")
    assert (
        "'nowhere' is not in the index" in cli("index", "show", tmp_path / "index", "--url", "nowhere", code=1).stderr
    )


def test_remove_and_compact(cli: Cli, tmp_path: Path) -> None:
    docs = write_records(tmp_path / "docs.jsonl", [{"id": f"d{n}", "text": f"{TEXT} {n}"} for n in range(9)])
    index = tmp_path / "index"
    cli("index", "create", index, docs, "--id-field", "id")
    assert "id `d99` is not in the index" in cli("index", "remove", index, "d1", "d99", code=1).stderr
    gone = ask(cli, "remove", index, "d0")
    assert gone["removed"] == ["d0"]
    assert [one["id"] for one in gone["changed"] if one["verdict"] == "keep"] == ["d1"]
    (tmp_path / "ids.txt").write_text("d2\r\nd3\n\n", encoding="utf-8")
    assert ask(cli, "remove", index, "d4", "--from", tmp_path / "ids.txt")["removed"] == ["d2", "d3", "d4"]
    assert ask(run_process, "remove", index, "--from", "-", input="d5\n")["removed"] == ["d5"]
    plain = cli("index", "remove", index, "d6").stdout
    assert re.search(r"^removed +1$", plain, re.MULTILINE)
    content = b"".join(path.read_bytes() for path in index.iterdir())
    assert f"{TEXT} 0".encode() in content
    assert ask(cli, "compact", index)["documents"] == 3
    content = b"".join(path.read_bytes() for path in index.iterdir())
    assert f"{TEXT} 0".encode() not in content
    assert f"{TEXT} 8".encode() in content
    assert "name ids" in cli("index", "remove", index, code=2).stderr


def test_limits(cli: Cli, tmp_path: Path) -> None:
    docs = write_records(tmp_path / "docs.jsonl", [{"text": f"number {n}"} for n in range(5)])
    counts = ask(cli, "create", tmp_path / "index", docs, "--most", "2", "--ttl", "30d")
    assert (counts["expired"], counts["total"]) == (3, 2)
    info = ask(cli, "info", tmp_path / "index")
    assert (info["most"], info["ttl_seconds"], info["documents"]) == (2, 30 * 86_400, 2)
    assert ask(cli, "expire", tmp_path / "index") == {"removed": [], "changed": []}
    assert re.search(r"^most +2$", cli("index", "info", tmp_path / "index").stdout, re.MULTILINE)
    assert "it is written as seconds" in cli("index", "create", tmp_path / "other", "--ttl", "soon", code=2).stderr


def test_no_room_for_a_segment(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    need_linux("/dev/full")
    index = create(tmp_path / "index", flush_at=3)
    index.add("herons stand in the water")
    partial = tmp_path / "index/texts-000001.partial"
    partial.symlink_to("/dev/full")
    path = write_records(tmp_path / "texts.jsonl", [{"text": f"letter {number}"} for number in range(5)])
    fields: dict[str, Any] = dict.fromkeys(("id_field", "url_field", "time_field"))
    add_inputs(
        lambda: index,
        (str(path),),
        each=False,
        as_json=True,
        quiet=False,
        progress="none",
        text_field="text",
        on_error="stop",
        **fields,
    )
    printed = capsys.readouterr()
    error = index.info()["segment_error"]
    assert error.startswith(f"{partial.with_suffix('')}: cannot write: No space left on device")
    assert printed.err == f"note: {error}; what was added stays in memory and in the log until there is room\n"
    assert json.loads(printed.out)["total"] == len(Index.open(index.folder)) == 6
    index.compact()
    assert (index.info()["segment_error"], index.info()["in_memory"]) == (None, 0)


def test_a_secret_seed(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("the cat of the keeper knows it", encoding="utf-8")
    line = f"words | shingles:5 | minhash:96 seed=file:{tmp_path}/secret | bands:16x6 | resemblance>=0.8"
    cli("index", "create", tmp_path / "index", GOLDEN, *FIELDS, "--scheme", line)
    assert ask(cli, "query", tmp_path / "index", "--id", "a1", "--scheme", line)["hits"]
    assert "the cat of" not in (tmp_path / "index" / "manifest.json").read_text(encoding="utf-8")
    assert "secret" in cli("index", "query", tmp_path / "index", "--id", "a1", code=2).stderr
    hits = ask(cli, "query", tmp_path / "index", "--id", "a1", "--passages", "--scheme", line)["hits"]
    assert all(hit["passages"] for hit in hits)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("info", "{nowhere}"), 1, "there is no index here"),
        (("query", "{nowhere}", "text"), 1, "there is no index here"),
        (("info", str(GOLDEN)), 1, "docs.jsonl: cannot open: there is no index here"),
        (("create", "{index}"), 2, "there is an index already"),
        (("query", "{index}"), 2, "ask about one of TEXT, --file, --id, --url"),
        (("query", "{index}", "text", "--id", "a1"), 2, "ask about one of"),
        (("query", "{index}", "--id", "zz"), 1, "'zz' is not in the index"),
        (("query", "{index}", "--url", "zz"), 1, "'zz' is not in the index"),
        (("query", "{index}", "text", "--threshold", "0.5"), 2, "resembles by 0.8 or more"),
        (("query", "{index}", "--file", "{nowhere}"), 1, "cannot be read"),
        (("query", "{index}", "text", "--scheme", "simhash"), 2, "the index is of scheme `words | shingles:5"),
        (("show", "{index}"), 2, "name an ID or a --url"),
        (("show", "{index}", "zz"), 1, "'zz' is not in the index"),
        (("add", "{index}", "{nowhere}"), 1, "nowhere"),
        (("add", "{index}"), 2, "Missing argument"),
        (("create", "{nowhere}", "{nowhere}.jsonl"), 1, "nowhere.jsonl: there is no such file or folder"),
        (("query", "{index}", "text", "--threshold", "nan"), 2, "threshold is 'nan'; it is written as a number"),
        (("query", "{index}", "caf\udce9"), 2, "'caf\\udce9' is not UTF-8"),
        (("remove", "{index}", "caf\udce9"), 2, "'caf\\udce9' is not UTF-8"),
        (("create", "{nowhere}", "--threshold", "2"), 2, "not a number between 0 and 1"),
        (
            ("create", "{nowhere}", "--parts-scheme", "words | shingles:3 | moduli:8 | each | containment>=0.5"),
            2,
            "begins as",
        ),
    ],
)
def test_refused(cli: Cli, golden: Path, arguments: tuple[str, ...], code: int, message: str) -> None:
    nowhere = golden.parent / "nowhere"
    done = cli("index", *(one.format(index=golden, nowhere=nowhere) for one in arguments), code=code)
    assert message in done.stderr
    assert done.stdout == ""
    assert not nowhere.exists()


def test_containment_needs_parts(cli: Cli, tmp_path: Path) -> None:
    cli("index", "create", tmp_path / "index", GOLDEN, *FIELDS)
    done = cli("index", "query", tmp_path / "index", "--id", "a1", "--by", "containment", code=2)
    assert "no table of parts" in done.stderr


def test_damage_is_named(cli: Cli, golden: Path) -> None:
    cli("index", "compact", golden)
    assert ask(cli, "verify", golden) == {"documents": 26, "whole": True}
    [segment] = golden.glob("segment-*")
    content = bytearray(segment.read_bytes())
    content[len(content) // 2] ^= 1
    segment.write_bytes(content)
    for command in (("verify",), ("info",), ("query", "text"), ("add", str(GOLDEN), *FIELDS, "--on-error", "skip")):
        done = cli("index", command[0], golden, *command[1:], code=1)
        assert f"{segment}: damaged" in done.stderr


@pytest.mark.parametrize("columns", [80, 120])
def test_on_a_terminal(golden: Path, columns: int) -> None:
    for arguments in (("query", golden, "--id", "a1"), ("show", golden, "a4"), ("info", golden), ("verify", golden)):
        written = on_a_terminal("index", *arguments, columns=columns)
        assert "\x1b[" in written
        # of a title, only the end is left out
        assert "…" not in re.sub("(when|the)…", "", written.lower())
        lines = re.sub(r"\x1b\[[0-9;]*m", "", written).splitlines()
        assert max(map(len, lines)) <= columns
    assert "\x1b[1ma3\x1b[0m" in on_a_terminal("index", "query", golden, "--id", "a1", columns=columns)
    assert "no hit" in on_a_terminal("index", "query", golden, "nothing like it", columns=columns)


def test_a_long_url_is_shown_whole(cli: Cli, tmp_path: Path) -> None:
    url = f"https://light.example/{'a-long-way/' * 9}"
    docs = write_records(tmp_path / "docs.jsonl", [{"url": url, "text": TEXT}])
    cli("index", "create", tmp_path / "index", docs, "--url-field", "url")
    written = on_a_terminal("index", "show", tmp_path / "index", "--url", url, columns=80)
    assert url in "".join(written.split())


def test_progress_on_a_terminal(tmp_path: Path) -> None:
    written = on_a_terminal("index", "create", tmp_path / "index", GOLDEN, *FIELDS)
    assert "26 documents" in written
    assert "documents a second" in written


def test_a_run_is_used_as_an_index(cli: Cli, tmp_path: Path) -> None:
    cli("dedup", GOLDEN, "-o", tmp_path / "out", *FIELDS, "--index", "--quiet")
    assert ask(cli, "show", tmp_path / "out", "a4")["original"] == "a1"
    assert ask(cli, "info", tmp_path / "out")["policy"] == "earliest"
    cli("cluster", tmp_path / "out" / "index", "-o", tmp_path / "of_index")
    cli("cluster", GOLDEN, "-o", tmp_path / "of_file", *FIELDS, "--index")
    digests = [json.loads((tmp_path / name / "run.json").read_text())["digest"] for name in ("of_index", "of_file")]
    assert digests[0] == digests[1]
    counts = ask(
        cli, "create", tmp_path / "copy", tmp_path / "of_file" / "index", "--threshold", "0.7", "--policy", "earliest"
    )
    assert counts["total"] == 26
    cli("dedup", GOLDEN, "-o", tmp_path / "latest", *FIELDS, "--keep", "latest", "--index", "--quiet")
    assert ask(cli, "info", tmp_path / "latest")["documents"] == 26
