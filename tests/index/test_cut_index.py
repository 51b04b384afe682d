"""A file of an index is truncated while the index has it mapped: an error is raised, and the process continues."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import neardup
from children import in_child
from neardup import Document, Index, NeardupError

DOCUMENTS = [Document(f"{number} quay fog ship salt oven bread", str(number)) for number in range(200)]
NEWCOMER = Document("a text that no other document of all of these has", "new")

CALLS: dict[str, Callable[[Index], object]] = {
    "query": lambda index: index.query(DOCUMENTS[3].text),
    "check": lambda index: index.check(DOCUMENTS[9]),
    "add": lambda index: index.add([NEWCOMER, DOCUMENTS[5]]),
    "remove": lambda index: index.remove(["7"]),
    "get": lambda index: index.get("7"),
    "cluster": lambda index: index.cluster("7"),
    "verify": lambda index: index.verify(),
    "compact": lambda index: index.compact(),
    "refresh": lambda index: index.refresh(),
    "expire": lambda index: index.expire(),
    "info": lambda index: index.info(),
    "dedup": neardup.dedup,
    "dedup against": lambda index: neardup.dedup(DOCUMENTS, against=index),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cut") / "index"
    index = Index.create(folder)
    index.add(DOCUMENTS)
    index.remove(["11"])
    index.compact()
    index.add([Document("other words alone", "other")])
    return folder


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("kind", ["segment", "texts"])
def test_a_cut_file_does_not_end_the_process(made: Path, tmp_path: Path, kind: str, call: str) -> None:
    length = next(made.glob(f"{kind}-*")).stat().st_size
    for left in (0, length // 2, length - 1):
        folder = tmp_path / str(left)
        shutil.copytree(made, folder)
        index = Index.open(folder)
        path = next(folder.glob(f"{kind}-*"))
        os.truncate(path, left)

        def work(index: Index = index, path: Path = path) -> None:
            try:
                CALLS[call](index)
            except NeardupError as error:
                assert path.name in str(error)  # noqa: PT017

        in_child(work)
