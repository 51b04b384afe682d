"""A writer that prints every finished step, for tests that kill it: python killed_writer.py KIND STORE FIRST.

KIND is index, gate, or one of these in three folders: split-index, split-gate.
"""

import sys
from random import Random

from neardup import Document, Gate, Index

SCHEME = "words | shingles:2 | whole | prefix:0.6 | resemblance>=0.6"
STEPS = 400


def make_text(number: int) -> str:
    """Make a text; three consecutive numbers are a family."""
    family, copy = divmod(number, 3)
    words = [f"w{Random(family * 40 + at).randrange(1000)}" for at in range(20)]
    return " ".join([*words, f"copy{copy}", f"again{copy}"])


def report(line: str) -> None:
    """Print a line and flush it."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main(kind: str, store: str, first: int) -> None:
    """Add documents from the number `first` on, and remove some of them."""
    folders = 3 if kind.startswith("split-") else None
    writer: Gate | Index
    if kind.endswith("gate"):
        writer = Gate.open(store, scheme=SCHEME, folders=folders)
    else:
        writer = Index.open_or_create(store, scheme=SCHEME, folders=folders)
    for number in range(first, first + STEPS):
        document = Document(make_text(number), f"d{number}")
        writer.admit(document) if isinstance(writer, Gate) else writer.add(document)
        report(f"d{number}")
        if number % 16 == 9:
            writer.remove(f"d{number - 5}")
            report(f"-d{number - 5}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
