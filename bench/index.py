#!/usr/bin/env python3
"""Measure how long an index takes to answer and to admit, from within Rust and from within Python.

usage: index.py [queries] [admits] [gaoya] [--sizes N,N] [--words N] [--admitted N] [--rounds N] [--work DIR]
                [--plot FILE.svg]

`queries` grows an index of made texts of 500 words through the sizes of a framework of 2008, and asks 1,000 questions a
round at each: every other one is a document with some words changed, the rest are new texts. The first 1,000 warm up.
It also says how fast the index grew, and how long the slowest batch waited while segments were merged.
`admits` adds documents in batches and one at a time, by one thread and by many, on two processors; all are on the disk
when they count. `gaoya` asks a peer that keeps signatures in memory, and the index in turns, about texts of 40 words,
at the largest size. Without names, all of it runs. Figures are those of the best round, since other work on the machine
only adds to them. What is made is below --work, up to three times the texts, and is removed.
"""

import argparse
import itertools
import json
import os
import shutil
import statistics
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import index_plot
import measure
import table
import venvs
from index_texts import Texts, alike
from work_folder import work_folder

ROOT = Path(__file__).resolve().parent.parent
RUST = [str(ROOT / "target" / "release" / "examples" / "door")]
DOORS = {"Rust": RUST, "Python": [str(ROOT / ".venv" / "bin" / "python"), str(ROOT / "bench" / "index_door.py")]}
SIZES = (1_000, 10_000, 50_000, 100_000, 500_000, 750_000, 1_000_000)
QUESTIONS = 1_000
WAYS = ((256, 1), (256, 2), (1_024, 2), (1, 1), (1, 16), (1, 64))
"""Documents in a batch, and threads."""
FLAT = (100_000, 1_000_000)
"""Between these sizes times are to stay about the same."""
LIMIT = 3_600.0
"""Seconds that a step may take."""


def run(command: list[str], work: Path, processors: int = 2) -> Any:
    """Run a command on this many processors and read the JSON that it prints."""
    measured = measure.run(command, processors, work, LIMIT)
    if measured.code != 0:
        raise SystemExit(f"{' '.join(command)}: code {measured.code}\n{measured.errors}")
    return json.loads(measured.output)


