"""Generated labelled sets: real texts, and a damaged copy of each, so that every true pair is known."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
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


WIDTH = 60
"""Characters of a printed line."""


def divide(hyphen: str) -> Damage:
    """Break text into lines as a print does: a word that does not fit is divided by a hyphen where there is room."""

    def damage(text: str, random: Random) -> str:
        lines = [""]
        for word in text.split():
            room = WIDTH - len(lines[-1]) - 1
            if len(word) <= room:
                lines[-1] += f" {word}"
            else:
                longest = min(room - 1, len(word) - 2)
                places = [at for at in range(2, longest + 1) if word[at - 1 : at + 1].isalpha()]
                if places:
                    lines[-1] += f" {word[: places[-1]]}{hyphen}"
                    word = word[places[-1] :]
                lines.append(word)
        return "\n".join(lines).lstrip()

    return damage


ACCENTS = "\u0300\u0301\u0302\u0308"
"""Grave, acute, circumflex and diaeresis."""


def accent(rate: float) -> Damage:
    """Damage text as a scanner that sees accents: vowels get one, as many as the share `rate` of all characters.

    Half of them are composed with their letter.
    """

    def damage(text: str, random: Random) -> str:
        read = list(text)
        vowels = [at for at, char in enumerate(text) if char in "aeiouAEIOU"]
        for at in random.sample(vowels, min(round(rate * len(text)), len(vowels))):
            accented = read[at] + random.choice(ACCENTS)
            read[at] = accented if random.random() < 0.5 else unicodedata.normalize("NFC", accented)
        return "".join(read)

    return damage


OLD_TYPE = [(r"v", "u"), (r"\bu", "v"), (r"U", "V"), (r"j", "i"), (r"J", "I"), (r"ae", "æ"), (r"oe", "œ")]
"""Letters, followed by those that an old print has for them."""


def set_in_old_type(text: str, random: Random) -> str:
    """Write text with the letters of old prints: v begins words and u is inside, i is also j, ae and oe are joined."""
    for modern, old in OLD_TYPE:
        text = re.sub(modern, old, text)
    return text


def respell(letters: Mapping[str, str], share: float) -> Damage:
    """Write the share `share` of some letters as others."""

    def damage(text: str, random: Random) -> str:
        return "".join(letters[char] if char in letters and random.random() < share else char for char in text)

    return damage


def in_turn(*damages: Damage) -> Damage:
    """Damage text in several ways, one after the other."""

    def damage(text: str, random: Random) -> str:
        for one in damages:
            text = one(text, random)
        return text

    return damage
