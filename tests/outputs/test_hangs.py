"""Calls that once never ended, or took time with the square of their input, end."""

import os
from pathlib import Path

import pytest

import neardup
from children import in_child
from command import Cli
from neardup import Document, UsageError
from neardup.corpus.markup import DEEPEST, extract_texts
from neardup.index.index import Index
from neardup.schemes.number import read_number


def test_a_forked_process_starts_new_threads(tmp_path: Path) -> None:
    documents = [Document(f"{number} quay fog ship salt oven bread", str(number)) for number in range(200)]
    index = Index.create(tmp_path / "index")
    index.add(documents[:100])
    neardup.dedup(documents)

    def work() -> None:
        index.add(documents[100:])
        Index.open(tmp_path / "index").verify()
        neardup.dedup(documents)
        neardup.cluster(documents)

    in_child(work)
    index.refresh()
    assert len(index) == 200


def test_the_main_content_of_too_deep_pages_is_the_whole_text() -> None:
    for tag in ("div", "ARTICLE", "section class=a"):
        name = tag.split()[0]
        page = f"<nav>menu</nav>{f'<{tag}>' * 80_000}words here{f'</{name}>' * 80_000}"
        [(text, reason, _)] = extract_texts([page], extractor="auto")
        assert reason is None
        assert "words here" in (text or "")
    row = "<div><p>words here</p></div>" * (2 * DEEPEST)
    [(text, _, _)] = extract_texts([f"<body><nav>menu</nav><main>{row}</main></body>"], extractor="auto")
    assert "menu" not in (text or "")


@pytest.mark.parametrize("number", ["1e999999999", "1e-999999999", "9" * 10_000, "1e+0000009999"])
def test_a_number_of_too_many_digits_is_refused(number: str | int) -> None:
    with pytest.raises(UsageError, match="digits"):
        read_number(number, "threshold")
    with pytest.raises(UsageError):
        neardup.dedup(["a"], threshold=number)


def test_a_pipe_among_the_inputs_is_not_a_file(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.jsonl").write_text('{"text": "quay"}\n')
    os.mkfifo(tmp_path / "in" / "pipe.jsonl")
    os.mkfifo(tmp_path / "pipe.csv")
    run = neardup.dedup(tmp_path / "in").summary
    assert run["files"]["reasons"] == {"no regular file": 1}
    assert (
        "neither a file nor a folder"
        in cli("dedup", tmp_path / "in" / "pipe.jsonl", "-o", tmp_path / "out", code=2).stderr
    )
    docs = tmp_path / "in" / "a.jsonl"
    pipe, out = tmp_path / "pipe.csv", ["-o", tmp_path / "out"]
    seeded = f"words | shingles:5 | minhash:96 seed=file:{pipe} | bands:16x6 | equal"
    weighed = f"words | terms weight=idf:{pipe} | digest | each | equal"
    for code, command in (
        (2, ["evaluate", pipe, docs]),
        (2, ["mirrors", docs, "--url-field", "text", "--addresses", pipe]),
        (2, ["dedup", docs, *out, "--against", pipe]),
        (2, ["dedup", docs, *out, "--scheme", seeded]),
        (2, ["dedup", docs, *out, "--scheme", weighed]),
    ):
        assert "neither a file nor a folder" in cli(*command, code=code).stderr
