#!/usr/bin/env python3
"""Measure how long an index takes to answer and to admit, from within Rust and from within Python.

usage: index.py [queries] [admits] [gaoya] [--sizes N,N] [--words N] [--rounds N] [--work DIR] [--plot FILE.svg]

`queries` grows an index of made texts of 500 words through the sizes of a framework of 2008, and asks 1,000 questions a
round at each: every other one is a document with some words changed, the rest are new texts. The first 1,000 warm up.
`admits` adds documents in batches and one at a time, by one thread and by many, on two processors; all are on the disk
when they count. `gaoya` asks a peer that keeps signatures in memory, and the index in turns, about texts of 40 words,
at the largest size. Without names, all of it runs. Figures are those of the best round, since other work on the machine
only adds to them. What is made stands below --work, up to three times the texts, and is removed.
"""

import argparse
import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import index_plot
import measure
import table
import venvs
from index_texts import Texts, alike

ROOT = Path(__file__).resolve().parent.parent
RUST = [str(ROOT / "target" / "release" / "examples" / "door")]
DOORS = {"Rust": RUST, "Python": [str(ROOT / ".venv" / "bin" / "python"), str(ROOT / "bench" / "index_door.py")]}
SIZES = (1_000, 10_000, 50_000, 100_000, 500_000, 750_000, 1_000_000)
QUESTIONS = 1_000
ADMITTED = 20_000
WAYS = ((256, 1), (256, 2), (1, 1), (1, 16), (1, 64))
"""Documents in a batch, and threads."""
LIMIT = 3_600.0
"""Seconds that a step may take."""


def run(command: list[str], work: Path, processors: int = 2) -> Any:
    """Run a command on so many processors and read the JSON that it prints."""
    measured = measure.run(command, processors, work, LIMIT)
    if measured.code != 0:
        raise SystemExit(f"{' '.join(command)}: code {measured.code}\n{measured.errors}")
    return json.loads(measured.output)


