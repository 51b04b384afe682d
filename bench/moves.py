#!/usr/bin/env python3
"""Make labelled sweeps of sites whose pages leave something behind when they move.

usage: moves.py DATA SET OUT [SEED]

DATA/SET contains labelled sweeps (docs.jsonl.zst, transitions.jsonl.zst), such as win32_sweeps. The two sweeps with the
most pages in common are the site. OUT gets a folder for each way of moving, in the same layout, with sweeps 1 and 2:

  stubs      the old address says where the page is; the wording differs from page to page.
  soft404    the old address says that there is no such page, and names the address; some of these pages are gone.
  login      every old address has the login page.
  front      every old address has the front page of the site.
  swaps      two pages exchange their addresses.
  merges     two pages become one, at a new address or at that of one of them.
  splits     one page becomes two, at new addresses or one at the old one.
  edits      the page moves, and its text changes to a resemblance of 0.3 to 0.6; half of them leave a stub.
  few        five pages move, with stubs, soft 404s or the front page at their old addresses.

Each set is written twice: the second time, as stubs-framed and so on, with the same menu above and footer below every
text, stubs included.

`bench/sweeps.py OUT stubs soft404 ...` compares what neardup finds with the labels. Labels have the kind `replaced` for
an address that a page left and that has another text, and remarks such as "merged into URL".

The other pages are as in the set: most stay, some change, come and go. Besides, some are rewritten at their address
(resemblance below 0.15), and some new pages are much like one that stays. The same seed makes the same bytes.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple
from zlib import crc32

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "quality"))
from sets import read_records

CASES = 300
"""Number of pages of a set that move, unless the site is too small: then a third of its pages."""
FEW = 5
OTHERS = 40
"""Number of pages that are rewritten, and of those that are new, gone, and much like another page."""
LEAST = 40
"""Least number of words of a page that moves."""
SWEEPS = ("1", "2")


class Page(NamedTuple):
    """A page that is at one address in both sweeps, with its texts."""

    url: str
    old: str
    new: str


class Site:
    """The documents and the labels of a set."""

    def __init__(self) -> None:
        self.documents: dict[tuple[str, str], str] = {}
        self.steps: list[dict[str, str | None]] = []

    def step(
        self, kind: str, old: tuple[str, str] | None, new: tuple[str, str] | None, remark: str | None = None
    ) -> None:
        """Add a label, and the pages before and after, each as (URL, text)."""
        ids = []
        for sweep, page in zip(SWEEPS, (old, new), strict=True):
            if page is not None:
                url, text = page
                if self.documents.setdefault((sweep, url), text) != text:
                    raise ValueError(f"sweep {sweep} has two texts at {url}")
            ids.append(None if page is None else f"{page[0]}@{sweep}")
        step = {"from": SWEEPS[0], "to": SWEEPS[1], "kind": kind, "a": ids[0], "b": ids[1]}
        self.steps.append(step if remark is None else {**step, "remark": remark})

    def move(self, page: Page, url: str, text: str) -> None:
        """Label a move of a page to another address with a text."""
        self.step("moved" if text == page.old else "moved+changed", (page.url, page.old), (url, text))

    def leave(self, page: Page, text: str) -> None:
        """Put another text at the address that a page has left."""
        self.step("replaced", (page.url, page.old), (page.url, text))

    def write(self, folder: Path, frame: tuple[str, str] = ("", "")) -> None:
        """Write the documents and the labels; `frame` is what is above and below every text."""
        menu, footer = frame
        documents = (
            {"id": f"{url}@{sweep}", "url": url, "sweep": sweep, "text": f"{menu}{text}{footer}"}
            for (sweep, url), text in sorted(self.documents.items())
        )
        folder.mkdir(parents=True, exist_ok=True)
        for name, records in (("docs", documents), ("transitions", self.steps)):
            write_records(folder / f"{name}.jsonl.zst", records)


def write_records(path: Path, records: Sequence[object] | Iterator[object]) -> None:
    """Write a .jsonl.zst file."""
    import pyarrow

    with pyarrow.output_stream(str(path), compression="zstd") as file:
        for record in records:
            file.write(json.dumps(record, ensure_ascii=False).encode() + b"\n")


class Makings:
    """What sites are made of: the pages of a set, texts that are at no address, and a source of chance."""

    def __init__(self, folder: Path, seed: str) -> None:
        self.random = Random(seed)
        texts, urls = {}, {}
        for record in read_records(folder / "docs.jsonl.zst"):
            texts[record["id"]] = record["text"]
            urls[record["id"]] = re.sub(r"^\w+:/*", "http://site.example/", record["url"])
        labels = list(read_records(folder / "transitions.jsonl.zst"))
        [(sweep, _)] = Counter(one["from"] for one in labels if one["kind"] in ("same", "changed")).most_common(1)
        labels = [one for one in labels if one["from"] == sweep]
        pages = [
            Page(urls[one["a"]], texts[one["a"]], texts[one["b"]])
            for one in labels
            if one["kind"] in ("same", "changed")
        ]
        self.gone = [(urls[one["a"]], texts[one["a"]]) for one in labels if one["kind"] == "gone"]
        self.new = [(urls[one["b"]], texts[one["b"]]) for one in labels if one["kind"] == "new"]
        pages.sort()
        self.random.shuffle(pages)
        spare = max(len(pages) // 8, 3 * OTHERS)
        self.spare = [page.new for page in pages[:spare] if len(page.new.split()) >= LEAST]
        self.pages = pages[spare:]
        self.cases = min(CASES, len(self.pages) // 3)

    def text(self, lost: "Lookup") -> str:
        """Return a text that no page has, and that is not near to one of the lost texts."""
        while lost.has_near(text := self.spare.pop()):
            pass
        return text

    def address(self, url: str) -> str:
        """Return a new address: most pages keep their name, and some part of their path."""
        server, _, path = url.partition("://")[2].partition("/")
        *folders, name = path.split("/")
        way = self.random.random()
        if way < 0.2:
            name = f"{self.random.getrandbits(40):x}"
        elif way < 0.4:
            name = re.sub(r"\.\w+$", "", name).replace("-", "_") + ".html"
        folder = self.random.choice(["archive", "library", "docs/v2", "learn", "reference/all"])
        moved = folders[:-1] if way < 0.7 else folders
        server = "new.example" if self.random.random() < 0.2 else server
        return "/".join(["http:/", server, folder, *moved, name])


@cache
def shingles(text: str) -> frozenset[int]:
    """Return the hashes of the 5-shingles of a text."""
    words = re.findall(r"\w+", text.lower())
    return frozenset(crc32(" ".join(words[at : at + 5]).encode()) for at in range(max(len(words) - 4, 1)))


def resemblance(one: str, other: str) -> float:
    left, right = shingles(one), shingles(other)
    return len(left & right) / len(left | right)


class Lookup:
    """Texts by their shingles."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.texts = [shingles(text) for text in texts]
        self.places: dict[int, list[int]] = {}
        for place, own in enumerate(self.texts):
            for shingle in own:
                self.places.setdefault(shingle, []).append(place)

    def has_near(self, text: str) -> bool:
        """Return whether one of the texts is near: who wrote the label could not have called a page new beside it."""
        own = shingles(text)
        shared = Counter(place for shingle in own for place in self.places.get(shingle, ()))
        return any(4 * count >= len(own | self.texts[place]) for place, count in shared.items())


