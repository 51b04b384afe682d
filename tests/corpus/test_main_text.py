"""The main content of pages: what is kept, what is left out, and that the search for it is complete and bounded."""

import sys
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode

import neardup
from hostile_pages import PAGES
from neardup.corpus.content.outline import read_outline
from neardup.corpus.content.page import find_content
from neardup.corpus.extractors import NAMES
from neardup.corpus.markup import DEEP, FALLEN_BACK, extract_texts
from neardup.errors import DataError, EnvironmentFault, UsageError

TEXTS = {
    "en": [
        "The tide turns twice a day, and the harbour master writes both times on a slate beside the pump house.",
        "In winter the slate is taken inside, because chalk does not hold on wet stone and nobody reads it.",
        "Visitors who miss the ferry sleep in the loft above the smithy, where eleven beds stand in two rows.",
    ],
    "ko": [
        "물때는 하루에 두 번 바뀌고 항구 관리인은 두 시각을 모두 펌프실 문 옆의 돌판에 적어 둔다.",
        "겨울에는 젖은 돌에 분필이 묻지 않고 어둠 속에서 읽는 사람도 없으므로 돌판을 안으로 들여놓는다.",
        "배를 놓친 손님은 대장간 위 다락에서 자는데 지붕 아래에 침대 열한 개가 두 줄로 놓여 있다.",
    ],
    "ar": [
        "يتغير المد مرتين في اليوم ويكتب مدير الميناء الوقتين على اللوح بجانب باب غرفة المضخات.",
        "في الشتاء يدخل اللوح إلى الداخل لأن الطباشير لا يثبت على الحجر المبلل ولا أحد يقرؤه في الظلام.",
        "ينام الزوار الذين تفوتهم العبارة في العلية فوق محل الحداد حيث توجد أحد عشر سريرا في صفين.",
    ],
}
MENU = [f"menu{number}" for number in range(8)]
LINKS = [f"<a href='/{word}'>{word}</a>" for word in MENU]
RIGHTS = "frame words: copyright 2024 of the harbour, all rights reserved."


def semantic(body: str) -> str:
    menu = "".join(f"<li>{link}</li>" for link in LINKS)
    return f"<header><nav><ul>{menu}</ul></nav></header><main>{body}</main><footer><p>{RIGHTS}</p></footer>"


def columns(body: str) -> str:
    return (
        f"<div class=a><div class=b>{' '.join(LINKS)}</div><div class=c><div>{'<br>'.join(LINKS)}</div>"
        f"<div>{body}</div></div><div>{RIGHTS}</div></div>"
    )


def left_menu(body: str) -> str:
    return (
        f"<table><tr><td colspan=2>{' | '.join(LINKS)}</td></tr><tr><td>{'<br>'.join(LINKS)}</td><td>{body}</td></tr>"
        f"<tr><td colspan=2>{RIGHTS}</td></tr></table>"
    )


def right_menu(body: str) -> str:
    cells = "".join(f"<td>{link}</td>" for link in LINKS)
    return (
        f"<center><table><tr>{cells}</tr></table><table><tr><td><table><tr><td>{body}</td></tr></table></td>"
        f"<td><table><tr><td>{'<br>'.join(LINKS)}</td></tr></table></td></tr></table><hr><small>{RIGHTS}</small></center>"
    )


SKINS: list[Callable[[str], str]] = [semantic, columns, left_menu, right_menu]


def main_text(page: str) -> str:
    return " ".join(neardup.extract_main_text(page).split())


def article(language: str) -> str:
    first, *others = TEXTS[language]
    return f"<h1>1889</h1><p>{first}</p><h2>1890</h2>" + "".join(f"<p>{text}</p>" for text in others)


@pytest.mark.parametrize("language", TEXTS)
def test_an_article_is_the_same_text_in_every_frame(language: str) -> None:
    first, *others = TEXTS[language]
    expected = " ".join(["1889", first, "1890", *others])
    assert [main_text(skin(article(language))) for skin in SKINS] == [expected] * len(SKINS)


@pytest.mark.parametrize("skin", SKINS)
def test_answers_are_kept_without_their_buttons(skin: Callable[[str], str]) -> None:
    buttons = "<div class=x><a href='/r'>Reply here</a> <a href='/q'>Quote this</a></div>"
    answers = "".join(f"<div><div><p>{text}</p></div>{buttons}</div>" for text in TEXTS["en"])
    assert main_text(skin(f"<div>{answers}</div>")) == " ".join(TEXTS["en"])


