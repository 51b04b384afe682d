"""A review in a browser, from its creation to the choice of a threshold.

It is labelled with the keyboard on a desktop screen and on a phone screen, and once without scripts.
"""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from browser import FLOWS, SCREENS, Screen, check, open_page
from command import PATIENCE
from neardup import Index
from neardup.review.review import Review
from neardup.review.sample import SampledPair
from reviewed import DOCS
from service_story import running


@pytest.fixture
def store(tmp_path: Path) -> Path:
    Index.create(tmp_path / "index").add(DOCS)
    return tmp_path


def next_pair(store: Path, who: str) -> SampledPair | None:
    return Review.open(store / "reviews/first").next_pair(who)


def address_of(service: str, pair: SampledPair | None) -> str:
    assert pair is not None
    return f"{service}/reviews/first/pair/{pair.number}"


@pytest.mark.parametrize("screen", FLOWS)
def test_a_review_is_labelled_with_the_keyboard_until_a_threshold_is_chosen(
    browser: Browser, store: Path, screen: Screen
) -> None:
    with running(store) as service, open_page(browser, screen) as page:
        page.goto(f"{service.address}/reviews")
        check(page, "reviews")
        page.get_by_label("Name").fill("first")
        page.get_by_label("Pairs of a stratum").fill("2")
        page.get_by_label("Width of a stratum").fill("0.1")
        page.get_by_role("button", name="Begin").click()
        expect(page.get_by_role("heading", name="Strata")).to_be_visible()
        check(page, "review-begun")

        page.get_by_role("link", name="Label pairs").click()
        page.get_by_label("Your name").fill("kim")
        check(page, "reviewer")
        page.keyboard.press("Enter")
        first = next_pair(store, "kim")
        expect(page).to_have_url(address_of(service.address, first))
        check(page, "pair")
        expect(page.get_by_text("resemblance")).to_be_hidden()
        page.keyboard.press("u")
        expect(page).not_to_have_url(address_of(service.address, first))
        page.keyboard.press("z")
        expect(page).to_have_url(address_of(service.address, first))

        while (pair := next_pair(store, "kim")) is not None:
            expect(page).to_have_url(address_of(service.address, pair))
            page.keyboard.press("d" if pair.resemblance >= 0.7 else "n")
            expect(page).not_to_have_url(address_of(service.address, pair))
        expect(page).to_have_url(f"{service.address}/reviews/first")
        expect(page.get_by_text("for precision 0.95").first).to_be_visible()
        check(page, "review")
        page.get_by_role("button", name="Draw more pairs").click()
        expect(page.get_by_role("link", name="Go on labelling")).to_be_visible(timeout=PATIENCE * 1000)
        check(page, "review-drawn")

        slider = page.get_by_role("slider")
        slider.focus()
        before = page.locator("[data-figure=pairs]").inner_text()
        for _ in range(10):
            page.keyboard.press("ArrowLeft")
        expect(page.locator("#shown")).to_have_text("0.7")
        expect(page.locator("[data-figure=precision]")).to_have_text("1")
        expect(page.locator("[data-figure=recall]")).to_have_text("1")
        assert page.locator("[data-figure=pairs]").inner_text() != before
        expect(page.locator("#own")).to_be_hidden()
        expect(page.locator(".point.chosen")).to_have_attribute("data-threshold", "0.7")
        page.reload()
        expect(page.locator("#shown")).to_have_text("0.7")
    assert {verdict for pair, verdict in Review.open(store / "reviews/first").verdicts().items()} == {True, False}


def test_keys_can_be_turned_off_and_do_not_interfere_with_fields(browser: Browser, store: Path) -> None:
    Review.create(store / "reviews/first", Index.open(store))
    with running(store) as service, open_page(browser, SCREENS[0]) as page:
        page.goto(f"{service.address}/reviews/first/reviewer")
        page.get_by_label("Your name").type("dnuz")
        page.keyboard.press("Enter")
        first = address_of(service.address, next_pair(store, "dnuz"))
        expect(page).to_have_url(first)
        page.get_by_label("label by key").uncheck()
        page.reload()
        page.keyboard.press("d")
        page.get_by_label("label by key").check()
        assert page.url == first
        page.keyboard.press("Control+d")
        page.keyboard.press("d")
        expect(page).not_to_have_url(first)
        expect(page).to_have_url(address_of(service.address, next_pair(store, "dnuz")))
        page.goto(first)
        expect(page.get_by_text("You said duplicate")).to_be_visible()
        expect(page.get_by_text("dnuz: duplicate")).to_be_visible()
        check(page, "pair-said")


def test_nothing_needs_a_script(browser: Browser, store: Path) -> None:
    with running(store) as service, open_page(browser, SCREENS[1], scripts=False) as page:
        page.goto(f"{service.address}/reviews")
        page.get_by_role("button", name="Begin").click()
        expect(page.get_by_role("heading", name="Strata")).to_be_visible(timeout=PATIENCE * 1000)
        page.get_by_role("link", name="Label pairs").click()
        page.get_by_label("Your name").fill("lee")
        page.get_by_role("button", name="On to the pairs").click()
        first = page.url
        page.get_by_role("button", name="duplicate").click()
        expect(page).not_to_have_url(first)
        page.get_by_role("button", name="undo").click()
        expect(page).to_have_url(first)
        page.goto(f"{service.address}/reviews/review-1")
        page.get_by_role("slider").fill("15")
        page.get_by_role("button", name="Show").click()
        expect(page.locator("#shown")).to_have_text("0.65")


@pytest.mark.parametrize("screen", FLOWS)
def test_the_downloaded_page_works_on_its_own(browser: Browser, store: Path, tmp_path: Path, screen: Screen) -> None:
    # the accessibility check takes longer with every pair on the page, so the sample is small
    review = Review.create(store / "reviews/first", Index.open(store), each=2, width="0.1")
    for pair in review.sample:
        review.label("kim", *pair.key, "duplicate" if pair.resemblance >= 0.7 else "not")
    with running(store) as service, open_page(browser, screen) as page:
        page.goto(f"{service.address}/reviews/first")
        with page.expect_download() as download:
            page.get_by_role("link", name="The review as one page").click()
        assert download.value.suggested_filename == "review-first.html"
        download.value.save_as(tmp_path / "mailed.html")
    with open_page(browser, screen) as page:
        page.goto((tmp_path / "mailed.html").as_uri())
        expect(page.get_by_role("heading", name="first")).to_have_css("font-weight", "500")
        page.locator("summary").first.click()
        check(page, "review-mailed")
