"""Estimate what a run takes on machines of your own.

usage: python tools/docs/scale.py --documents 1e9 --machines 10 --price 1.2

Rates are those of docs/concepts/scale.json, or of any file that `bench/scale.py --json` wrote; docs/concepts/scale.md
describes what is estimated, and how.
"""

import argparse
import math
import sys
from pathlib import Path

from scaling.beyond import write_fleets, write_machine
from scaling.machines import Machine
from scaling.memory import MOST_DOCUMENTS
from scaling.page import CONCEPTS
from scaling.runs import read
from scaling.workload import Workload


def positive(value: str) -> float:
    """Parse a number above 0."""
    number = float(value)
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{value} is not above 0")
    return number


def share(value: str) -> float:
    """Parse a number above 0 and at most 1."""
    number = positive(value)
    if number > 1:
        raise argparse.ArgumentTypeError(f"{value} is above 1")
    return number


def count(value: str) -> int:
    """Parse a whole number of at least 1."""
    if (number := int(value)) < 1:
        raise argparse.ArgumentTypeError(f"{value} is below 1")
    return number


def main() -> int:
    """Parse the command line and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=Path, default=CONCEPTS / "scale.json", help="file of measurements")
    parser.add_argument("--documents", type=positive, default=1e9)
    parser.add_argument("--bytes", type=positive, help="of a document (as measured)")
    parser.add_argument("--candidates", type=share, help="share of documents that resemble another (as measured)")
    parser.add_argument("--machines", type=count, default=1, help="number of machines that share the documents")
    parser.add_argument("--threads", type=count, default=Machine.threads, help="of a machine")
    parser.add_argument("--disk", type=positive, default=Machine.disk, help="bytes a second")
    parser.add_argument("--network", type=positive, default=Machine.network, help="bytes a second")
    parser.add_argument("--price", type=positive, default=Machine.price, help="of a machine for an hour, in any money")
    options = parser.parse_args()
    least = math.ceil(options.documents / MOST_DOCUMENTS)
    if options.machines < least:
        parser.error(f"a machine holds {MOST_DOCUMENTS:,} documents at most: --machines must be {least} or more")
    workload = Workload.of(read(options.runs))
    if options.bytes is not None:
        workload = workload.of_bytes(options.bytes)
    if options.candidates is not None:
        workload = workload.of_candidates(options.candidates)
    machine = Machine(options.threads, options.disk, options.network, options.price)
    print(write_fleets(workload, ((options.documents, options.machines),), machine))
    print(f"\n{write_machine(machine)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
