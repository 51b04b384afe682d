#!/usr/bin/env python3
"""Simulate the keys of 10^6 to 10^10 documents: what each stage of a run on Spark has to do, and its largest task.

usage: simulate_keys.py [--documents 1e6,1e7,1e8,1e9,1e10] [--bits 32,48] [--bytes 4000] [--cores 2016] [--seed N]
                        [--json FILE]

No documents are made. Families are those that `long_texts.py` makes: a number of families is drawn for each size, and
the large ones are the quantiles of their distribution. What members of a family share follows from the edits: each of
`BANDS` keys is equal with the probability that the scheme gives it. Keys of different texts are equal by chance: the
values of a band meet on 2^bits keys. What is connected by chance follows from a branching process over whole families;
a giant component emerges as soon as a family has more than one other on average. `test_cluster.py` compares all of this
with keys that are drawn one by one. The rounds of stars are those of a graph of at most `NODES` documents with the
same mean number of partners by chance, and of the largest family.

FILE is docs/guides/cluster.json, of which this program replaces the part `keys`.
"""

import argparse
import dataclasses
import math
import sys
from dataclasses import dataclass
from pathlib import Path

import long_texts
import numpy as np
import table
from numpy.typing import NDArray
from work_folder import ROOT

sys.path.insert(0, str(ROOT / "tools" / "docs"))

from planning.division import Division
from planning.keys import BANDS, Keys
from planning.stored import store

ROWS = 6
"""Minima of a band of the default scheme."""
WIDTH = 5
"""Words of a shingle."""
SINGLY = 1000
"""Families with more copies than this are counted one by one."""
NODES = 100_000
"""Number of documents of the graph whose rounds of stars are counted."""

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Mix:
    """The families of a corpus."""

    originals: int
    """All originals, also those without copies."""
    copies: Integers
    """Numbers of copies, more than 0."""
    families: Integers
    """The number of families with as many copies."""

    @property
    def documents(self) -> int:
        """Number of all documents."""
        return self.originals + int(self.copies @ self.families)

    @property
    def alone(self) -> int:
        """Number of documents without a copy."""
        return self.originals - int(self.families.sum())

    @property
    def nodes(self) -> Floats:
        """Mean number of different texts in the families of each size."""
        return np.asarray(1 + self.copies * (1 - long_texts.EXACT), dtype=np.float64)


def draw_mix(documents: float, chance: np.random.Generator) -> Mix:
    """Draw the families of about `documents` documents."""
    tail = long_texts.TAIL
    sizes = np.arange(1, SINGLY + 1)
    more = sizes**-tail - (sizes + 1.0) ** -tail
    beyond = (SINGLY + 1.0) ** -tail
    # The mean of a Pareto draw cut to an integer: the sum of the probabilities to reach each number.
    mean = float((sizes**-tail).sum()) + (SINGLY + 0.5) ** (1 - tail) / (tail - 1)
    originals = round(documents / (1 + long_texts.HAS_COPIES * mean))
    families = chance.binomial(originals, long_texts.HAS_COPIES)
    counts = chance.multinomial(families, [*more, beyond])
    # The large families are the quantiles of their distribution: a single draw of the largest would hide how it grows.
    ranks = (np.arange(counts[-1]) + 0.5) / max(1, counts[-1])
    large = (SINGLY + 1) * ranks ** (-1 / tail)
    return Mix(
        originals,
        np.concatenate([sizes, np.floor(large).astype(np.int64)]),
        np.concatenate([counts[:-1], np.ones(len(large), dtype=np.int64)]),
    )


def band_chances(points: int = 10_000) -> Floats:
    """Return the chance that an edited copy has the key of its original in one band, for as many degrees of editing."""
    edited = (np.arange(points) + 0.5) / points * long_texts.EDITED
    same = (1 - edited) ** WIDTH
    resemblance: Floats = same / (2 - same)
    return resemblance**ROWS


def find_giant(chance_partners: float, sizes: Floats, families: Floats) -> float:
    """Return the share of the different texts that chance connects to one component, 0 if there is none.

    `sizes` are the different texts of a family. A text is not in it if no chance partner of its family leads there.
    """
    weights = sizes * families / (sizes @ families)
    outside = 0.0
    for _ in range(10_000):
        before = outside
        outside = float(weights @ np.exp(-chance_partners * sizes * (1 - outside)))
        if abs(outside - before) < 1e-12:
            break
    return 1 - outside


