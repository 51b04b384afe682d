"""Drive an index from Python; `crates/neardup-live/examples/index_driver.rs` does the same from Rust, and says more."""

import itertools
import json
import re
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import neardup
from neardup.index.index import Index


def read(path: str) -> Iterator[dict[str, Any]]:
    """Yield the records of a JSONL file."""
    with Path(path).open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def admit(folder: str, docs: str, start: str, end: str, batch: str, threads: str, parts: str) -> dict[str, float]:
    """Add the documents of lines `start` to `end`; return the seconds of all, and of the slowest batch."""
    index = Index.open(folder) if Path(folder).exists() else Index.create(folder, parts=parts == "parts")
    documents = (neardup.Document(one["text"], one["id"], one["url"]) for one in read(docs))
    chosen = itertools.islice(documents, int(start), int(end))
    batches = list(iter(lambda: list(itertools.islice(chosen, int(batch))), []))

    def add(documents: list[neardup.Document]) -> float:
        begun = time.perf_counter()
        index.add(documents)
        return time.perf_counter() - begun

    begun = time.perf_counter()
    with ThreadPoolExecutor(int(threads)) as pool:
        longest = max(pool.map(add, batches))
    return {"seconds": time.perf_counter() - begun, "longest": longest}


def ask(folder: str, questions: str, rounds: str) -> dict[str, Any]:
    """Run all queries, a part of them in each round, and return the nanoseconds of each, and what was found."""
    index = Index.open(folder)
    asked = list(read(questions))
    part = -(-len(asked) // (int(rounds) + 1))
    nanoseconds = []
    # The times of the first part are not returned: it warms up.
    for start in range(0, len(asked), part):
        spent = []
        for question in asked[start : start + part]:
            text = question["text"]
            begun = time.perf_counter_ns()
            index.query(text)
            spent.append(time.perf_counter_ns() - begun)
        nanoseconds.append(spent)
    found = [{hit.id for hit in index.query(question["text"], limit=1_000)} for question in asked]
    near = [(question["near"], ids) for question, ids in zip(asked, found, strict=True) if question["near"]]
    status = Path("/proc/self/status").read_text()
    anonymous, mapped = (int(re.findall(rf"{name}:\s+(\d+) kB", status)[0]) for name in ("RssAnon", "RssFile"))
    return {
        "nanoseconds": nanoseconds[1:],
        "asked": len(asked),
        "near": len(near),
        "found": sum(source in ids for source, ids in near),
        "hits": sum(map(len, found)),
        "info": index.info(),
        "anonymous": anonymous,
        "mapped": mapped,
    }


if __name__ == "__main__":
    command, *arguments = sys.argv[1:]
    commands: dict[str, Callable[..., dict[str, Any]]] = {"admit": admit, "ask": ask}
    print(json.dumps(commands[command](*arguments)))
