#!/usr/bin/env python3
"""Measure how many documents a second `neardup serve` checks, and how long a check takes.

usage: serve_load.py [--documents N] [--clients N,N] [--seconds T] [--words N] [--work DIR] [--json FILE]

Makes an index of texts of about 2 kB, starts the service on it, and sends checks from this process. There are many
clients, each on one persistent connection, which sends its next check as soon as the last is answered. Half of the
texts are new, a quarter is in the index, and a quarter is a text of the index with one word added. Each answer is
compared with the known verdict; a wrong or missing answer is an error. Times are measured in the client. Client and
service share the processors of the machine, and other load makes the figures worse; the output shows the load.
"""

import argparse
import asyncio
import contextlib
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import uvloop
from index_texts import NEW, Texts

from neardup import Document, Index

WORDS = 370
"""Words in a text of about 2 kB."""
QUESTIONS = 2_000
WARM = 0.1
"""Share of the seconds that warms up and does not count."""

Question = tuple[bytes, bytes]
"""A request, and a part of the expected answer."""


def make(folder: Path, texts: Texts, documents: int) -> None:
    """Make an index of `documents` texts."""
    Index.create(folder).add(Document(texts.text(number), f"d{number}") for number in range(documents))


def draw(texts: Texts, documents: int, count: int = QUESTIONS) -> list[Question]:
    """Draw questions with their expected answers."""
    chance = random.Random(1)
    questions = []
    for number in range(count):
        # every eighth text is certainly an original
        source = chance.randrange(documents) // 8 * 8
        if number % 2:
            text, expected = texts.text(NEW + count + number), f'"id": "q{number}", "verdict": "keep"'
        elif number % 4:
            text, expected = texts.text(source), f'"verdict": "drop", "original": "d{source}", "rule": "identical"'
        else:
            text, expected = f"{texts.text(source)} bold", f'"verdict": "drop", "original": "d{source}", "rule": "near"'
        body = json.dumps({"id": f"q{number}", "text": text}, ensure_ascii=False).encode()
        head = f"POST /api/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n"
        questions.append((head.encode() + body, expected.encode()))
    return questions


@contextlib.contextmanager
def serve(folder: Path) -> Iterator[tuple[str, int]]:
    """Serve an index while the block runs; yield host and port."""
    command = [sys.executable, "-m", "neardup", "serve", str(folder), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        try:
            host, port = line.split()[0].removeprefix("http://").split(":")
            yield host, int(port)
        finally:
            process.terminate()


async def ask(place: tuple[str, int], questions: list[Question], end: float) -> tuple[list[tuple[float, float]], int]:
    """Ask one question after another until `end`; return the moment and the seconds of each answer, and the errors."""
    times: list[tuple[float, float]] = []
    errors = 0
    reader, writer = await asyncio.open_connection(*place)
    chance = random.Random(end + id(writer))
    while (begun := time.perf_counter()) < end:
        request, expected = chance.choice(questions)
        writer.write(request)
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            body = await reader.readexactly(int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0]))
        except (OSError, EOFError, ValueError):
            errors += 1
            break
        now = time.perf_counter()
        times.append((now, now - begun))
        errors += not head.startswith(b"HTTP/1.1 200") or expected not in body
    writer.close()
    return times, errors


async def ask_all(place: tuple[str, int], questions: list[Question], clients: int, seconds: float) -> dict[str, Any]:
    """Ask with `clients` clients for `seconds` seconds."""
    begun = time.perf_counter()
    found = await asyncio.gather(*(ask(place, questions, begun + seconds) for _ in range(clients)))
    warm = begun + WARM * seconds
    taken = [took for times, _ in found for now, took in times if now >= warm]
    cuts = statistics.quantiles(taken, n=100)
    return {
        "clients": clients,
        "checks": len(taken),
        "checks_a_second": len(taken) / (time.perf_counter() - warm),
        "p50_ms": cuts[49] * 1e3,
        "p99_ms": cuts[98] * 1e3,
        "errors": sum(errors for _, errors in found),
        "load": os.getloadavg()[0],
    }


def describe(row: dict[str, Any]) -> str:
    """Return the line of a row."""
    return (
        f"{row['clients']:>7,} clients  {row['checks_a_second']:>8,.0f} checks/s  p50 {row['p50_ms']:6.1f} ms  "
        f"p99 {row['p99_ms']:6.1f} ms  {row['errors']} errors  load {row['load']:.1f}"
    )


def main() -> None:
    about, _, rest = (__doc__ or "").partition("\n\nusage: ")
    parser = argparse.ArgumentParser(description=about, epilog=rest.partition("\n\n")[2])
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--clients", default="8,32")
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--words", type=int, default=WORDS)
    parser.add_argument("--work", type=Path)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    texts = Texts(arguments.words)
    rows = []
    with tempfile.TemporaryDirectory(dir=arguments.work) as work:
        folder = Path(work) / "index"
        make(folder, texts, arguments.documents)
        questions = draw(texts, arguments.documents)
        with serve(folder) as place:
            for clients in map(int, arguments.clients.split(",")):
                rows.append(uvloop.run(ask_all(place, questions, clients, arguments.seconds)))
                print(describe(rows[-1]), flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=2) + "\n")


if __name__ == "__main__":
    main()
