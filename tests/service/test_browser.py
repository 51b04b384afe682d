"""Search, clusters and pages over time in a browser, on a desktop screen and on a phone screen."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect
from test_survey import ALONE, BASE, changed, walk

from browser import FLOWS, Screen, check, open_page, press_until
from neardup import Document, Index
from neardup.sweeps import SweepStore
from service_story import Running, running

EVIL = "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
HOSTILE = [
    Document(f"{EVIL} {walk(9, 17)}", EVIL, "javascript:document.title='owned'", "2026-03-01"),
    Document(f"{EVIL} {changed(walk(9, 17), 3)}", "\u202e{{ 7 * 7 }}'\"", None, "2026-03-02"),
]
DOCUMENTS = [
    Document(BASE, "base", "https://quay.example/base", "2026-02-01"),
    Document(BASE, "copy", "https://quay.example/copy", "2026-03-01"),
    Document(changed(BASE, 39), "near", "https://quay.example/near", "2026-01-01"),
    Document(changed(BASE, 39, 0), "far"),
    Document(ALONE, "alone"),
    *HOSTILE,
]
FERRY, KILN = "https://quay.example/ferry", "https://quay.example/kiln"
SWEEPS = {
    "2026-01-01": {FERRY: BASE, KILN: ALONE},
    "2026-02-01": {FERRY: changed(BASE, 20), KILN: ALONE},
    "2026-03-01": {f"{FERRY}/new": changed(BASE, 20), KILN: ALONE, f"{FERRY}/copy": changed(BASE, 21)},
}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    store = tmp_path_factory.mktemp("store")
    Index.create(store / "index", parts=True).add(DOCUMENTS)
    with SweepStore.create(store / "sweeps") as sweeps:
        for date, pages in SWEEPS.items():
            sweeps.add([Document(text, url, url) for url, text in pages.items()], date)
    with running(store) as service:
        yield service


@pytest.mark.parametrize("screen", FLOWS)
def test_search(browser: Browser, service: Running, screen: Screen) -> None:
    with open_page(browser, screen) as page:
        page.goto(service.address)
        check(page, "search")
        page.get_by_label("a text of any length").fill("https://quay.example/base")
        press_until(page, "Tab", "button")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="1 result")).to_be_visible()
        check(page, "found")
        page.get_by_label("by", exact=True).select_option("resemblance")
        page.get_by_role("button", name="Search").click()
        expect(page.get_by_role("heading", name="3 near-duplicates")).to_be_visible()
        check(page, "near-duplicates")
        page.get_by_role("button", name="side by side").first.click()
        expect(page.get_by_role("heading", name="Side by side")).to_be_visible()
        check(page, "compare")
        page.go_back()
        page.get_by_role("link", name="near", exact=True).click()
        expect(page.get_by_role("heading", name="near", exact=True)).to_be_visible()
        check(page, "document")


def test_a_pasted_text_is_compared(browser: Browser, service: Running) -> None:
    with open_page(browser) as page:
        page.goto(service.address)
        page.get_by_label("a text of any length").fill(changed(BASE, 12))
        page.get_by_label("by", exact=True).select_option("containment")
        page.get_by_role("button", name="Search").click()
        expect(page.get_by_role("heading", name="4 near-duplicates")).to_be_visible()
        page.get_by_role("button", name="side by side").first.click()
        expect(page.get_by_text("the text that was given")).to_be_visible()
        expect(page.locator("del")).to_have_text("other12")
        expect(page.locator("ins")).to_have_text(BASE.split()[12])


@pytest.mark.parametrize("screen", FLOWS)
def test_a_cluster_is_split_and_confirmed(browser: Browser, service: Running, screen: Screen) -> None:
    with open_page(browser, screen) as page:
        page.goto(f"{service.address}/clusters")
        expect(page.get_by_role("heading", name="2 clusters")).to_be_visible()
        check(page, "clusters")
        # clusters are shown by the first words of their texts, with their names
        cluster = page.get_by_role("row").filter(has=page.get_by_text("base", exact=True))
        cluster.get_by_role("link").click()
        expect(page.get_by_role("heading", name="4 documents that belong together")).to_be_visible()
        check(page, "cluster")
        page.get_by_role("button", name="split here").first.click()
        expect(page.get_by_role("heading", name="Part 2: 2 documents")).to_be_visible()
        expect(page.get_by_text("anonymous: different")).to_be_visible()
        check(page, "split")
        page.get_by_role("button", name="take back").click()
        expect(page.get_by_role("heading", name="Part 2")).to_be_hidden()
        page.get_by_role("button", name="Confirm").click()
        expect(page.get_by_text("anonymous: duplicate")).to_have_count(3)
        page.get_by_role("link", name="All clusters").click()
        expect(cluster.get_by_text("confirmed")).to_be_visible()
        cluster.get_by_role("link").click()
        for _ in range(3):
            page.get_by_role("button", name="take back").first.click()
        expect(page.get_by_text("anonymous")).to_have_count(0)


@pytest.mark.parametrize("screen", FLOWS)
def test_a_page_over_time(browser: Browser, service: Running, screen: Screen) -> None:
    with open_page(browser, screen) as page:
        page.goto(f"{service.address}/pages")
        check(page, "pages")
        page.get_by_label("The URL of a page").fill(FERRY)
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name=FERRY)).to_be_visible()
        expect(page.get_by_role("row").filter(has_text="moved there")).to_have_count(1)
        check(page, "history")
        page.get_by_role("link", name="side by side").first.click()
        expect(page.locator("ins")).to_have_text("other20")
        page.go_back()
        page.get_by_role("link", name="Who else holds its text").click()
        expect(page.get_by_role("link", name=f"{FERRY}/copy")).to_be_visible()
        check(page, "contacts")


@pytest.mark.parametrize("screen", FLOWS)
def test_the_changes_of_all_pages(browser: Browser, service: Running, screen: Screen) -> None:
    with open_page(browser, screen) as page:
        page.goto(f"{service.address}/pages")
        page.get_by_role("link", name="What became of each page").click()
        expect(page.get_by_role("heading", name=re.compile(r"^\d+ steps?$"))).to_be_visible()
        check(page, "changes")
        page.get_by_label("kind").select_option("moved")
        page.get_by_role("button", name="Show").click()
        expect(page.get_by_role("heading", name="1 step", exact=True)).to_be_visible()
        page.get_by_role("link", name=f"{FERRY}", exact=True).first.click()
        expect(page.get_by_role("heading", name="Where it is now")).to_be_visible()


def test_hostile_documents_are_text(browser: Browser, service: Running) -> None:
    with open_page(browser) as page:
        page.goto(service.address)
        page.get_by_label("a text of any length").fill(HOSTILE[0].text)
        page.get_by_role("button", name="Search").click()
        expect(page.get_by_role("heading", name="1 result")).to_be_visible()
        page.locator(".results h3 a").click()
        expect(page.locator("main h1")).to_have_text(EVIL)
        check(page, "hostile")
        page.get_by_role("link", name="2 documents").click()
        page.get_by_role("link", name="side by side").first.click()
        expect(page.locator(".pair")).to_contain_text(EVIL)
        assert "owned" not in page.title()
        assert page.locator("main script, main img, a[href^=javascript]").count() == 0
