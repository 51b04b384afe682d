"""The kinds of pages between two sweeps, compared with a slow oracle that compares every pair of pages."""

import random
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from hashlib import blake2b
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from neardup import plan_scheme
from neardup.corpus.pointers import Pointer
from neardup.sweeps.classification import classify_pages
from neardup.sweeps.evidence import LEAST_PART, Overlap, TextEvidence
from neardup.sweeps.kinds import KINDS, MOVES, NEAR, STUB, Kind, PageStep
from neardup.sweeps.moves import name_page
from neardup.sweeps.stubs import LITTLE

# here a text represents the set of its letters: "abc" and "abd" share two of four features
Pages = dict[str, str | None]


def overlap(one: str, other: str) -> Overlap:
    return Overlap(len(set(one) & set(other)), len(set(one)), len(set(other)))


class Letters:
    """Evidence that counts letters."""

    def near(self, old: Collection[str], new: Collection[str], least: Fraction) -> Iterable[tuple[str, str, Overlap]]:
        for one, other in product(old, new):
            if overlap(one, other).exact >= least:
                yield one, other, overlap(one, other)

    def contained(
        self, old: Collection[str], new: Collection[str], least: Fraction
    ) -> Iterable[tuple[str, str, Overlap]]:
        for one, other in product(old, new):
            found = overlap(one, other)
            smaller = min(found.left_size, found.right_size)
            if smaller >= LEAST_PART and found.shared >= least * smaller:
                yield one, other, found

    def tokens(self, text: str) -> list[str]:
        return list(text)

    def overlaps(self, pairs: Sequence[tuple[str, str]]) -> Iterable[Overlap]:
        return [overlap(one, other) for one, other in pairs]


def expected_steps(old: Pages, new: Pages) -> set[PageStep]:
    """Return the steps; repeatedly take the best of all pairs of pages."""
    steps = set()
    for url in old.keys() & new.keys():
        one, other = old[url], new[url]
        if one == other:
            steps.add(PageStep("same", url, url))
        else:
            steps.add(PageStep("changed", url, url, None if one is None or other is None else overlap(one, other)))
    vanished = {url: text for url, text in old.items() if url not in new}
    appeared = {url: text for url, text in new.items() if url not in old}

    def take(candidates: Iterable[tuple[object, str, str]], kind: Kind) -> None:
        for _, before, after in sorted(candidates):
            if before in vanished and after in appeared:
                one, other = vanished.pop(before), appeared.pop(after)
                counted = overlap(str(one), str(other)) if kind == "moved+changed" else None
                steps.add(PageStep(kind, before, after, counted))

    def kept(before: str, after: str) -> tuple[int, str, str]:
        one, other = name_page(before), name_page(after)
        tests = [one.path == other.path, (one.server, one.name) == (other.server, other.name), one.name == other.name]
        return [*tests, True].index(True), before, after

    pairs = list(product(vanished, appeared))
    equal = ((kept(*pair), *pair) for pair in pairs if vanished[pair[0]] == appeared[pair[1]] is not None)
    take(list(equal), "moved")

    names = [Counter(name_page(url).name for url in side) for side in (vanished, appeared)]
    near = []
    named = {
        (vanished[before], appeared[after])
        for before, after in product(vanished, appeared)
        if (name := name_page(before).name) == name_page(after).name != "" and all(side[name] == 1 for side in names)
    }
    groups = [
        {text: sorted(url for url, one in side.items() if one == text) for text in side.values()}
        for side in (vanished, appeared)
    ]
    for before, after in product(vanished, appeared):
        one, other = vanished[before], appeared[after]
        if one is None or other is None:
            continue
        value = overlap(one, other)
        if value.exact >= NEAR or (value.shared and value.exact >= NEAR / 2 and (one, other) in named):
            shared = {name_page(url).name for url in groups[0][one]} & {name_page(url).name for url in groups[1][other]}
            rank = -value.exact, not shared, groups[0][one][0], groups[1][other][0], kept(before, after)
            near.append((rank, before, after))
    take(near, "moved+changed")
    steps |= {PageStep("gone", url, None) for url in vanished} | {PageStep("new", None, url) for url in appeared}
    return steps


URLS = [
    f"{server}/{folder}{name}"
    for server in ("http://a", "http://B:80", "x:")
    for folder in ("", "f/")
    for name in ("one.html", "one.md", "two/", "index.html", "?q=1")
]
TEXTS = [None, "abc", "abd", "abcd", "xyz", "abxyz", "pqrstu", "pqrsvwxyzk"]
SWEEPS = st.dictionaries(st.sampled_from(URLS), st.sampled_from(TEXTS), max_size=14)


