"""The page that compares the classics: its own counts, and the places of its parts."""

from collections.abc import Iterator
from itertools import combinations, permutations
from random import Random

import pytest

import neardup
from comparison.classics import LINES, lines
from comparison.page import PAGE, PARTS
from comparison.sets import SETS
from comparison.swaps import count_swaps
from neardup.evaluation.labels import read_labels
from pages import fill

TERMS = ("barge", "coal", "grain", "lock", "mill")


def rank(order: tuple[str, ...]) -> str:
    """Return a page with all terms, the first most often; all have the same idf, so this is the order of keywords."""
    return " ".join(f"{term} " * (len(order) - place) for place, term in enumerate(order))


def swaps(orders: list[tuple[str, ...]], n: int) -> Iterator[tuple[bool, bool, bool, bool]]:
    """Compare the first n terms of all pairs of orders.

    Yields for each pair whether the sets differ; whether they differ with equal sets of n - 1; whether in that case the
    terms n and n + 1 are swapped; and whether the sets are equal in another order.
    """
    for one, other in combinations(orders, 2):
        missed = set(one[:n]) != set(other[:n])
        edge = missed and set(one[: n - 1]) == set(other[: n - 1])
        swapped = edge and (one[n - 1], one[n]) == (other[n], other[n - 1])
        yield missed, edge, swapped, not missed and one[:n] != other[:n]


@pytest.mark.parametrize("n", [2, 3, 4])
def test_swaps_of_keywords_are_counted(n: int) -> None:
    orders = Random(1).sample(list(permutations(TERMS)), 40)
    pages = [neardup.Document(rank(order), str(number)) for number, order in enumerate(orders)]
    others = [neardup.Document(f"orchard{number} of pears", f"other {number}") for number in range(50)]
    # the last ten are duplicates of each other, but not of the rest
    clusters = [{"id": page.id, "cluster": "a" if number < 30 else "b"} for number, page in enumerate(pages)]
    labels = read_labels(clusters, at=None, margin=None, complete=False)
    expected = [row for group in (orders[:30], orders[30:]) for row in swaps(group, n)]
    found = count_swaps(labels, [*pages, *others], n)
    assert found == (len(expected), *(sum(column) for column in zip(*expected, strict=True)))
    assert all(found)


def test_parts_are_filled_in_between_their_marks() -> None:
    page = "by hand <!-- one -->old<!-- end of one --> more"
    filled = fill(page, {"one": "| \\1 |"})
    assert filled == "by hand <!-- one -->\n\n| \\1 |\n\n<!-- end of one --> more"
    assert fill(filled, {"one": "| \\1 |"}) == filled


@pytest.mark.parametrize(
    "page",
    ["<!-- one -->", "<!-- end of one --><!-- one -->", "<!-- one --><!-- one --><!-- end of one -->"],
)
def test_marks_that_are_not_in_the_page_once_are_refused(page: str) -> None:
    with pytest.raises(ValueError, match="each once"):
        fill(page, {"one": "text"})


def test_the_page_has_all_parts() -> None:
    fill(PAGE.read_text(encoding="utf-8"), dict.fromkeys(PARTS, ""))


def test_every_scheme_has_its_rows() -> None:
    page = PAGE.read_text(encoding="utf-8")
    overview, _, details = page.partition("<!-- end of overview -->")
    rows = [line.split(" | ") for line in overview.partition("<!-- overview -->")[2].splitlines() if " | " in line]
    assert [row[0] for row in rows[2:]] == [f"| {name}" for name in LINES]
    for place, labelled in enumerate(SETS, 1):
        section = details.partition(f"\n### {labelled.name}\n")[2].partition("\n### ")[0]
        listed = [line.split(" | ")[0] for line in section.splitlines() if " | " in line]
        assert listed[2:] == [f"| {name}" for name in lines(labelled)]
        assert [bool(row[place].strip("| ")) for row in rows[2:]] == [name in lines(labelled) for name in LINES]