@pytest.mark.parametrize("skin", SKINS)
def test_tables_of_data_lists_and_code_are_kept(skin: Callable[[str], str]) -> None:
    rows = "".join(f"<tr><td>{hour}:10</td><td>pier {hour}</td><td>daily</td></tr>" for hour in range(6, 12))
    body = f"<h1>Ferry</h1><p>{TEXTS['en'][0]}</p><table>{rows}</table><ul><li>no dogs<li>no cars</ul><pre>ls -l</pre>"
    found = main_text(skin(body))
    assert "6:10 pier 6 daily 7:10" in found
    assert found.endswith("no dogs no cars ls -l")


def test_a_page_of_links_keeps_them() -> None:
    links = "".join(f"<li><a href='/{number}'>entry number {number} of the index</a></li>" for number in range(40))
    found = main_text(semantic(f"<h1>Index</h1><ul>{links}</ul>"))
    assert "entry number 39 of the index" in found
    assert "menu3" not in found


def test_a_page_with_little_text_keeps_it() -> None:
    assert main_text(columns("<p>See you soon.</p>"))
    assert "Please log in" in main_text("<div class=login><p>Please log in</p><form><input></form></div>")
    assert neardup.extract_main_text("") == ""
    assert neardup.extract_main_text("plain words") == "plain words"
    assert neardup.extract_main_text("<frameset><frame src=a></frameset>") == ""


@pytest.mark.parametrize("language", TEXTS)
def test_a_box_with_more_sentences_is_not_taken_for_a_short_page(language: str) -> None:
    box = "".join(f"<p>{text}</p>" for text in TEXTS[language])
    lost = {"en": "Page not found", "ko": "페이지를 찾을 수 없습니다", "ar": "الصفحة غير موجودة"}[language]
    body = f"<h1>{lost}</h1><p>404</p><p>{lost}, 404.</p>"
    beside = f"<div><div>{' '.join(LINKS)}</div><div>{body}</div><div><h3>menu</h3>{box}</div></div>"
    table = f"<table><tr><td><h3>menu</h3>{box}</td><td>{body}</td></tr></table>"
    for page in (beside, table, f"<div>{body}</div><aside><h3>menu</h3>{box}</aside>"):
        assert f"{lost} 404" in main_text(page)
    # what the page marks as its content is taken alone
    assert main_text(f"<main>{body}</main><div><h3>menu</h3>{box}</div>") == f"{lost} 404 {lost}, 404."
    moved = f"<a href=/new>{lost}</a> 404"
    assert f"{lost} 404" in main_text(f"<main>{moved}</main><div><h3>menu</h3>{box}</div>")


def test_names_that_content_may_have_take_nothing_away() -> None:
    """Sections are named by their titles, and documents have boxes of their own."""
    body = "".join(
        f"<section id='{name}'><h2>{name}</h2><p>{text}</p></section>"
        for name, text in zip(("search-algorithms", "related-work", "next-steps"), TEXTS["en"], strict=True)
    )
    box = f"<div class=sidebar><p>{TEXTS['en'][1]}</p><p>{TEXTS['en'][2]}</p></div>"
    code = "<div class='language-python'><pre>print(1)</pre></div>"
    found = main_text(columns(body + box + code))
    assert found.endswith("print(1)")
    assert [found.count(text) for text in TEXTS["en"]] == [1, 2, 2]
    assert "search-algorithms" in found


def test_facts_about_a_text_are_left_out() -> None:
    post = f"""<article><h1>Tides</h1><div class=entry-meta>Posted on <a href=/d>May 3</a> by <a href=/a>Ana</a></div>
        <p>{TEXTS["en"][0]}</p><p class=tags><a href=/t>sea</a> <a href=/u>moon</a></p></article>
        <div class=comments><div class=comment-meta>Bo, May 4</div><p>{TEXTS["en"][1]}</p>
        <div class=comment-respond><p>Your address will not be published, and required fields are marked.</p>
        <form><label>Comment</label><textarea></textarea></form></div></div>"""
    assert [main_text(skin(post)) for skin in SKINS] == [f"Tides {TEXTS['en'][0]} {TEXTS['en'][1]}"] * len(SKINS)