def grow(folder: Path, texts: Texts, start: int, end: int) -> None:
    """Add the texts of these numbers to an index; they come through a pipe, and are written nowhere else."""
    command = [*RUST, "admit", str(folder), "/dev/stdin", "0", str(end - start), "256", "1", "plain"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as door:
        assert door.stdin is not None
        door.stdin.writelines(texts.lines(start, end))
    if door.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: code {door.returncode}")


def write_questions(
    path: Path, texts: Texts, size: int, rounds: int, chosen: Callable[[str], bool] = lambda _: True
) -> None:
    """Write questions to an index of this size, with the id of the document that each truly resembles."""
    with path.open("w", encoding="utf-8") as file:
        for text, source in texts.questions((rounds + 1) * QUESTIONS, size, seed=size):
            if not chosen(text):
                continue
            near = f"d{source}" if source is not None and alike(text, texts.text(source)) else None
            file.write(json.dumps({"text": text, "near": near}) + "\n")


def microseconds(told: dict[str, Any]) -> dict[str, float]:
    """Return p50, p90 and p99 of the rounds, each the least of all."""
    rounds = [sorted(one) for one in told["nanoseconds"]]
    return {f"p{share}": min(one[len(one) * share // 100] for one in rounds) / 1e3 for share in (50, 90, 99)}


def row(name: str, size: int, told: dict[str, Any]) -> list[str]:
    """Return the row of one door at one size."""
    found = f"{told['found']:,} of {told['near']:,}"
    cells = [f"{value:.1f}" for value in microseconds(told).values()]
    cells += [
        f"{told['hits'] / told['asked']:.1f}",
        found,
        f"{told['anonymous'] / 1e3:,.0f}",
        f"{told['mapped'] / 1e3:,.0f}",
    ]
    info = told.get("info")
    if info:
        stored = max(1, info["documents"] - info["in_memory"])
        cells += [f"{info['segments']}", f"{info['in_memory']:,}", f"{info['key_bytes'] / stored:.0f}"]
    return [name, f"{size:,}", *cells, *[""] * (len(HEAD) - 2 - len(cells))]


HEAD = ["from", "documents", "p50 us", "p90", "p99", "hits", "near ones found", "anonymous MB", "mapped MB"]
HEAD += ["segments", "in memory", "key bytes/document"]


def ask(folder: Path, questions: Path, options: argparse.Namespace) -> Iterator[tuple[str, dict[str, Any]]]:
    """Ask all questions through every door."""
    for name, door in DOORS.items():
        yield name, run([*door, "ask", str(folder), str(questions), str(options.rounds)], options.work)


def queries(options: argparse.Namespace) -> None:
    """Grow an index and ask at every size; print a table and, when asked to, draw it."""
    texts, folder, questions = Texts(options.words), options.work / "index", options.work / "questions.jsonl"
    shutil.rmtree(folder, ignore_errors=True)
    rows, points = [HEAD], []
    for start, size in zip((0, *options.sizes), options.sizes, strict=False):
        grow(folder, texts, start, size)
        write_questions(questions, texts, size, options.rounds)
        for name, told in ask(folder, questions, options):
            rows.append(row(name, size, told))
            points.append((name, size, microseconds(told)))
        table.say(f"{size:,} documents of {options.words} words")
    shutil.rmtree(folder)
    print(f"\nqueries, texts of {options.words} words, {QUESTIONS} a round, the best of {options.rounds} rounds")
    print(table.lay_out(rows))
    for name in DOORS:
        of = {size: figures for door, size, figures in points if door == name}
        if {100_000, 1_000_000} <= of.keys():
            ratios = ", ".join(
                f"{share} {of[1_000_000][share] / of[100_000][share]:.2f}" for share in ("mean", "p50", "p99")
            )
            print(f"{name}: at 1,000,000 documents over at 100,000: {ratios}")
    if options.plot:
        options.plot.write_text(index_plot.draw(points), encoding="utf-8")


def gaoya(options: argparse.Namespace) -> None:
    """Ask a peer and every door in turns about short texts, at the largest size."""
    texts, size = Texts(40), options.sizes[-1]
    folder, docs, questions = (options.work / name for name in ("index", "docs.jsonl", "questions.jsonl"))
    shutil.rmtree(folder, ignore_errors=True)
    with docs.open("wb") as file:
        file.writelines(texts.lines(0, size))
    grow(folder, texts, 0, size)
    # Of text without spaces it makes no shingles, and takes all of it for alike.
    write_questions(questions, texts, size, rounds=2, chosen=str.isascii)
    python = venvs.interpreter(options.work, "gaoya")
    peer = [str(python), str(ROOT / "bench" / "peers" / "ask_gaoya.py"), str(docs), str(questions), str(size), "1"]
    asking = {name: [*door, "ask", str(folder), str(questions), "1"] for name, door in DOORS.items()} | {"gaoya": peer}
    rounds: dict[str, list[dict[str, Any]]] = {name: [] for name in asking}
    for _ in range(options.rounds):
        for name, command in asking.items():
            rounds[name].append(run(command, options.work))
    rows = [HEAD]
    for name, told in rounds.items():
        rows.append(row(name, size, told[0] | {"nanoseconds": [one["nanoseconds"][0] for one in told]}))
    shutil.rmtree(folder)
    docs.unlink()
    print(f"\ntexts of 40 words, English questions, the best of {options.rounds} rounds in turns")
    print(table.lay_out(rows))


def flushes(work: Path) -> float:
    """Return how often a second this disk takes 3 kB and says that it has them."""
    path = work / "flushes"
    with path.open("wb", buffering=0) as file:
        start = time.perf_counter()
        for _ in range(200):
            file.write(bytes(3_000))
            os.fdatasync(file.fileno())
        seconds = time.perf_counter() - start
    path.unlink()
    return 200 / seconds


def admits(options: argparse.Namespace) -> None:
    """Add the same documents to new indexes in every way, and print documents a second."""
    docs, folder = options.work / f"docs-{options.words}.jsonl", options.work / "admitted"
    with docs.open("wb") as file:
        file.writelines(Texts(options.words).lines(0, ADMITTED))
    best: dict[tuple[str, int, int, str], float] = {}
    for _ in range(options.rounds):
        for parts in ("plain", "parts"):
            for name, door in DOORS.items():
                for batch, threads in WAYS:
                    count = min(ADMITTED, 200 * batch * threads)
                    shutil.rmtree(folder, ignore_errors=True)
                    command = [*door, "admit", str(folder), str(docs), "0", str(count), str(batch), str(threads), parts]
                    key = name, batch, threads, parts
                    best[key] = max(best.get(key, 0.0), count / run(command, options.work))
    shutil.rmtree(folder)
    docs.unlink()
    rows = [["from", "a batch", "threads", "documents/s", "with parts"]]
    for name, batch, threads, parts in best:
        if parts == "plain":
            both = (f"{best[name, batch, threads, way]:,.0f}" for way in ("plain", "parts"))
            rows.append([name, str(batch), str(threads), *both])
    print(f"\nadmits, texts of {options.words} words, 2 processors, the best of {options.rounds} rounds;")
    print(f"this disk writes and waits {flushes(options.work):,.0f} times a second")
    print(table.lay_out(rows))


def main() -> None:
    """Parse the command line and run what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = {"queries": queries, "admits": admits, "gaoya": gaoya}
    parser.add_argument("parts", nargs="*", default=list(parts), help=", ".join(parts))
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="documents, ascending")
    parser.add_argument("--words", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--work", type=Path, default=ROOT / "target" / "bench", help="where indexes are made")
    parser.add_argument("--plot", type=Path, help="draw the queries into this file")
    options = parser.parse_args()
    unknown = set(options.parts) - parts.keys()
    if unknown:
        raise SystemExit(f"unknown {', '.join(sorted(unknown))}; there are {', '.join(parts)}")
    options.sizes = [int(size) for size in options.sizes.split(",")]
    options.work = options.work.resolve()
    options.work.mkdir(parents=True, exist_ok=True)
    build = ["cargo", "build", "--release", "--quiet", "-p", "neardup-live", "--example", "door"]
    subprocess.run(build, cwd=ROOT, check=True)
    for name, part in parts.items():
        if name in options.parts:
            part(options)


if __name__ == "__main__":
    main()
