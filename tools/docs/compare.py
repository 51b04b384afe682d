"""Evaluate all classics and profiles on the labelled sets, and fill docs/compare.md: python tools/docs/compare.py DATA.

DATA is the folder of the labelled sets. Results are stored in a work folder, a file for every set and scheme, so that
an interrupted comparison resumes.
"""

import argparse
import sys
from pathlib import Path

from comparison.page import PAGE, PARTS
from comparison.trials import Trials
from pages import fill


def main() -> int:
    """Try all schemes and fill the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--work", type=Path, default=Path("demo/compare"), help="folder of trials")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    trials = Trials(arguments.data, arguments.work)
    parts = {name: write(trials) for name, write in PARTS.items()}
    PAGE.write_text(fill(PAGE.read_text(encoding="utf-8"), parts), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