@given(SWEEPS, SWEEPS)
def test_pages_that_stay_at_their_urls_are_as_in_the_oracle(old: Pages, new: Pages) -> None:
    for url in old.keys() & new.keys():
        one, other = old[url], new[url]
        if one is None or other is None or overlap(one, other).exact < LITTLE:
            new[url] = one
    steps = classify_pages(old, new, Letters())
    assert sorted(step.old for step in steps if step.old is not None) == sorted(old)
    assert sorted(step.new for step in steps if step.new is not None) == sorted(new)
    assert {step.kind for step in steps} <= set(KINDS)
    assert set(steps) == expected_steps(old, new)


@given(SWEEPS, SWEEPS, st.sets(st.sampled_from(URLS)))
def test_every_page_has_one_step(old: Pages, new: Pages, stubs: set[str]) -> None:
    steps = classify_pages(old, new, Letters(), stubs=stubs)
    pages = [step for step in steps if step.kind != "replaced"]
    replaced = {step.new for step in steps if step.kind == "replaced"}
    # every page of the new sweep is the end of one step
    assert sorted(step.new for step in steps if step.new is not None) == sorted(new)
    # every page of the old sweep is the beginning of one, except stubs whose place a page or another stub took
    begun = Counter(step.old for step in pages if step.old is not None)
    assert set(begun.values()) <= {1}
    assert old.keys() - begun.keys() <= stubs & new.keys()
    assert begun.keys() <= old.keys()
    left = {step.old for step in pages if step.old != step.new}
    for step in steps:
        one, other = old.get(step.old or ""), new.get(step.new or "")
        counted = None if one is None or other is None else overlap(one, other)
        if step.kind == "moved":
            assert one == other is not None
        elif step.kind == "moved+changed":
            assert counted is not None
            assert step.overlap == counted
            assert counted.exact >= NEAR / 2
        elif step.kind == "replaced":
            assert step.old == step.new
            assert step.old in left | stubs
        if step.kind in MOVES:
            assert step.old not in stubs
            # a page leaves an address only with what it had
            assert (
                step.old not in new
                or step.old in replaced
                or step.old in {one.new for one in steps if one.kind in MOVES}
            )
    for url in old.keys() & new.keys() - stubs:
        one, other = old[url], new[url]
        if one == other:
            assert PageStep("same", url, url) in steps
        elif one is not None and other is not None and overlap(one, other).exact >= Fraction(1, 2):
            assert PageStep("changed", url, url, overlap(one, other)) in steps


@given(SWEEPS, SWEEPS, st.randoms())
def test_the_order_of_pages_changes_nothing(old: Pages, new: Pages, chance: random.Random) -> None:
    shuffled = [dict(chance.sample(list(pages.items()), len(pages))) for pages in (old, new)]
    assert classify_pages(shuffled[0], shuffled[1], Letters()) == classify_pages(old, new, Letters())


@given(SWEEPS)
def test_an_unchanged_sweep_has_only_the_same_pages(pages: Pages) -> None:
    assert {step.kind for step in classify_pages(pages, pages, Letters())} <= {"same"}


@given(SWEEPS, SWEEPS)
def test_moves_are_as_many_in_either_direction(old: Pages, new: Pages) -> None:
    there = Counter(step.kind for step in classify_pages(old, new, Letters()))
    back = Counter(step.kind for step in classify_pages(new, old, Letters()))
    # a text that comes to many addresses is a stub, and one that leaves them is not
    if STUB not in {
        step.remark for step in (*classify_pages(old, new, Letters()), *classify_pages(new, old, Letters()))
    }:
        assert (there["same"], there["moved"]) == (back["same"], back["moved"])