def test_what_is_not_shown_is_left_out() -> None:
    hidden = "<div hidden>secret</div><div style='display: none'>secret</div><script>secret</script>"
    sign = "<h2>Tides<a class=headerlink href='#tides'>¶</a></h2>"
    assert main_text(f"<main>{hidden}{sign}<p>{TEXTS['en'][0]}</p></main>") == f"Tides {TEXTS['en'][0]}"


def naive_size(node: LexborNode) -> int:
    """Return the size of the shown text below a node, by one rule for each kind of node."""
    size = 0
    for child in node.iter(include_text=True):
        if child.tag == "-text":
            size += len(" ".join((child.text_content or "").split()).encode())
        elif child.tag not in ("script", "-comment") and "hidden" not in child.attributes:
            size += naive_size(child)
    return size


def test_the_outline_of_a_page_has_all_its_text_once() -> None:
    pieces = [
        *("<div>", "</div>", "<p>", "<b>", "</b>", "<a href=/x>", "</a>", "<ul><li>", "<td>", "<table>", "</table>")
    ]
    pieces += ["word ", "둘 ", "a sentence that is long enough to count as prose, whatever is around it. ", "<h2>"]
    pieces += ["<script>no</script>", "<div hidden>no</div>", "<!-- no -->", "<nav>", "</nav>", "<a href='#in'>"]
    for seed in range(200):
        random = Random(seed)
        page = "".join(random.choices(pieces, k=60))
        body = LexborHTMLParser(f"<body>{page}").body
        assert body is not None
        outline = read_outline(body)
        assert outline is not None
        for element in (*reversed(outline.elements), outline.root):
            element.total()
            amount = element.amount
            assert amount.size == naive_size(element.node), page
            assert 0 <= amount.linked <= amount.size
            assert amount.prose + amount.linked <= amount.size
            assert amount.weight <= amount.size
            assert all(element.first <= one.first <= one.end <= element.end for one in element.children)


@pytest.mark.parametrize("extractor", NAMES)
@pytest.mark.parametrize("name", PAGES)
def test_no_text_of_a_hostile_page_is_lost(name: str, extractor: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("neardup.corpus.simplify.FEW", 500)
    monkeypatch.setattr("neardup.corpus.markup.MOST", 500)
    [(whole, _, _)] = extract_texts([PAGES[name](3000)])
    [(text, reason, flaw)] = extract_texts([PAGES[name](3000)], extractor)
    assert reason is None
    assert flaw in (None, DEEP, FALLEN_BACK)
    assert ("last words" in (text or "")) == ("last words" in (whole or "")) or flaw is None


@pytest.mark.parametrize("name", PAGES)
def test_the_work_grows_with_the_page(name: str) -> None:
    small, large = (count_calls(PAGES[name](count)) for count in (300, 1200))
    assert large <= 5 * small + 2000


def count_calls(page: str) -> int:
    """Return the number of calls that the search for the content makes."""
    calls = 0

    def count(*_: Any) -> None:
        nonlocal calls
        calls += 1

    sys.setprofile(count)
    try:
        find_content(page)
    finally:
        sys.setprofile(None)
    return calls


def test_a_page_that_trafilatura_refuses_is_taken_by_auto(monkeypatch: pytest.MonkeyPatch) -> None:
    trafilatura = pytest.importorskip("trafilatura")
    page = semantic(article("en"))
    expected = extract_texts([page], "auto")[0].text
    assert extract_texts([page], "trafilatura")[0].flaw is None

    def fail(*_: object) -> str:
        raise RecursionError("too deep")

    for extract in (fail, lambda _: None):
        monkeypatch.setattr(trafilatura, "extract", extract)
        assert extract_texts([page], "trafilatura") == [(expected, None, FALLEN_BACK)]


def test_a_library_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "trafilatura", None)
    with pytest.raises(EnvironmentFault, match=r"pip install 'neardup\[trafilatura\]'"):
        extract_texts(["<p>a"], "trafilatura")
    monkeypatch.setitem(sys.modules, "neardup.corpus.content.page", None)
    with pytest.raises(EnvironmentFault, match=r"pip install 'neardup\[html\]'"):
        extract_texts(["<p>a"], "auto")
    with pytest.raises(UsageError, match="allowed are auto, resiliparse, trafilatura"):
        neardup.extract_main_text("<p>a", "readability")
    with pytest.raises(DataError, match="cannot be parsed"):
        neardup.extract_main_text("<p>\ud800")
