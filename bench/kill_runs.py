#!/usr/bin/env python3
"""Kill runs at random moments, resume them until they end, and compare their results with undisturbed runs.

usage: kill_runs.py [--kills N] [--documents N] [--seed N] [--only A,B] [--work DIR]

Each command of tests/support/kills.py runs on a generated corpus until it was killed N / commands times, with one to
four threads in turn. For each command it prints the number of kills, of finished runs, and of runs whose results differ
in any file from the undisturbed run (run.json is compared without its times). The exit code is 1 if any differs.
"""

import argparse
import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "support"))
import kills


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--documents", type=int, default=300_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--work")
    options = parser.parse_args()
    wanted = list(filter(None, options.only.split(",")))
    trials = [trial for trial in kills.TRIALS if not wanted or trial.name in wanted]
    if not trials:
        raise SystemExit(f"--only: there are {', '.join(trial.name for trial in kills.TRIALS)}")
    failed = False
    with TemporaryDirectory(dir=options.work) as name:
        folder = Path(name)
        kills.write_corpus(folder, options.documents, options.seed)
        print(f"{'command':<20} {'kills':>6} {'ends':>6} {'differ':>6}")
        for trial in trials:
            ends = list(kills.try_out(trial, folder, -(-options.kills // len(trials)), Random(options.seed)))
            wrong = [differing for _, differing in ends if differing]
            print(f"{trial.name:<20} {sum(count for count, _ in ends):>6} {len(ends):>6} {len(wrong):>6}", flush=True)
            for differing in wrong:
                print(f"    {', '.join(differing)}", flush=True)
            failed = failed or bool(wrong)
    sys.exit(failed)


if __name__ == "__main__":
    main()
