"""Pages that move on sites whose pages all have the same frame."""

from pathlib import Path
from random import Random

import pytest

from crawls import crawl
from month import write_text
from neardup.sweeps import SweepStore
from neardup.sweeps.frames import FEWEST, MOST, choose_beside

SITE = "http://framed.example"
MENU = " ".join(f"menu{at}" for at in range(80))
FOOTER = " ".join(f"footer{at}" for at in range(60))


def framed(text: str) -> str:
    return f"{MENU}\n{text}\n{FOOTER}"


def site(count: int) -> dict[str, str]:
    return {f"{SITE}/{at:03}": framed(write_text(f"page {at}", 60)) for at in range(count)}


@pytest.mark.parametrize("count", [FEWEST + 5, MOST + 60])
def test_stubs_in_a_frame_are_no_versions_of_the_pages_that_left(count: int, tmp_path: Path) -> None:
    """Three pages move and leave a notice in the frame, one is rewritten, and all others stay."""
    old = site(count)
    urls = Random(count).sample(sorted(old), 4)
    new = dict(old)
    for at, url in enumerate(urls[:3]):
        new[f"{SITE}/moved/{at}"] = old[url]
        new[url] = framed(f"This page has moved to {SITE}/moved/{at}.")
    new[urls[3]] = framed(write_text("another story", 60))
    with SweepStore.create(tmp_path / "store") as store:
        store.add(crawl(old), "2026-01")
        kinds = store.add(crawl(new), "2026-02").kinds or {}
        assert {kind: number for kind, number in kinds.items() if number} == {
            "same": count - 4,
            "changed": 1,
            "moved": 3,
            "replaced": 3,
        }
        assert store.locate(urls[0])[0].url == f"{SITE}/moved/0"
        # the stated resemblance counts the frame
        rewritten = store.history(urls[3])[-1]
        assert rewritten.overlap
        assert rewritten.overlap.shared >= 130


def test_pages_are_looked_for_beside_the_few_that_differ() -> None:
    many = [f"http://many.example/{at:04}" for at in range(MOST)]
    few = [f"http://few.example/{at}" for at in range(3)]
    some = [f"http://some.example/{at:03}" for at in range(40)]
    assert choose_beside([*many, *few, *some]) == [*few, *some[::3]]