def grow(folder: Path, texts: Texts, start: int, end: int) -> dict[str, float]:
    """Add the texts of these numbers to an index; they come through a pipe, and are written nowhere else."""
    command = [*RUST, "admit", str(folder), "/dev/stdin", "0", str(end - start), "256", "1", "plain"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as door:
        assert door.stdin is not None
        assert door.stdout is not None
        door.stdin.writelines(texts.lines(start, end))
        door.stdin.close()
        told = door.stdout.read()
    if door.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: code {door.returncode}")
    seconds: dict[str, float] = json.loads(told)
    return seconds


def write_questions(
    path: Path, texts: Texts, size: int, rounds: int, chosen: Callable[[str], bool] = lambda _: True
) -> None:
    """Write questions to an index of this size: by turns an edited document and a new text.

    Beside a question is the id of its document when the two truly resemble each other.
    """
    asked = [one for one in texts.questions((rounds + 1) * QUESTIONS, size, seed=size) if chosen(one[0])]
    edited, new = ([one for one in asked if (one[1] is None) == is_new] for is_new in (False, True))
    pairs = min(len(edited), len(new)) // (rounds + 1) * (rounds + 1)
    with path.open("w", encoding="utf-8") as file:
        for text, source in itertools.chain(*zip(edited[:pairs], new, strict=False)):
            near = f"d{source}" if source is not None and alike(text, texts.text(source)) else None
            file.write(json.dumps({"text": text, "near": near}) + "\n")


def microseconds(told: dict[str, Any]) -> dict[str, float]:
    """Return the median of edited documents, that of new texts, and p50 to p99 of all; each the least of the rounds."""
    rounds = told["nanoseconds"]
    figures = {
        "edited p50": [statistics.median(one[0::2]) for one in rounds],
        "new p50": [statistics.median(one[1::2]) for one in rounds],
        "p50": [statistics.median(one) for one in rounds],
        "p90": [sorted(one)[len(one) * 90 // 100] for one in rounds],
        "p99": [sorted(one)[len(one) * 99 // 100] for one in rounds],
    }
    return {name: min(values) / 1e3 for name, values in figures.items()}


GROWN = ["documents", "added/s", "longest wait, ms"]
HEAD = ["from", "documents", "edited p50", "new p50", "p50 us", "p90", "p99", "hits", "near ones found"]
HEAD += ["anonymous MB", "mapped MB", "segments", "in memory", "key bytes/document"]


def row(name: str, size: int, told: dict[str, Any]) -> list[str]:
    """Return the row of one door at one size."""
    cells = [f"{value:.1f}" for value in microseconds(told).values()]
    cells += [f"{told['hits'] / told['asked']:.1f}", f"{told['found']:,} of {told['near']:,}"]
    cells += [f"{told[memory] / 1e3:,.0f}" for memory in ("anonymous", "mapped")]
    if info := told.get("info"):
        stored = max(1, info["documents"] - info["in_memory"])
        cells += [f"{info['segments']}", f"{info['in_memory']:,}", f"{info['key_bytes'] / stored:.0f}"]
    return [name, f"{size:,}", *cells, *[""] * (len(HEAD) - 2 - len(cells))]


def in_turns(commands: dict[str, list[str]], rounds: int, work: Path) -> dict[str, dict[str, Any]]:
    """Run commands that ask one round each, all of them before any of them again; return what they printed."""
    told: dict[str, dict[str, Any]] = {}
    for _ in range(rounds):
        for name, command in commands.items():
            one = run(command, work)
            one["nanoseconds"] += told[name]["nanoseconds"] if name in told else []
            told[name] = one
    return told


def queries(options: argparse.Namespace) -> None:
    """Grow an index and ask at every size; print a table and, when asked to, draw it."""
    texts, folder, questions = Texts(options.words), options.work / "index", options.work / "questions.jsonl"
    shutil.rmtree(folder, ignore_errors=True)
    rows, grown, points, kept = [HEAD], [GROWN], [], {}
    for start, size in zip((0, *options.sizes), options.sizes, strict=False):
        spent = grow(folder, texts, start, size)
        grown.append([f"{size:,}", f"{(size - start) / spent['seconds']:,.0f}", f"{spent['longest'] * 1e3:,.0f}"])
        write_questions(questions, texts, size, options.rounds)
        for name, door in DOORS.items():
            told = run([*door, "ask", str(folder), str(questions), str(options.rounds)], options.work)
            rows.append(row(name, size, told))
            points.append((name, size, microseconds(told)))
        table.say(f"{size:,} documents of {options.words} words")
        if size in FLAT:
            kept[size] = options.work / f"index-{size}"
            shutil.rmtree(kept[size], ignore_errors=True)
            shutil.copytree(folder, kept[size], copy_function=keep)
            write_questions(kept[size] / "questions", texts, size, rounds=1)
    print(f"\nqueries, texts of {options.words} words, {QUESTIONS} a round, the best of {options.rounds} rounds")
    print(table.lay_out(rows))
    print("\ngrown by one thread in batches of 256, while other processes make the texts")
    print(table.lay_out(grown))
    if len(kept) == len(FLAT):
        compare_sizes(kept, options)
    for made in (folder, *kept.values()):
        shutil.rmtree(made, ignore_errors=True)
    if options.plot:
        options.plot.write_text(index_plot.draw(points), encoding="utf-8")


def keep(source: str, target: str) -> None:
    """Copy a file of an index; segments never change, so that they can be shared."""
    if Path(source).name.startswith("segment"):
        os.link(source, target)
    else:
        shutil.copy2(source, target)


def compare_sizes(kept: dict[int, Path], options: argparse.Namespace) -> None:
    """Ask a small and a large index in turns, and print how many times as long the large one takes."""
    commands = {
        f"{name} {size}": [*door, "ask", str(folder), str(folder / "questions"), "1"]
        for name, door in DOORS.items()
        for size, folder in kept.items()
    }
    told = in_turns(commands, options.rounds, options.work)
    small, large = FLAT
    for name in DOORS:
        low, high = (microseconds(told[f"{name} {size}"]) for size in FLAT)
        ratios = ", ".join(f"{figure} {high[figure] / low[figure]:.2f}" for figure in low)
        print(f"{name}, {large:,} documents over {small:,}, in turns: {ratios}")


def gaoya(options: argparse.Namespace) -> None:
    """Ask a peer and every door in turns about short texts, at the largest size."""
    texts, size = Texts(40), options.sizes[-1]
    folder, docs, questions = (options.work / name for name in ("index", "docs.jsonl", "questions.jsonl"))
    shutil.rmtree(folder, ignore_errors=True)
    with docs.open("wb") as file:
        file.writelines(texts.lines(0, size))
    grow(folder, texts, 0, size)
    # Of text without spaces it makes no shingles, and takes all of it for alike.
    write_questions(questions, texts, size, rounds=1, chosen=str.isascii)
    python = venvs.interpreter(options.work, "gaoya")
    commands = {name: [*door, "ask", str(folder), str(questions), "1"] for name, door in DOORS.items()}
    peer = str(ROOT / "bench" / "peers" / "ask_gaoya.py")
    commands["gaoya"] = [str(python), peer, str(docs), str(questions), str(size), "1"]
    told = in_turns(commands, options.rounds, options.work)
    shutil.rmtree(folder)
    docs.unlink()
    print(f"\ntexts of 40 words, English questions, the best of {options.rounds} rounds in turns")
    print(table.lay_out([HEAD, *(row(name, size, one) for name, one in told.items())]))


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
        file.writelines(Texts(options.words).lines(0, options.admitted))
    best: dict[tuple[str, int, int, str], float] = {}
    for _ in range(options.rounds):
        for parts in ("plain", "parts"):
            for name, door in DOORS.items():
                for batch, threads in WAYS:
                    count = min(options.admitted, 400 * batch * threads)
                    shutil.rmtree(folder, ignore_errors=True)
                    command = [*door, "admit", str(folder), str(docs), "0", str(count), str(batch), str(threads), parts]
                    key = name, batch, threads, parts
                    best[key] = max(best.get(key, 0.0), count / run(command, options.work)["seconds"])
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
    parser.add_argument("--admitted", type=int, default=60_000, help="documents; segments are written meanwhile")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--work", type=work_folder, default=str(ROOT / "target" / "bench"), help="where indexes are made"
    )
    parser.add_argument("--plot", type=Path, help="draw the queries into this file")
    options = parser.parse_args()
    unknown = set(options.parts) - parts.keys()
    if unknown:
        raise SystemExit(f"unknown {', '.join(sorted(unknown))}; there are {', '.join(parts)}")
    options.sizes = [int(size) for size in options.sizes.split(",")]
    options.work = options.work.resolve()
    build = ["cargo", "build", "--release", "--quiet", "--workspace", "--example", "door"]
    subprocess.run(build, cwd=ROOT, check=True)
    for name, part in parts.items():
        if name in options.parts:
            part(options)


if __name__ == "__main__":
    main()