@pytest.mark.parametrize(
    ("old", "new", "steps"),
    [
        # one text at several places: each page moves to its own name
        (
            {"http://a/x.html": "abc", "http://a/y.html": "abc"},
            {"http://b/old/y.html": "abc", "http://b/old/x.html": "abc"},
            [("moved", "http://a/x.html", "http://b/old/x.html"), ("moved", "http://a/y.html", "http://b/old/y.html")],
        ),
        # a copy of a page that stays is new
        ({"http://a/x": "abc"}, {"http://a/x": "abc", "http://b/x": "abc"}, [("new", None, "http://b/x")]),
        # a quarter of the features is enough under the same name, but not under another
        ({"/a/x.txt": "abcde"}, {"/b/x.rst": "abfgh"}, [("moved+changed", "/a/x.txt", "/b/x.rst")]),
        ({"/a/x.txt": "abcde"}, {"/b/y.rst": "abfgh"}, [("new", None, "/b/y.rst"), ("gone", "/a/x.txt", None)]),
        # blank pages do not move
        ({"/a": None}, {"/b": None}, [("new", None, "/b"), ("gone", "/a", None)]),
        # the nearest text comes first, whatever the names are
        (
            {"/x": "abcd", "/y": "vwxyz"},
            {"/new/x": "abcz", "/new/z": "abcde"},
            [("moved+changed", "/x", "/new/z"), ("new", None, "/new/x"), ("gone", "/y", None)],
        ),
    ],
)
def test_cases(old: Pages, new: Pages, steps: list[tuple[str, str | None, str | None]]) -> None:
    found = {(step.kind, step.old, step.new) for step in classify_pages(old, new, Letters()) if step.kind != "same"}
    assert found == set(steps)


def letters(first: int, count: int) -> str:
    return "".join(map(chr, range(first, first + count)))


ONE, OTHER, THIRD, NOTE = (letters(at, count) for at, count in ((1000, 120), (2000, 150), (3000, 130), (4000, 9)))


@pytest.mark.parametrize(
    ("old", "new", "steps"),
    [
        # a page leaves a note, or a page of another text, or nothing but white space
        ({"/a": ONE}, {"/a": NOTE, "/b": ONE}, [("moved", "/a", "/b", None), ("replaced", "/a", "/a", STUB)]),
        ({"/a": ONE}, {"/a": THIRD, "/b": ONE}, [("moved", "/a", "/b", None), ("replaced", "/a", "/a", None)]),
        ({"/a": ONE}, {"/a": None, "/b": ONE}, [("moved", "/a", "/b", None), ("replaced", "/a", "/a", STUB)]),
        # a page that is rewritten stays, and so does one whose text is only near to that of a new page
        ({"/a": ONE}, {"/a": THIRD}, [("changed", "/a", "/a", None)]),
        (
            {"/a": ONE},
            {"/a": THIRD, "/b": ONE[:60] + OTHER[:60]},
            [("changed", "/a", "/a", None), ("new", None, "/b", None)],
        ),
        # beside a note, that is enough
        (
            {"/a": ONE},
            {"/a": NOTE, "/b": ONE[:60] + OTHER[:60]},
            [("moved+changed", "/a", "/b", None), ("replaced", "/a", "/a", STUB)],
        ),
        # pages exchange their addresses, in pairs or around
        (
            {"/a": ONE, "/b": OTHER},
            {"/a": OTHER, "/b": ONE},
            [("moved", "/a", "/b", None), ("moved", "/b", "/a", None)],
        ),
        (
            {"/a": ONE, "/b": OTHER, "/c": THIRD},
            {"/a": THIRD, "/b": ONE, "/c": OTHER},
            [("moved", "/a", "/b", None), ("moved", "/b", "/c", None), ("moved", "/c", "/a", None)],
        ),
        # a copy of a page that stays is new
        ({"/a": ONE}, {"/a": ONE + "z", "/b": ONE}, [("changed", "/a", "/a", None), ("new", None, "/b", None)]),
        # pages become one, at a new address or at an old one
        (
            {"/a": ONE, "/b": OTHER},
            {"/c": ONE + OTHER},
            [("moved+changed", "/b", "/c", None), ("gone", "/a", None, "merged into /c")],
        ),
        (
            {"/a": ONE, "/b": OTHER},
            {"/a": ONE + OTHER},
            [("changed", "/a", "/a", None), ("gone", "/b", None, "merged into /a")],
        ),
        (
            {"/a": ONE, "/b": OTHER},
            {"/a": ONE + OTHER, "/b": NOTE},
            [("changed", "/a", "/a", None), ("gone", "/b", None, "merged into /a"), ("replaced", "/b", "/b", STUB)],
        ),
        # a page that had the part before did not get it now
        (
            {"/a": ONE + OTHER, "/b": OTHER},
            {"/a": ONE + OTHER + "z"},
            [("changed", "/a", "/a", None), ("gone", "/b", None, None)],
        ),
        # a page becomes two
        (
            {"/a": ONE + OTHER},
            {"/b": ONE, "/c": OTHER},
            [("moved+changed", "/a", "/c", None), ("new", None, "/b", "split from /a")],
        ),
        (
            {"/a": ONE + OTHER},
            {"/a": OTHER, "/b": ONE},
            [("changed", "/a", "/a", None), ("new", None, "/b", "split from /a")],
        ),
        (
            {"/a": ONE + OTHER},
            {"/a": ONE + OTHER + "z", "/b": ONE},
            [("changed", "/a", "/a", None), ("new", None, "/b", None)],
        ),
        # many pages are replaced by one text: those that are nowhere are gone
        (
            {"http://h/a": ONE, "http://h/b": OTHER, "http://h/c": THIRD},
            {
                "http://h/a": ONE[:5] + NOTE,
                "http://h/b": ONE[:5] + NOTE,
                "http://h/c": ONE[:5] + NOTE,
                "http://h/d": OTHER,
            },
            [
                ("gone", "http://h/a", None, None),
                ("moved", "http://h/b", "http://h/d", None),
                ("gone", "http://h/c", None, None),
                *(("replaced", url, url, STUB) for url in ("http://h/a", "http://h/b", "http://h/c")),
            ],
        ),
        # the front page is a page, though others show it
        (
            {"http://h/": OTHER, "http://h/a": ONE, "http://h/b": ONE + "z", "http://h/c": ONE + "yz"},
            dict.fromkeys(["http://h/", "http://h/a", "http://h/b", "http://h/c"], THIRD),
            [
                ("changed", "http://h/", "http://h/", None),
                *(("gone", f"http://h/{name}", None, None) for name in "abc"),
                *(("replaced", f"http://h/{name}", f"http://h/{name}", STUB) for name in "abc"),
            ],
        ),
    ],
)
def test_pages_that_leave_something_behind(
    old: Pages, new: Pages, steps: list[tuple[str, str | None, str | None, str | None]]
) -> None:
    found = {(step.kind, step.old, step.new, step.remark) for step in classify_pages(old, new, Letters())}
    assert found == set(steps)


