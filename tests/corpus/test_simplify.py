"""Pages that would cost a parser quadratic time are reduced to few attributes, choices and open elements."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
from resiliparse.parse.html import HTMLTree

from command import Cli
from hostile_pages import PAGES, PIECES, each
from neardup.corpus.markup import extract_texts
from neardup.corpus.simplify import ATTRIBUTES, DEPTH, FORMATTING, simplify_page

COUNT = 3000


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count small pages as large, so that tests are fast."""
    monkeypatch.setattr("neardup.corpus.simplify.FEW", 500)


def measure(page: str) -> tuple[int, int, int]:
    """Return the number of nodes that a parser makes of a page, their depth and the most attributes of a node."""
    nodes = deepest = depth = attributes = 0
    node: Any = HTMLTree.parse(page).document
    while node is not None:
        nodes += 1
        deepest = max(deepest, depth)
        attributes = max(attributes, len(getattr(node, "attrs", None) or ()))
        following = node.first_child
        depth += following is not None
        while following is None and node is not None:
            following = node.next
            if following is None:
                node = node.parent
                depth -= 1
        node = following
    return nodes, deepest, attributes


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("name", PAGES)
def test_a_tame_page_is_small_and_says_the_same(name: str) -> None:
    page = PAGES[name](COUNT)
    tamed = simplify_page(page).page
    nodes, depth, attributes = measure(tamed)
    # a parser adds some elements without tags, and repeats a few formatting elements in each block
    assert nodes <= 5 * (page.count("<") + page.count("&") + 10)
    assert depth <= DEPTH + 100
    assert attributes <= ATTRIBUTES + FORMATTING
    [(text, reason, _)] = extract_texts([page])
    assert reason is None
    hides = name in ("<", "</", "<!", "<?", "<template>", "<frameset>", "<table><td><template></td>")
    assert hides or ("first" in (text or "") and "last words" in (text or ""))


def test_any_mixture_of_tags_is_tame(monkeypatch: pytest.MonkeyPatch, *, deep: bool) -> None:
    monkeypatch.setattr("neardup.corpus.simplify.FEW", 300)
    monkeypatch.setattr("neardup.corpus.simplify.DEPTH", 60)
    for seed in range(2500 if deep else 250):
        random = Random(seed)
        pieces = random.sample(PIECES, random.randrange(1, 6))
        page = "".join(piece.replace("@", str(at)) for at in range(400) for piece in pieces)
        nodes, depth, attributes = measure(simplify_page(page).page)
        assert nodes <= 8 * (page.count("<") + page.count("&") + 10), pieces
        assert depth <= 160, pieces
        assert attributes <= ATTRIBUTES + FORMATTING, pieces


def test_real_pages_stay_as_they_are() -> None:
    """Omitted tags, formatting, long values, scripts and pictures, on pages of any length."""
    item = """<div class="card" data-k='{"a": "<b>"}'><h2><a href="/p/@?q=1">Title @</a></h2><p>Some <b class=x>b</b>
        and <font color=red>more</font><br>and <i class=x>others</i><ul><li>one<li>two <em>2</em><li>three</ul>
        <table><tr><td>a<td>b<tr><td><font size=2>c</font><td>d</table><dl><dt>x<dd>y<dt>z</dl><img src=@>
        <svg viewBox="0 0 1 1"><path d="M@"/><g><title>t</title></g></svg><select><option>a<option>b</select>
        <script>if (a < b && "</p>") { x = "<div>" }</script><!-- <div> --><style>a > b {}</style></div>"""
    for count in (3, 300, 1500):
        page = f"<!doctype html><html lang=en><body class=x>{each(count, item)}</body></html>"
        assert simplify_page(page) == (page, False)
    long = f'<p data-long="{"x" * 100_000}" style="{"a:b;" * 1000}">hello'
    assert simplify_page(long) == (long, False)


@pytest.mark.usefixtures("few")
def test_a_flat_page_keeps_its_lines_and_hides_scripts() -> None:
    page = f"{'<div>' * 2 * COUNT}<p>one</p><p>two &lt;b&gt;</p><script>var x = '<p>'</script><style>p</style>three"
    [(text, _, _)] = extract_texts([page], "auto")
    assert [line for line in (text or "").split("\n") if line] == ["one", "two <b>", "three"]


def test_a_page_of_attributes_is_read(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "attributes.html").write_text(f"<p {each(200_000, 'a@=1 ')}>hello", encoding="utf-8")
    assert "kept       1" in cli("dedup", tmp_path / "attributes.html", "-o", tmp_path / "out").stdout