def edit(text: str, makings: Makings, least: float, most: float) -> str:
    """Replace sentences until the resemblance is between `least` and `most`."""
    chance = makings.random
    parts = re.split(r"(?<=[.!?:;,])\s+|\n+", text)
    others = [part for part in re.split(r"(?<=[.!?])\s+|\n+", chance.choice(makings.spare)) if len(part.split()) > 2]
    order = chance.sample(range(len(parts)), len(parts))
    step = len(parts) // 20 + 1
    for start in range(0, len(parts), step):
        for at in order[start : start + step]:
            parts[at] = chance.choice(others or [""])
        value = resemblance(text, edited := "\n".join(parts))
        if value <= most:
            return edited if value >= least else text
    return text


MOVES = (
    "This page has moved to {to}.",
    "Moved: {to}. Please update your bookmarks.",
    "{title} is now part of our new site. Follow {to} to read it.",
    "The document {name} can be found at its new address, {to}, from now on.",
    "We have reorganised our pages. You will be taken to {to} in a few seconds. If nothing happens, click the link.",
    "301 {to}",
    "Looking for {title}? It lives at {to} today. The old address will be switched off at the end of the year.",
    "Continue to {to}",
    "This content is no longer maintained here; see {to} for the current version of {title}.",
)
SOFT_404 = (
    "Page not found. We are sorry, there is no page at {old} on this server. It may have been moved or deleted. "
    "Try the search, or go back to the start page.",
    "404 - Nothing here. The address {old} does not exist any more. Home | Contact | Help",
    "Oops! {title} could not be found. Please check the spelling of {old} and try again, or write to the webmaster.",
)
LOGIN = (
    "Sign in. You have to log in before you can continue. User name. Password. Keep me signed in on this computer. "
    "Forgot your password? Create an account. By signing in you accept the terms of use and the privacy statement."
)