@pytest.mark.parametrize(
    ("new", "pointers", "steps"),
    [
        # of two equal texts the redirect decides, also through others and against the names
        ({"/x/a": ONE, "/y": ONE}, {"/a": "/y"}, [("moved", "/a", "/y", "redirect 301"), ("new", None, "/x/a", None)]),
        (
            {"/x/a": ONE, "/y": ONE},
            {"/a": "/b", "/b": "/y"},
            [("moved", "/a", "/y", "redirect 301"), ("new", None, "/x/a", None)],
        ),
        # a text with less in common than near ones is enough
        ({"/y": ONE[:30] + NOTE}, {"/a": "/y"}, [("moved+changed", "/a", "/y", "redirect 301")]),
        # a redirect to another page, or in a circle, is no move
        ({"/y": THIRD}, {"/a": "/y"}, [("gone", "/a", None, "redirect 301 to /y"), ("new", None, "/y", None)]),
        (
            {"/y": THIRD},
            {"/a": "/b", "/b": "/a"},
            [("gone", "/a", None, "redirect 301 to /b"), ("new", None, "/y", None)],
        ),
        # a page that stays is there, whatever it says
        ({"/a": ONE, "/y": ONE}, {"/a": "/y"}, [("same", "/a", "/a", None), ("new", None, "/y", None)]),
    ],
)
def test_pointers_decide(
    new: Pages, pointers: dict[str, str], steps: list[tuple[str, str | None, str | None, str | None]]
) -> None:
    known = {url: Pointer(target, "redirect 301") for url, target in pointers.items()}
    found = classify_pages({"/a": ONE}, new, Letters(), pointers=known)
    assert {(step.kind, step.old, step.new, step.remark) for step in found} == set(steps)


def test_stubs_are_no_pages() -> None:
    def classify(old: Pages, new: Pages) -> set[tuple[str, str | None, str | None, str | None]]:
        return {(one.kind, one.old, one.new, one.remark) for one in classify_pages(old, new, Letters(), stubs={"/a"})}

    # a stub does not move, its end is no page that is gone, and another wording is no change
    assert classify({"/a": NOTE}, {"/b": NOTE}) == {("gone", "/a", None, STUB), ("new", None, "/b", None)}
    assert classify({"/a": NOTE}, {"/a": NOTE + "z"}) == {("replaced", "/a", "/a", STUB)}
    assert classify({"/a": NOTE}, {"/a": ONE}) == {("new", None, "/a", None)}
    # the page comes back
    assert classify({"/a": NOTE, "/b": ONE}, {"/a": ONE, "/b": NOTE}) == {
        ("moved", "/b", "/a", None),
        ("replaced", "/b", "/b", STUB),
    }


