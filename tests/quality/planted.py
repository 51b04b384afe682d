"""Generated labelled sets: real texts, and a damaged copy of each, so that every true pair is known."""

from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random

from sets import read_records

ALIKE = ["cce", "eec", "ll1", "iil", "oo0", "ssf", "nnu", "hhb", "aao", "ttf", "ggq", "vvy", "mmn", "uun", "rrt"]
"""A letter, followed by the letters that a scanner may read for it."""

Damage = Callable[[str, Random], str]


def read_alone(folder: Path, least: int, most: int) -> list[str]:
    """Return the first `most` texts of at least `least` characters that are in no pair of the set."""
    paired = {row[side] for row in read_records(folder / "exact_pairs.jsonl.zst") for side in ("a", "b")}
    rows = read_records(folder / "docs.jsonl.zst")
    return [row["text"] for row in rows if len(row["text"]) >= least and row["id"] not in paired][:most]


def plant(texts: Iterable[str], damage: Damage) -> dict[str, str]:
    """Return texts by id: each original as `7/a` and damaged as `7/b`; both texts of a number are a true pair."""
    random = Random(19)
    planted = {}
    for number, text in enumerate(texts):
        planted[f"{number}/a"] = text
        planted[f"{number}/b"] = damage(text, random)
    return planted


def scan(rate: float) -> Damage:
    """Damage text as a scanner does: the share `rate` of the characters is mistaken, lost or followed by a space."""
    mistaken = {triple[0]: triple[1:] for triple in ALIKE}

    def damage(text: str, random: Random) -> str:
        read = []
        for char in text:
            if random.random() >= rate:
                read.append(char)
            elif char == " " or random.random() < 0.15:
                continue
            elif random.random() < 0.15:
                read.append(f"{char} ")
            else:
                read.append(random.choice(mistaken.get(char, "ilt.")))
        return "".join(read)

    return damage


def retype(edits: int) -> Damage:
    """Damage text as retyping does: `edits` characters are lost, doubled, swapped, separated or added at the end."""

    def damage(text: str, random: Random) -> str:
        typed = list(text)
        for _ in range(edits):
            at = random.randrange(len(typed) - 1)
            kind = random.choice(["lost", "doubled", "swapped", "space", "end"])
            if kind == "lost":
                del typed[at]
            elif kind == "doubled":
                typed.insert(at, typed[at])
            elif kind == "swapped":
                typed[at : at + 2] = typed[at + 1], typed[at]
            elif kind == "space":
                typed[at : at + 1] = [] if typed[at] == " " else [typed[at], " "]
            else:
                typed.append(random.choice(".!~?"))
        return "".join(typed)

    return damage
