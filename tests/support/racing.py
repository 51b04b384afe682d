"""A process that admits texts to a gate while others do."""

import json
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from random import Random

from neardup.gate.gate import Gate
from neardup.index.index import Index
from stores import Place, open_store

POST = [
    "On Monday the ferry to the outer islands left an hour late because the tide gate at the old lock would not open.",
    "The lock keeper, who has worked there for thirty years, rowed out with two pupils of the evening school and cut "
    "the rope that had caught in the hinge.",
    "Nobody was hurt, the mail came to the islands before noon, and the harbour office has ordered a new chain which "
    "is to arrive before the autumn storms.",
]


def start_racer(place: Place, folder: Path, number: int) -> "subprocess.Popen[str]":
    """Start a process that admits the texts, and prints each with the kind that the gate returned."""
    command = [sys.executable, __file__, *place, str(folder), str(number)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8")


def race(place: Place, folder: str, number: int) -> None:
    """Admit thirty texts in an order drawn from `number`, as one of several processes."""
    words = " ".join(POST).split()
    texts = [" ".join(Random(text).choices(words, k=50)) for text in range(30)]
    Random(number).shuffle(texts)
    with closing(open_store(*place)) as store:
        gate = Gate(Index.open(folder), store)
        print(json.dumps([(text, gate.admit(text).kind) for text in texts]))  # noqa: T201


if __name__ == "__main__":
    race((sys.argv[1], sys.argv[2]), sys.argv[3], int(sys.argv[4]))