FRAME = (
    "".join(f"Menu entry {at} leads to part {7 * at} of this site.\n" for at in range(12)),
    "".join(f"\nFooter line {at}: office {3 * at}, street {5 * at}." for at in range(10)),
)
"""A menu and a footer of about 130 words."""


def fill(wording: str, page: Page, target: str = "") -> str:
    """Put the addresses, the name and the title of a page into a wording."""
    title = " ".join(re.findall(r"[\w:.]+", page.old)[:6])
    return wording.format(to=target, old=page.url, title=title, name=page.url.rpartition("/")[2])


def stubs(site: Site, pages: Sequence[Page], makings: Makings) -> None:
    for page in pages:
        target = makings.address(page.url)
        site.move(page, target, page.new)
        site.leave(page, fill(makings.random.choice(MOVES), page, target))


def soft404(site: Site, pages: Sequence[Page], makings: Makings) -> None:
    wording = makings.random.choice(SOFT_404)
    for number, page in enumerate(pages):
        if number % 6:
            site.move(page, makings.address(page.url), page.new)
        else:
            site.step("gone", (page.url, page.old), None)
        site.leave(page, fill(wording, page))


def login(site: Site, pages: Sequence[Page], makings: Makings) -> None:
    site.step("new", None, ("http://site.example/login", LOGIN))
    for page in pages:
        site.move(page, makings.address(page.url), page.new)
        site.leave(page, LOGIN)


def front(site: Site, pages: Sequence[Page], makings: Makings) -> None:
    titles = [" ".join(page.old.split()[:9]) for page in makings.pages[:40]]
    old, new = ("Welcome to our site. News and articles:\n" + "\n".join(titles[at:]) for at in (0, 8))
    site.step("changed", ("http://site.example/", old), ("http://site.example/", new))
    for page in pages:
        site.move(page, makings.address(page.url), page.new)
        site.leave(page, new)


def swaps(site: Site, pages: Sequence[Page], _: Makings) -> None:
    for one, other in zip(pages[::2], pages[1::2], strict=False):
        site.move(one, other.url, one.new)
        site.move(other, one.url, other.new)


def merges(site: Site, pages: Sequence[Page], makings: Makings) -> None:
    for number, (one, other) in enumerate(zip(pages[::2], pages[1::2], strict=False)):
        larger, smaller = sorted((one, other), key=lambda page: -len(shingles(page.old)))
        parts = [larger.new, smaller.new]
        makings.random.shuffle(parts)
        text = "\n\n".join(parts)
        if number % 3:
            target = makings.address(larger.url)
            site.move(larger, target, text)
        else:
            target = larger.url
            site.step("changed", (target, larger.old), (target, text))
        site.step("gone", (smaller.url, smaller.old), None, f"merged into {target}")
        if number % 4 == 1:
            for page in (larger, smaller)[target == larger.url :]:
                site.leave(page, fill(makings.random.choice(MOVES), page, target))