@pytest.mark.parametrize(
    ("url", "server", "path", "name"),
    [
        ("http://Host.example:8080/a/Page.HTML#top", "host.example:8080", "/a/Page.HTML", "page"),
        ("https://me@host/a/b/index.html", "host", "/a/b/index.html", "b"),
        ("https://host/a/b/", "host", "/a/b/", "b"),
        ("https://host", "host", "", ""),
        ("https://host/index.php?id=5", "host", "/index.php?id=5", "?id=5"),
        ("repo:/docs/one.two.md", "", "/docs/one.two.md", "one.two"),
        ("docs/.hidden", "", "docs/.hidden", ".hidden"),
        ("한글/쪽.html", "", "한글/쪽.html", "쪽"),
        ("", "", "", ""),
        ("http://[bad/x", "[bad", "/x", "x"),
    ],
)
def test_names(url: str, server: str, path: str, name: str) -> None:
    assert name_page(url) == (server, path, name)


def test_the_core_counts_what_texts_share() -> None:
    texts = {
        "a": "one two three four five six",
        "b": "one two three four five six seven",
        "c": "!!!",
        "d": "other words",
    }
    evidence = TextEvidence(texts.__getitem__, str(plan_scheme("0.9")))
    assert (
        list(evidence.overlaps([("a", "b"), ("b", "a"), ("c", "c"), ("a", "d")] * 600))
        == [
            Overlap(2, 2, 3),
            Overlap(2, 3, 2),
            Overlap(0, 0, 0),
            Overlap(0, 2, 1),
        ]
        * 600
    )
    assert list(evidence.near(["a", "c", "d"], ["b", "c"], NEAR)) == [
        ("a", "b", Overlap(2, 2, 3)),
        ("c", "c", Overlap(0, 0, 0)),
    ]
    assert list(evidence.near([], ["b"], NEAR)) == []
    assert Overlap(2, 2, 3).exact == Fraction(2, 3)
    assert Overlap(0, 0, 0).exact == 1


def test_a_site_with_one_frame_costs_less_than_the_square() -> None:
    frame = " ".join(f"frame{word}" for word in range(100))
    own = [" ".join(f"page{page}word{word}" for word in range(60)) for page in range(600)]
    texts = {f"{page} {side}": f"{frame} {side} {own[page]}" for side in ("old", "new") for page in range(600)}
    old: Pages = {f"/{page}": f"{page} old" for page in range(600)}
    # names do not help to find a moved page
    new: Pages = {f"/{blake2b(str(page).encode()).hexdigest()}": f"{page} new" for page in range(600)}
    listed = 0

    class Watched(TextEvidence):
        def near(self, *asked: Any) -> Iterable[tuple[str, str, Overlap]]:
            nonlocal listed
            for found in super().near(*asked):
                listed += 1
                yield found

    steps = classify_pages(old, new, Watched(texts.__getitem__, str(plan_scheme())))
    pairs = [(old.get(str(step.old)), new.get(str(step.new))) for step in steps]
    assert sorted(pairs) == sorted((f"{page} old", f"{page} new") for page in range(600))
    assert listed < 20 * len(steps)


@pytest.mark.parametrize("left", ["login page", "soft 404"])
def test_a_site_that_answers_everywhere_alike_costs_less_than_the_square(left: str) -> None:
    count = 500
    asked = 0
    texts = {f"own {page}": " ".join(f"page{page}word{word}" for word in range(60)) for page in range(count)}
    old: Pages = {f"http://h/{page}": f"own {page}" for page in range(count)}
    new: Pages = {}
    for page in range(count):
        name = "login" if left == "login page" else f"missing {page}"
        wanted = "" if left == "login page" else f"The address /{page} is unknown."
        texts[name] = f"Please sign in to read this page, or go back to the start. {wanted}"
        new[f"http://h/{page}"] = name
        if page % 2:
            new[f"http://h/moved/{page}"] = f"own {page}"

    class Watched(TextEvidence):
        def overlaps(self, pairs: Sequence[tuple[str, str]]) -> Iterator[Overlap]:
            nonlocal asked
            asked += len(pairs)
            return super().overlaps(pairs)

        def near(self, *given: Any) -> Iterable[tuple[str, str, Overlap]]:
            nonlocal asked
            for found in super().near(*given):
                asked += 1
                yield found

    steps = classify_pages(old, new, Watched(texts.__getitem__, str(plan_scheme())))
    assert Counter((step.kind, step.remark) for step in steps) == {
        ("moved", None): count // 2,
        ("gone", None): count // 2,
        ("replaced", STUB): count,
    }
    assert asked < 2 * count