def simulate(documents: float, bits: int, document_bytes: float, cores: int, chance: np.random.Generator) -> Keys:
    """Return what every stage has to do."""
    mix = draw_mix(documents, chance)
    count = mix.documents
    in_families = float(mix.nodes @ mix.families)
    edited = in_families - mix.families.sum()
    nodes = mix.alone + in_families
    bands = band_chances()
    # A key that an edited copy does not share with its original is a value of its own.
    values = nodes - edited * bands.mean()
    room = 2.0**bits
    taken = -room * math.expm1(-values / room)
    by_chance = float(chance.poisson(BANDS * values * values / 2 / room))
    links = BANDS * (nodes - taken)
    partners = BANDS * values / room
    met = -math.expm1(-partners)
    sizes, families = np.append(mix.nodes, 1.0), np.append(mix.families, mix.alone).astype(float)
    giant = find_giant(partners, sizes, families)
    mean = float(sizes**2 @ families) / nodes
    # Below the threshold, the largest family and what is connected to each of its members by chance.
    around = mean / (1 - partners * mean) if giant < 1e-9 else 0.0
    largest = max(giant * nodes, float(mix.nodes[mix.families > 0].max()) * (1 + partners * around))
    texts = in_families + mix.alone * met
    division = Division.of(count * document_bytes, cores)
    return Keys(
        documents=count,
        bits=bits,
        rows=BANDS * count,
        by_chance=by_chance,
        links=links,
        rounds=count_rounds(mix, partners, chance),
        texts=texts,
        # The leader of its family, and every partner by chance, most of which are excluded by their bitmaps.
        looks=edited + texts * partners,
        largest=largest,
        largest_family=float(mix.nodes[mix.families > 0].max()),
        homes=division.homes,
        parts=division.parts,
    )


def count_rounds(mix: Mix, partners: float, chance: np.random.Generator) -> int:
    """Return the rounds of stars that connect a sample of the graph, the largest family included."""
    whole = mix.documents
    sample = draw_mix(min(whole, NODES), chance)
    of = np.repeat(np.rint(sample.nodes).astype(np.int64), sample.families)
    largest = min(NODES, round(float(mix.nodes[mix.families > 0].max())))
    of = np.append(of, largest)
    first = np.concatenate([[0], np.cumsum(of)])[:-1]
    total = int(of.sum()) + sample.alone
    members = np.arange(int(of.sum()))
    original = np.repeat(first, of)
    label = chance.permutation(total)
    bands = band_chances()
    links = []
    for _ in range(BANDS):
        shares = (chance.random(len(members)) < chance.choice(bands, len(members))) | (members == original)
        # Of those that have the key of the original, all are linked with the one of the smallest number.
        least = np.full(total, total)
        np.minimum.at(least, original[shares], label[members[shares]])
        links.append(np.stack([label[members[shares]], least[original[shares]]], 1))
    met = chance.poisson(partners * total / 2)
    links.append(chance.integers(0, total, (met, 2)))
    return connect(np.concatenate(links))[1]


def connect(links: Integers) -> tuple[Integers, int]:
    """Connect links by stars as `stages/connect.rs` does; return every node with its root, and the number of rounds."""
    links = in_order(links)
    rounds = 0
    while True:
        links, small = star(links, smaller=True)
        links, large = star(np.concatenate([links, links[:, ::-1]]), smaller=False)
        rounds += 1
        if not small + large:
            return links, rounds


def star(links: Integers, *, smaller: bool) -> tuple[Integers, int]:
    """Tie the smaller neighbours of a node and itself, or the larger ones, to the smallest; count the changes."""
    links = np.unique(links, axis=0)
    starts = np.flatnonzero(np.append(len(links) > 0, links[1:, 0] != links[:-1, 0]))
    lengths = np.diff(np.append(starts, len(links)))
    node, other = links.T
    if smaller:
        least = np.repeat(other[starts], lengths)
        moved = other != least
        tied = np.concatenate([links[starts], np.stack([other[moved], least[moved]], 1)])
        return in_order(tied), int(moved.sum())
    least = np.repeat(np.minimum(other[starts], node[starts]), lengths)
    larger = other > node
    changes = int((larger & (least != node)).sum())
    return in_order(np.stack([other[larger], least[larger]], 1)), changes


def in_order(links: Integers) -> Integers:
    """Return links with the larger node first, without those of a node with itself."""
    ordered: Integers = np.sort(links, axis=1)[:, ::-1]
    several: Integers = ordered[ordered[:, 0] != ordered[:, 1]]
    return several


def show(found: list[Keys]) -> str:
    """Return a table of what was found."""
    names = [field.name for field in dataclasses.fields(Keys)]
    return table.lay_out([names, *([f"{getattr(keys, name):.3g}" for name in names] for keys in found)])


def main() -> None:
    """Parse the command line, simulate, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", default="1e6,1e7,1e8,1e9,1e10", help="sizes, by commas")
    parser.add_argument("--bits", default="32,48", help="bits of a key, by commas")
    parser.add_argument("--bytes", type=float, default=4000, help="of a document")
    parser.add_argument("--cores", type=int, default=2016)
    parser.add_argument("--seed", type=int, default=41)
    parser.add_argument("--json", type=Path, help="store the result in this file, instead of the last one")
    args = parser.parse_args()
    found = [
        simulate(float(size), int(bits), args.bytes, args.cores, np.random.default_rng(args.seed))
        for bits in args.bits.split(",")
        for size in args.documents.split(",")
    ]
    print(show(found))
    if args.json:
        store(args.json, "keys", found)


if __name__ == "__main__":
    main()