def splits(site: Site, pages: Sequence[Page], makings: Makings) -> None:
    for number, page in enumerate(pages):
        words = re.findall(r"\s*\S+", page.new)
        cut = int(len(words) * makings.random.uniform(0.25, 0.42))
        if makings.random.random() < 0.5:
            cut = len(words) - cut
        smaller, larger = sorted(("".join(words[:cut]), "".join(words[cut:])), key=lambda text: len(shingles(text)))
        if number % 3:
            site.move(page, makings.address(page.url), larger)
        else:
            site.step("changed", (page.url, page.old), (page.url, larger))
        site.step("new", None, (makings.address(page.url) + "/part", smaller), f"split from {page.url}")
        if number % 6 == 1:
            site.leave(page, fill(makings.random.choice(MOVES), page, page.url))


def edits(site: Site, pages: Sequence[Page], makings: Makings) -> None:
    for number, page in enumerate(pages):
        text = edit(page.old, makings, 0.3, 0.6)
        target = makings.address(page.url)
        site.move(page, target, text)
        if number % 2:
            site.leave(page, fill(makings.random.choice(MOVES), page, target))


def few(site: Site, pages: Sequence[Page], makings: Makings) -> None:
    makings.random.choice([stubs, soft404, front])(site, pages[:FEW], makings)
    for page in pages[FEW:]:
        site.step("same", (page.url, page.old), (page.url, page.old))


WAYS: dict[str, Callable[[Site, Sequence[Page], Makings], None]] = {
    way.__name__: way for way in (stubs, soft404, login, front, swaps, merges, splits, edits, few)
}
PAIRED = ("swaps", "merges")
"""Ways for which a case is of two pages."""


def make(folder: Path, way: str, seed: str) -> Site:
    """Make a site whose pages move in one way, from the labelled sweeps in a folder."""
    makings, site = Makings(folder, f"{way} {seed}"), Site()
    count = makings.cases * (2 if way in PAIRED and makings.cases == CASES else 1)
    can_move = [
        page for page in makings.pages if len(page.old.split()) >= LEAST and resemblance(page.old, page.new) >= 0.7
    ]
    moving = can_move[:count]
    WAYS[way](site, moving, makings)
    moved = {page.url for page in moving}
    others = [page for page in makings.pages if page.url not in moved]
    appeared = Lookup(text for _, text in makings.new)
    gone = [page for page in others[: 2 * OTHERS] if not appeared.has_near(page.old)][:OTHERS]
    rewritten, alike, *_ = (others[at : at + OTHERS] for at in range(2 * OTHERS, 4 * OTHERS, OTHERS))
    lost = Lookup([page.old for page in [*moving, *gone, *rewritten]] + [text for _, text in makings.gone])
    texts = {page.url: makings.text(lost) for page in rewritten}
    for page in gone:
        site.step("gone", (page.url, page.old), None)
    for page in sorted({*others} - {*gone}):
        text = texts.get(page.url, page.new)
        site.step("same" if page.old == text else "changed", (page.url, page.old), (page.url, text))
    for page in alike:
        text = edit(page.old, makings, 0.3, 0.8)
        if text != page.old and not lost.has_near(text):
            site.step("new", None, (f"{page.url}-more", text))
    for number in range(OTHERS):
        site.step("new", None, (f"http://site.example/new/{number}", makings.text(lost)))
    for url, text in makings.gone:
        site.step("gone", (url, text), None)
    for url, text in makings.new:
        site.step("new", None, (url, text))
    return site


def main() -> None:
    """Write a set for each way of moving."""
    if len(sys.argv) not in (4, 5):
        raise SystemExit(__doc__)
    data, name, output, *seed = sys.argv[1:]
    for way in WAYS:
        site = make(Path(data) / name, way, *(seed or ["1"]))
        site.write(Path(output) / way)
        site.write(Path(output) / f"{way}-framed", FRAME)


if __name__ == "__main__":
    main()
