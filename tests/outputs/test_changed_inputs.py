"""An input that is written while a run works on it: the run ends in an error, and nothing looks finished."""

from collections.abc import Callable
from pathlib import Path

import pytest

import neardup
from neardup.corpus.markup import extract_texts
from records import write_records


def cut(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(path.read_bytes().index(b"\n", path.stat().st_size // 2) + 1)


def append(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b'{"text": "one more"}\n')


@pytest.mark.parametrize("change", [cut, append])
def test_what_is_kept_is_what_was_read(
    change: Callable[[Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, page = tmp_path / "docs.jsonl", tmp_path / "page.html"
    write_records(path, [{"text": f"the text number {number} is like no other"} for number in range(200)])
    page.write_text("<p>a page that is read behind all of these", encoding="utf-8")

    def extract(pages: list[str], *, main_content: bool) -> list[tuple[str | None, str | None]]:
        change(path)
        return extract_texts(pages, main_content=main_content)

    with monkeypatch.context() as patch:
        patch.setattr("neardup.corpus.markup.extract_texts", extract)
        with pytest.raises(neardup.NeardupError, match=r"docs\.jsonl: the file (changed|became shorter)"):
            neardup.dedup([path, page], output=tmp_path / "out")
    assert not (tmp_path / "out").exists()
    # it is at rest now
    run = neardup.dedup([path, page], output=tmp_path / "out")
    assert (tmp_path / "out" / "kept" / path.name).read_bytes() == path.read_bytes()
    assert run.summary["counts"]["documents"] == path.read_bytes().count(b"\n") + 1
