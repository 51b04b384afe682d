"""A browser, and what is asked of every page in it."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, NamedTuple

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

ROOT = Path(__file__).parent.parent

_WIDE = """
[...document.documentElement.scrollWidth > innerWidth ? document.querySelectorAll("main *") : []]
    .filter(one => one.getBoundingClientRect().right > innerWidth).map(one => one.outerHTML.slice(0, 200))
"""
"""What is too wide, where a page is wider than the screen."""


class Screen(NamedTuple):
    """What shows pages."""

    name: str
    width: int
    height: int
    scheme: Literal["light", "dark"]


SCREENS = [Screen("desk", 1280, 900, "light"), Screen("phone", 390, 844, "dark")]


@contextmanager
def run_browser() -> Iterator[Browser]:
    """Run Chromium: the one that is installed, or else Debian's, unpacked below .cache."""
    script = ROOT / "packaging" / "chromium.sh"
    done = subprocess.run([script, ROOT / ".cache" / "chromium"], stdout=subprocess.PIPE, encoding="utf-8", check=True)
    # its sandbox is not for root
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=done.stdout.strip(), args=arguments)
        yield browser
        browser.close()


@contextmanager
def open_page(browser: Browser, screen: Screen = SCREENS[0], *, scripts: bool = True) -> Iterator[Page]:
    """Give a page on a screen; in the end the browser had nothing to complain of."""
    complaints: list[str] = []
    size = ViewportSize(width=screen.width, height=screen.height)
    with browser.new_context(viewport=size, color_scheme=screen.scheme, java_script_enabled=scripts) as context:
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        yield page
    assert complaints == [], complaints


def check(page: Page, name: str = "") -> None:
    """See that everybody can use a page, and that it is no wider than what shows it.

    A page with a name is kept as a picture, where SCREENSHOTS names a folder.
    """
    faults = [(one["id"], one["nodes"][0]["html"]) for one in Axe().run(page).response["violations"]]
    assert faults == [], faults
    wide = page.evaluate(_WIDE)
    assert wide == [], wide
    folder = os.environ.get("SCREENSHOTS")
    if folder and name:
        width = page.viewport_size["width"] if page.viewport_size else 0
        page.screenshot(path=Path(folder) / f"{name}-{width}.png", full_page=True)


def press_until(page: Page, key: str, focused: str, most: int = 40) -> None:
    """Press a key until what a selector names has the focus."""
    for _ in range(most):
        if page.evaluate("selector => document.activeElement?.matches(selector)", focused):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{focused} is not reached by {most} times {key}")
