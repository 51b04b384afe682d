#!/usr/bin/env python3
"""Concatenate all sets of a data folder that have a `text` field into one JSONL file.

usage: corpus.py FOLDER DOCS.jsonl [--only SET,SET] [--work DIR]

FOLDER contains one folder for each set, with a docs.jsonl.zst. Lines are copied byte for byte; sets are ordered by
name. A set whose first record has no `text` is left out. An id that occurs twice is an error.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import venvs
from work_folder import work_folder


def read_lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of a zstd file with their line ends; a line ends at \\n only."""
    import zstandard  # from the tools environment

    with path.open("rb") as file:
        rest = b""
        for block in zstandard.ZstdDecompressor().read_to_iter(file, read_size=1 << 20):
            *lines, rest = (rest + block).split(b"\n")
            yield from (line + b"\n" for line in lines)
        if rest:
            yield rest + b"\n"


def put_together(folder: Path, target: Path, only: set[str]) -> None:
    """Write every set of `folder` that has texts to `target`: first to a file beside it, renamed when complete."""
    aside = target.with_name(target.name + ".part")
    seen: dict[str, str] = {}
    with aside.open("wb") as out:
        for path in sorted(folder.glob("*/docs.jsonl.zst")):
            name = path.parent.name
            if only and name not in only:
                continue
            documents = size = 0
            for number, line in enumerate(read_lines(path), 1):
                record = json.loads(line)
                if number == 1 and "text" not in record:
                    break
                where = f"{path}:{number}"
                first = seen.setdefault(record["id"], where)
                if first is not where:
                    raise SystemExit(f"{where}: the id {record['id']!r} is already used at {first}; ids must be unique")
                out.write(line)
                documents += 1
                size += len(line)
            if documents:
                print(f"{name:24} {documents:8,} documents {size / 1e6:8.1f} MB")
    if not seen:
        aside.unlink()
        raise SystemExit(f"{folder}: no set with a docs.jsonl.zst that has a `text` field")
    aside.replace(target)
    print(f"{'together':24} {len(seen):8,} documents {target.stat().st_size / 1e6:8.1f} MB -> {target}")


def main() -> None:
    """Parse the command line, and restart in the `tools` environment, which has a zstd reader."""
    root = Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("docs", type=Path)
    parser.add_argument("--only", default="", help="names of sets, separated by commas")
    parser.add_argument("--work", type=work_folder, default=str(root / "target" / "bench"), help="for environments")
    options = parser.parse_args()
    tools = venvs.interpreter(options.work, "tools")
    if Path(sys.prefix).resolve() != tools.parent.parent.resolve():
        os.execv(tools, [str(tools), *sys.argv])
    put_together(options.folder, options.docs, set(filter(None, options.only.split(","))))


if __name__ == "__main__":
    main()
