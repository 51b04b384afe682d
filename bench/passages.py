"""Time `neardup passages` beside `neardup dedup` over one file, in turns, and tell how much was repeated."""

import argparse
import json
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
    seconds: dict[str, list[float]] = {verb: [] for verb in verbs}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(asked.rounds):
            asked.docs.read_bytes()
            for verb, options in verbs.items():
                out = Path(folder) / verb
                command = [sys.executable, "-m", "neardup", verb, str(asked.docs), "-o", str(out), "--overwrite"]
                started = time.perf_counter()
                subprocess.run([*command, "--quiet", *options], check=True)
                seconds[verb].append(time.perf_counter() - started)
        summary = json.loads((Path(folder) / "passages" / "run.json").read_text(encoding="utf-8"))
    megabytes = asked.docs.stat().st_size / 1e6
    print("| | seconds, median | MB a second |\n|---|---|---|")
    for verb, times in seconds.items():
        print(f"| {verb} | {statistics.median(times):.2f} | {megabytes / statistics.median(times):.0f} |")
    print()
    for line in tell(summary):
        print(line)
    return 0


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
