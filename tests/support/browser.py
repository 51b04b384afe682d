"""A browser, and the checks that every page must pass in it."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Literal, NamedTuple

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from command import PATIENCE

ROOT = Path(__file__).parents[2]

_WIDE = """
[...document.documentElement.scrollWidth > innerWidth ? document.querySelectorAll("main *") : []]
    .filter(one => one.getBoundingClientRect().right > innerWidth).map(one => one.outerHTML.slice(0, 200))
"""
"""Script that returns the elements that are too wide, if the page is wider than the screen."""


_FAULTS = """
axe.run({resultTypes: ["violations"]}).then(({violations}) => violations.map(one => [one.id, one.nodes[0].html]))
"""
"""Script that returns the accessibility faults of a page, each with its first element."""


class Screen(NamedTuple):
    """A screen that shows pages."""

    name: str
    width: int
    height: int
    scheme: Literal["light", "dark"]


SCREENS = [Screen("desk", 1280, 900, "light"), Screen("phone", 360, 780, "dark")]

FLOWS = [
    pytest.param(screen, id=screen.name, marks=[pytest.mark.deep("`check` shows each page on every screen")][:place])
    for place, screen in enumerate(SCREENS)
]
"""Screens on which a flow of pages runs: by default a desk, on which `check` also shows each page as on a phone."""


ARGUMENTS = [
    "--headless",
    "--remote-debugging-port=0",
    # a page from this cache fires no load event
    "--disable-back-forward-cache",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
    # containers have little shared memory
    "--disable-dev-shm-usage",
    # the sandbox does not run as root
    *(["--no-sandbox"] if os.geteuid() == 0 else []),
]


@contextmanager
def run_chromium() -> Iterator[str]:
    """Run Chromium and yield its address: the installed one, or else Debian's, unpacked below .cache."""
    script = ROOT / "packaging" / "chromium.sh"
    done = subprocess.run([script, ROOT / ".cache" / "chromium"], stdout=subprocess.PIPE, encoding="utf-8", check=True)
    with TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [done.stdout.strip(), *ARGUMENTS, f"--user-data-dir={profile}", "about:blank"]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                yield f"http://127.0.0.1:{read_port(process, Path(profile) / 'DevToolsActivePort')}"
            finally:
                process.terminate()


def read_port(process: subprocess.Popen[bytes], path: Path) -> int:
    """Wait until the browser has written the port that it listens on, and return it."""
    end = monotonic() + PATIENCE
    # the file contains the port and a path
    while len(words := path.read_text().split() if path.exists() else []) < 2:
        assert process.poll() is None, f"the browser ended with {process.returncode}"
        assert monotonic() < end
        sleep(0.02)
    return int(words[0])


@contextmanager
def connect(address: str) -> Iterator[Browser]:
    """Connect to a browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.connect_over_cdp(address)
        yield browser
        browser.close()


@contextmanager
def open_page(browser: Browser, screen: Screen = SCREENS[0], *, scripts: bool = True) -> Iterator[Page]:
    """Yield a page on a screen, and check at the end that the browser reported no errors."""
    complaints: list[str] = []
    size = ViewportSize(width=screen.width, height=screen.height)
    with browser.new_context(viewport=size, color_scheme=screen.scheme, java_script_enabled=scripts) as context:
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        yield page
    assert complaints == [], complaints


def check(page: Page, name: str = "") -> None:
    """Check on every screen that a page is accessible and no wider than the screen.

    Afterwards the page has its own screen again. If SCREENSHOTS names a folder, a page with a name is saved there as a
    picture.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    own = page.viewport_size
    # the page's own screen comes last
    for screen in sorted(SCREENS, key=lambda screen: {"width": screen.width, "height": screen.height} == own):
        page.set_viewport_size(ViewportSize(width=screen.width, height=screen.height))
        page.emulate_media(color_scheme=screen.scheme)
        faults = page.evaluate(_FAULTS)
        assert faults == [], (screen.name, faults)
        wide = page.evaluate(_WIDE)
        assert wide == [], (screen.name, wide)
    folder = os.environ.get("SCREENSHOTS")
    if folder and name:
        width = own["width"] if own else 0
        page.screenshot(path=Path(folder) / f"{name}-{width}.png", full_page=True)


def press_until(page: Page, key: str, focused: str, most: int = 40) -> None:
    """Press a key until an element that matches the selector `focused` has the focus."""
    for _ in range(most):
        if page.evaluate("selector => document.activeElement?.matches(selector)", focused):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{focused} is not reached by {most} times {key}")
