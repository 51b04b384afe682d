"""Do steps on an index and on a gate, and print a digest of all their answers: index_log.py DIR FIRST LAST.

The steps depend on their numbers alone. They add texts of few words, so that many are near, some of them with a URL and
a time, and call every method that answers. `same_results.py` runs this file with the packages of two commits.
"""

import hashlib
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from neardup import Document, Gate, Index

BY: tuple[Literal["resemblance", "containment", "contained-by"], ...] = ("resemblance", "containment", "contained-by")
WORDS = [f"w{number}" for number in range(400)]


def main() -> None:
    folder, first, last = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    index = Index.open_or_create(folder / "index", parts=True, policy="earliest")
    with Gate.open(folder / "gate") as gate:
        digest = hashlib.blake2b()
        for number in range(first, last):
            for answer in do(number, index, gate):
                digest.update(repr(plain(answer)).encode())
            if number % 1000 == 999:
                print(number + 1, digest.hexdigest())
        print(last, len(index), digest.hexdigest())


def do(number: int, index: Index, gate: Gate) -> Iterator[Any]:
    """Do one step, and yield its answers."""
    draw = random.Random(number)
    document = make(draw, number)
    match draw.randrange(10):
        case 0:
            ids = sorted({f"d{draw.randrange(number + 1)}" for _ in range(2)})
            for owner in (index, gate):
                try:
                    yield owner.remove(ids)
                except Exception as error:  # noqa: BLE001 - an error and its message are answers, too
                    yield type(error).__name__, str(error).replace(str(Path(sys.argv[1])), "DIR")
        case 1:
            by = draw.choice(BY)
            threshold = None if by == "resemblance" else "0.3"
            yield list(index.query(document.text, by=by, threshold=threshold, passages=True))
            yield list(gate.index.query(document.text))
        case 2:
            yield index.check(document)
            yield gate.check(document)
        case _:
            yield index.add(document)
            yield gate.admit(document)


def make(draw: random.Random, number: int) -> Document:
    """Make a text from one of few families, with some words changed."""
    family = random.Random(draw.randrange(60))
    words = [family.choice(WORDS) for _ in range(family.randrange(8, 60))]
    for _ in range(draw.randrange(4)):
        words[draw.randrange(len(words))] = draw.choice(WORDS)
    url = f"https://example.org/{draw.randrange(2000)}" if draw.random() < 0.5 else None
    time = 1_700_000_000 + draw.randrange(10**6) if draw.random() < 0.7 else None
    return Document(id=f"d{number}", text=" ".join(words), url=url, time=time)


def plain(value: Any) -> Any:
    """Return all fields of an answer by name, recursively down to numbers and strings."""
    if isinstance(value, list | tuple) and not hasattr(value, "_fields"):
        return [plain(one) for one in value]
    names = getattr(value, "__dataclass_fields__", None) or getattr(value, "_fields", None)
    return {name: plain(getattr(value, name)) for name in names} if names else value


if __name__ == "__main__":
    main()
