#!/usr/bin/env python3
"""Measure what each monthly sweep of a site costs, by the share of its pages that changed.

usage: monthly.py [--pages N] [--words N] [--html [--links N] [--main-content]] [--shares N,N]
       [--work DIR]

In the first sweep all pages are new. Each later one is made from the sweep before: of N percent of the pages, seven in
ten have an edited text, one in ten moved and changed, one in ten moved, and one in ten gave way to a page with another
URL and text. Every sweep is one `neardup sweep add`, measured as a whole process on two processors. Texts have --words
words; with --html they are in raw pages with a frame of --links links, from which each sweep takes the text, with
--main-content the text without the frame. Files are written below --work, and removed.
"""

import argparse
import json
import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import measure
import table
from index_texts import NEW, Texts
from tools import NEARDUP
from work_folder import work_folder

SHARES = (0, 1, 10)
LIMIT = 7_200.0
"""Maximum seconds of a sweep."""
HEAD = ["sweep", "pages", "steps", "new texts", "seconds", "CPU s", "pages/s", "peak MB", "store MB"]

Site = list[tuple[int, int]]
"""The pages: the number in the URL, and the number of the text."""


class Months:
    """The sweeps of one site; a sweep is kept as numbers, and its texts are made when it is written."""

    def __init__(self, pages: int, words: int, *, html: bool, links: int) -> None:
        self._texts = Texts(words)
        self._html = html
        menu = "".join(f'<a href="/{number}">Part {number} of the site</a> ' for number in range(links))
        self._frame = f"<nav>{menu}</nav>"
        self._edits: dict[int, int] = {}
        self._next = NEW
        self.site: Site = [(number, number) for number in range(pages)]

    def change(self, percent: int) -> None:
        """Change a share of the pages."""
        chance = random.Random(self._next)
        for at in chance.sample(range(len(self.site)), len(self.site) * percent // 100):
            url, text = self.site[at]
            self._next += 1
            if (fate := chance.randrange(10)) < 8:
                self._edits[self._next] = text
                self.site[at] = self._next if fate == 7 else url, self._next
            else:
                self.site[at] = self._next, text if fate == 8 else self._next

    def write(self, path: Path) -> None:
        """Write the pages as JSON lines."""
        with path.open("w", encoding="utf-8") as file:
            file.writelines(self._lines())

    def _lines(self) -> Iterator[str]:
        for url, number in self.site:
            text = self._text(number)
            record = {"url": f"http://site.example/{url % 1000}/{url}.html"}
            record |= (
                {"html": f"<title>{url}</title>{self._frame}<main><p>{text}</p></main>"}
                if self._html
                else {"text": text}
            )
            yield json.dumps(record, ensure_ascii=False) + "\n"

    def _text(self, number: int) -> str:
        if number not in self._edits:
            return self._texts.text(number)
        return f"{self._text(self._edits[number])} Revision {number - NEW}."


def main() -> None:
    """Print a row for every sweep."""
    arguments = argparse.ArgumentParser(usage=__doc__)
    arguments.add_argument("--pages", type=int, default=1_000_000)
    arguments.add_argument("--words", type=int, default=40)
    arguments.add_argument("--html", action="store_true")
    arguments.add_argument("--links", type=int, default=8)
    arguments.add_argument("--main-content", action="store_true")
    arguments.add_argument("--shares", default=",".join(map(str, SHARES)))
    arguments.add_argument("--work", type=work_folder, default="target/bench-monthly")
    options = arguments.parse_args()
    work, rows = options.work, [HEAD]
    shutil.rmtree(work / "store", ignore_errors=True)
    months = Months(options.pages, options.words, html=options.html, links=options.links)
    for month, percent in enumerate([None, *map(int, options.shares.split(","))]):
        if percent is not None:
            months.change(percent)
        months.write(work / "sweep.jsonl")
        table.say(f"adding sweep {month}")
        command = [str(NEARDUP), "sweep", "add", str(work / "store"), str(work / "sweep.jsonl"), "--json"]
        command += ["--date", f"{2000 + month}", *(["--html-field", "html"] if options.html else [])]
        command += ["--main-content"] if options.main_content else []
        cost = measure.run(command, 2, work, LIMIT)
        if cost.code != 0:
            raise SystemExit(f"{' '.join(command)}: code {cost.code}\n{cost.errors}")
        added = json.loads(cost.output)
        pages, kinds = added["pages"], added["kinds"] or {"new": added["pages"]}
        stored = sum(file.stat().st_size for file in (work / "store").rglob("*") if file.is_file())
        steps = sum(count for kind, count in kinds.items() if kind != "same")
        name = "first" if percent is None else f"{percent} % changed"
        figures = (f"{cost.wall:.1f}", f"{cost.cpu:.1f}", f"{pages / cost.wall:,.0f}")
        sizes = (f"{cost.peak / 1e6:,.0f}", f"{stored / 1e6:,.0f}")
        rows.append([name, f"{pages:,}", f"{steps:,}", f"{added['new_texts']:,}", *figures, *sizes])
        table.say(table.lay_out([HEAD, rows[-1]]))
    shutil.rmtree(work / "store")
    (work / "sweep.jsonl").unlink()
    print(table.lay_out(rows))


if __name__ == "__main__":
    main()
