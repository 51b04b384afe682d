"""An input that changes during a run: the run ends in an error, and nothing looks finished."""

import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from time import sleep
from typing import Any

import pytest

import neardup
from neardup.corpus.extractors import Extracted
from neardup.corpus.markup import extract_texts
from records import write_records

CHANGED = r"docs\.jsonl: the file (changed|became shorter)"
TRIES = 20
VERBS: list[Any] = [neardup.dedup, neardup.cluster, neardup.find_pairs, neardup.find_passages]


def cut(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(path.read_bytes().index(b"\n", path.stat().st_size // 2) + 1)


def append(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b'{"text": "one more"}\n')


def write_docs(path: Path, count: int) -> Path:
    write_records(path, [{"text": f"the text number {number} is like no other"} for number in range(count)])
    return path


@pytest.mark.parametrize("change", [cut, append])
@pytest.mark.parametrize("output", ["out", None])
@pytest.mark.parametrize("verb", VERBS)
def test_an_input_changes_while_it_is_read(
    verb: Any, output: str | None, change: Callable[[Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, page = write_docs(tmp_path / "docs.jsonl", 200), tmp_path / "page.html"
    page.write_text("<p>a page that is read behind all of these", encoding="utf-8")
    options: dict[str, Any] = {} if output is None else {"output": tmp_path / output}
    if verb is neardup.find_passages:
        # `passages` cannot cut pages, so it writes no kept files
        options["no_kept"] = True

    def extract(pages: list[str], extractor: str | None) -> list[Extracted]:
        change(path)
        return extract_texts(pages, extractor)

    with monkeypatch.context() as patch:
        patch.setattr("neardup.corpus.markup.extract_texts", extract)
        with pytest.raises(neardup.NeardupError, match=CHANGED):
            verb([path, page], **options)
    assert not (tmp_path / "out").exists()
    # the file does not change any more
    run = verb([path, page], **options)
    assert run.summary["counts"]["documents"] == path.read_bytes().count(b"\n") + 1
    if verb is neardup.dedup and output is not None:
        assert (tmp_path / "out" / "kept" / path.name).read_bytes() == path.read_bytes()


@pytest.mark.parametrize("verb", VERBS)
def test_an_input_changes_while_results_are_written(verb: Any, tmp_path: Path) -> None:
    path, out, aside = write_docs(tmp_path / "docs.jsonl", 20_000), tmp_path / "out", tmp_path / "out.partial"

    def change_late(is_early_enough: list[bool]) -> None:
        """Change the file when the run starts to write a table."""
        while not list(aside.glob("*.parquet*")):
            if out.exists():
                return
            sleep(0.001)
        append(path)
        is_early_enough.append(aside.exists() and not (aside / "run.json").exists())

    for _ in range(TRIES):
        is_early_enough: list[bool] = []
        thread = threading.Thread(target=change_late, args=(is_early_enough,))
        thread.start()
        try:
            verb(path, output=out)
        except neardup.NeardupError as error:
            assert "docs.jsonl: the file changed" in str(error)  # noqa: PT017
            assert not out.exists()
            return
        finally:
            thread.join()
        assert is_early_enough != [True]
        shutil.rmtree(out)
    pytest.fail("no run was caught before its end")
