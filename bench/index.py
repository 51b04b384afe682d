#!/usr/bin/env python3
"""Measure how long an index takes to answer and to admit, from within Rust and from within Python.

usage: index.py [queries] [admits] [gaoya] [--sizes N,N] [--words N] [--admitted N] [--rounds N] [--work DIR]
                [--plot FILE.svg]

`queries` grows an index of generated texts of 500 words through the sizes of a framework of 2008, and runs 1,000
queries a round at each size. Every other query is a document with some words changed, the rest are new texts. The first
1,000 warm up. It also shows how fast the index grew, and how long the slowest batch waited while segments were merged.
`admits` adds documents in batches and one at a time, by one thread and by many, on two processors; a document counts
once it is on the disk. `gaoya` queries a peer that keeps signatures in memory, and the index in turns, with texts of 40
words, at the largest size. Without names, all three run. Figures are those of the best round, since other work on the
machine only adds to them. Files are written below --work, up to three times the size of the texts, and removed.
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
RUST = [str(ROOT / "target" / "release" / "examples" / "index_driver")]
DRIVERS = {"Rust": RUST, "Python": [str(ROOT / ".venv" / "bin" / "python"), str(ROOT / "bench" / "index_driver.py")]}
SIZES = (1_000, 10_000, 50_000, 100_000, 500_000, 750_000, 1_000_000)
QUESTIONS = 1_000
WAYS = ((256, 1), (256, 2), (1_024, 2), (1, 1), (1, 16), (1, 64))
"""Documents in a batch, and threads."""
FLAT = (100_000, 1_000_000)
"""Two sizes between which times should stay about the same."""
LIMIT = 3_600.0
"""Maximum seconds of a step."""


def run(command: list[str], work: Path, processors: int = 2) -> Any:
    """Run a command on `processors` processors and return the JSON that it prints."""
    measured = measure.run(command, processors, work, LIMIT)
    if measured.code != 0:
        raise SystemExit(f"{' '.join(command)}: code {measured.code}\n{measured.errors}")
    return json.loads(measured.output)


def grow(folder: Path, texts: Texts, start: int, end: int) -> dict[str, float]:
    """Add the texts from `start` to `end` to an index, through a pipe: they are stored nowhere else."""
    command = [*RUST, "admit", str(folder), "/dev/stdin", "0", str(end - start), "256", "1", "plain"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as driver:
        assert driver.stdin is not None
        assert driver.stdout is not None
        driver.stdin.writelines(texts.lines(start, end))
        driver.stdin.close()
        printed = driver.stdout.read()
    if driver.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: code {driver.returncode}")
    seconds: dict[str, float] = json.loads(printed)
    return seconds


def write_questions(
    path: Path, texts: Texts, size: int, rounds: int, chosen: Callable[[str], bool] = lambda _: True
) -> None:
    """Write queries for an index of `size` documents: in turns an edited document and a new text.

    Each has the id of its document if the two really resemble each other.
    """
    asked = [one for one in texts.questions((rounds + 1) * QUESTIONS, size, seed=size) if chosen(one[0])]
    edited, new = ([one for one in asked if (one[1] is None) == is_new] for is_new in (False, True))
    pairs = min(len(edited), len(new)) // (rounds + 1) * (rounds + 1)
    with path.open("w", encoding="utf-8") as file:
        for text, source in itertools.chain(*zip(edited[:pairs], new, strict=False)):
            near = f"d{source}" if source is not None and alike(text, texts.text(source)) else None
            file.write(json.dumps({"text": text, "near": near}) + "\n")


def microseconds(result: dict[str, Any]) -> dict[str, float]:
    """Return p50 of edited documents, p50 of new texts, and p50 to p99 of all; each is the least of all rounds."""
    rounds = result["nanoseconds"]
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


def row(name: str, size: int, result: dict[str, Any]) -> list[str]:
    """Return the row of one driver at one size."""
    cells = [f"{value:.1f}" for value in microseconds(result).values()]
    cells += [f"{result['hits'] / result['asked']:.1f}", f"{result['found']:,} of {result['near']:,}"]
    cells += [f"{result[memory] / 1e3:,.0f}" for memory in ("anonymous", "mapped")]
    if info := result.get("info"):
        stored = max(1, info["documents"] - info["in_memory"])
        cells += [f"{info['segments']}", f"{info['in_memory']:,}", f"{info['key_bytes'] / stored:.0f}"]
    return [name, f"{size:,}", *cells, *[""] * (len(HEAD) - 2 - len(cells))]


def in_turns(commands: dict[str, list[str]], rounds: int, work: Path) -> dict[str, dict[str, Any]]:
    """Run commands of one round each in turns, `rounds` times; return what they printed, with all rounds."""
    results: dict[str, dict[str, Any]] = {}
    for _ in range(rounds):
        for name, command in commands.items():
            one = run(command, work)
            one["nanoseconds"] += results[name]["nanoseconds"] if name in results else []
            results[name] = one
    return results


def queries(options: argparse.Namespace) -> None:
    """Grow an index and query it at every size; print a table and, if --plot is given, draw it."""
    texts, folder, questions = Texts(options.words), options.work / "index", options.work / "questions.jsonl"
    shutil.rmtree(folder, ignore_errors=True)
    rows, grown, points, kept = [HEAD], [GROWN], [], {}
    for start, size in zip((0, *options.sizes), options.sizes, strict=False):
        spent = grow(folder, texts, start, size)
        grown.append([f"{size:,}", f"{(size - start) / spent['seconds']:,.0f}", f"{spent['longest'] * 1e3:,.0f}"])
        write_questions(questions, texts, size, options.rounds)
        for name, driver in DRIVERS.items():
            result = run([*driver, "ask", str(folder), str(questions), str(options.rounds)], options.work)
            rows.append(row(name, size, result))
            points.append((name, size, microseconds(result)))
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
    """Copy a file of an index; segments never change, so a hard link is enough."""
    if Path(source).name.startswith("segment"):
        os.link(source, target)
    else:
        shutil.copy2(source, target)


def compare_sizes(kept: dict[int, Path], options: argparse.Namespace) -> None:
    """Query a small and a large index in turns, and print how many times as long the large one takes."""
    commands = {
        f"{name} {size}": [*driver, "ask", str(folder), str(folder / "questions"), "1"]
        for name, driver in DRIVERS.items()
        for size, folder in kept.items()
    }
    results = in_turns(commands, options.rounds, options.work)
    small, large = FLAT
    for name in DRIVERS:
        low, high = (microseconds(results[f"{name} {size}"]) for size in FLAT)
        ratios = ", ".join(f"{figure} {high[figure] / low[figure]:.2f}" for figure in low)
        print(f"{name}, {large:,} documents over {small:,}, in turns: {ratios}")


def gaoya(options: argparse.Namespace) -> None:
    """Query a peer and every driver in turns with short texts, at the largest size."""
    texts, size = Texts(40), options.sizes[-1]
    folder, docs, questions = (options.work / name for name in ("index", "docs.jsonl", "questions.jsonl"))
    shutil.rmtree(folder, ignore_errors=True)
    with docs.open("wb") as file:
        file.writelines(texts.lines(0, size))
    grow(folder, texts, 0, size)
    # gaoya makes no shingles of text without spaces, and takes all such texts for near each other.
    write_questions(questions, texts, size, rounds=1, chosen=str.isascii)
    python = venvs.interpreter(options.work, "gaoya")
    commands = {name: [*driver, "ask", str(folder), str(questions), "1"] for name, driver in DRIVERS.items()}
    peer = str(ROOT / "bench" / "peers" / "ask_gaoya.py")
    commands["gaoya"] = [str(python), peer, str(docs), str(questions), str(size), "1"]
    results = in_turns(commands, options.rounds, options.work)
    shutil.rmtree(folder)
    docs.unlink()
    print(f"\ntexts of 40 words, English questions, the best of {options.rounds} rounds in turns")
    print(table.lay_out([HEAD, *(row(name, size, one) for name, one in results.items())]))


def flushes(work: Path) -> float:
    """Return how often a second this disk writes and syncs 3 kB."""
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
    """Add the same documents to new indexes in all `WAYS`, and print documents a second."""
    docs, folder = options.work / f"docs-{options.words}.jsonl", options.work / "admitted"
    with docs.open("wb") as file:
        file.writelines(Texts(options.words).lines(0, options.admitted))
    best: dict[tuple[str, int, int, str], float] = {}
    for _ in range(options.rounds):
        for parts in ("plain", "parts"):
            for name, driver in DRIVERS.items():
                for batch, threads in WAYS:
                    count = min(options.admitted, 400 * batch * threads)
                    shutil.rmtree(folder, ignore_errors=True)
                    numbers = ["0", str(count), str(batch), str(threads)]
                    command = [*driver, "admit", str(folder), str(docs), *numbers, parts]
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
    """Parse the command line and run the named parts."""
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
    build = ["cargo", "build", "--release", "--quiet", "--workspace", "--example", "index_driver"]
    subprocess.run(build, cwd=ROOT, check=True)
    for name, part in parts.items():
        if name in options.parts:
            part(options)


if __name__ == "__main__":
    main()
