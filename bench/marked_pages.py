#!/usr/bin/env python3
"""Make a set of pages whose main text is known: documentation of Debian, and pages of our own.

usage: marked_pages.py OUT

OUT is a new folder. It receives docs.jsonl (id, url, html) and truth.jsonl (id, main_text). Packages are fetched by
`apt-get download` and unpacked by `dpkg`, in a folder that is removed again; nothing is installed. The main content of
their pages is what marked/packages.py states for each generator. Our own pages are each body of marked/bodies in some
of the frames of marked/skins; elements with `data-main` are their main content, except those with `data-frame`.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from marked.marks import read_main_text
from marked.packages import SOURCES, Source
from marked.written import write_pages
from table import say

from neardup import _core

SIZES = range(4_000, 300_000)
"""Sizes of pages in bytes; shorter ones are stubs."""


class MarkedPage(NamedTuple):
    """A page with its main text."""

    id: str
    url: str
    html: str
    main_text: str


def read_packages(folder: Path) -> Iterator[MarkedPage]:
    """Fetch the packages into a folder, and yield the chosen pages of each source."""
    names = sorted({source.package for source in SOURCES})
    say(f"fetching {len(names)} packages")
    subprocess.run(["apt-get", "-qq", "download", *names], cwd=folder, check=True)
    for archive in sorted(folder.glob("*.deb")):
        subprocess.run(["dpkg", "-x", archive, folder / archive.name.partition("_")[0]], check=True)
    for source in SOURCES:
        yield from read_source(source, folder / source.package)


def read_source(source: Source, package: Path) -> Iterator[MarkedPage]:
    """Yield pages of a source at equal distances in the order of their names."""
    paths = [path for path in sorted(package.glob(source.files)) if path.stat().st_size in SIZES]
    if len(paths) < source.pages:
        raise SystemExit(f"{source.package}: {len(paths)} pages match {source.files}, {source.pages} are needed")
    for number in range(source.pages):
        path = paths[(2 * number + 1) * len(paths) // (2 * source.pages)]
        html, _ = _core.decode_page(path.read_bytes(), None, is_markup=True)
        main_text = read_main_text(html, source.main, source.without)
        if not main_text.strip():
            raise SystemExit(f"{path}: nothing matches {source.main}")
        name = path.relative_to(package).as_posix()
        yield MarkedPage(f"{source.package}/{name}", f"https://{source.package}.example/{name}", html, main_text)


def read_written() -> Iterator[MarkedPage]:
    """Yield the pages of our own, without their marks."""
    for name, marked in write_pages():
        main_text = read_main_text(marked, "[data-main]", "[data-frame]")
        yield MarkedPage(
            name, f"https://written.example/{name}", re.sub(r" data-(?:main|frame)\b", "", marked), main_text
        )


def main(out: str) -> None:
    folder = Path(out)
    folder.mkdir()
    with (
        TemporaryDirectory() as fetched,
        (folder / "docs.jsonl").open("w") as docs,
        (folder / "truth.jsonl").open("w") as truth,
    ):
        for page in [*read_written(), *read_packages(Path(fetched))]:
            docs.write(json.dumps({"id": page.id, "url": page.url, "html": page.html}) + "\n")
            truth.write(json.dumps({"id": page.id, "main_text": page.main_text}) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(sys.argv[1])
