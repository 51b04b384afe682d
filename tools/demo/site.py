"""Make four sweeps of a site from the texts of the demo, in which pages change some lines, move or disappear."""

import shutil
import sys
from pathlib import Path
from random import Random

from neardup import Document
from neardup.sweeps import SweepStore

DATES = ("2026-01-01", "2026-04-01", "2026-07-01", "2026-10-01")
PAGES = 60
LENGTH = 6000
"""Characters of a page."""
ADDED = "This line was added when somebody read the page again."


def make(texts: Path, target: Path) -> None:
    """Replace `target` by the sweeps of a site whose pages are some of the texts."""
    shutil.rmtree(target, ignore_errors=True)
    random = Random(7)
    files = sorted(path for path in texts.rglob("*") if path.is_file())
    chosen = random.sample(files, min(PAGES, len(files)))
    pages = {
        f"https://packages.example/{path.parent.name}/{path.stem}": path.read_text(encoding="utf-8")[:LENGTH]
        for path in sorted(chosen)
    }
    with SweepStore.create(target) as store:
        for date in DATES:
            store.add([Document(text, url, url) for url, text in pages.items()], date)
            pages = dict(filter(None, (_next_version(random, url, text) for url, text in pages.items())))


def _next_version(random: Random, url: str, text: str) -> tuple[str, str] | None:
    """Return URL and text of a page in the next sweep, or None if it disappears."""
    draw = random.random()
    if draw < 0.05:
        return None
    if draw < 0.20:
        url = url.replace("packages.example/", "packages.example/archive/", 1)
    if 0.15 < draw < 0.50:
        lines = text.splitlines()
        for _ in range(random.choice((1, 3, 12))):
            lines.insert(random.randrange(len(lines) + 1), ADDED)
            del lines[random.randrange(len(lines))]
        text = "\n".join(lines)
    return url, text


if __name__ == "__main__":
    make(Path(sys.argv[1]), Path(sys.argv[2]))
