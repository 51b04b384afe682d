"""Time `neardup passages` beside `neardup dedup` over one file, in turns, and tell how much was repeated."""

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def main() -> int:
    """Print a table of both, and the shares."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("docs", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--tokens", type=int, default=50)
    asked = parser.parse_args()
    verbs: dict[str, list[str]] = {"passages": ["--tokens", str(asked.tokens)], "dedup": []}
    wall: dict[str, list[float]] = {verb: [] for verb in verbs}
    processor: dict[str, list[float]] = {verb: [] for verb in verbs}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(asked.rounds):
            asked.docs.read_bytes()
            for verb, options in verbs.items():
                out = Path(folder) / verb
                command = [sys.executable, "-m", "neardup", verb, str(asked.docs), "-o", str(out), "--overwrite"]
                started, worked = time.perf_counter(), processor_time()
                subprocess.run([*command, "--quiet", *options], check=True)
                wall[verb].append(time.perf_counter() - started)
                processor[verb].append(processor_time() - worked)
        summary = json.loads((Path(folder) / "passages" / "run.json").read_text(encoding="utf-8"))
    megabytes = asked.docs.stat().st_size / 1e6
    print("| | seconds, median | of all cores | MB a second of a core |\n|---|---|---|---|")
    for verb in verbs:
        one, all_cores = statistics.median(wall[verb]), statistics.median(processor[verb])
        print(f"| {verb} | {one:.2f} | {all_cores:.2f} | {megabytes / all_cores:.0f} |")
    print()
    for line in tell(summary):
        print(line)
    return 0


def processor_time() -> float:
    """Give the seconds that processes started from here have worked, on all cores together."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def tell(summary: dict[str, dict[str, int]]) -> list[str]:
    """Put the shares of a run into words."""
    counts, effort = summary["counts"], summary["effort"]
    shares = {
        "repeated": counts["repeated_tokens"],
        "cut": counts["removed_tokens"],
        "anchors": effort["anchors"],
        "fingerprinted": effort["fingerprinted"],
    }
    return [
        f"{name}: {part:,} of {counts['tokens']:,} tokens, {part / counts['tokens']:.1%}"
        for name, part in shares.items()
    ]


if __name__ == "__main__":
    sys.exit(main())
