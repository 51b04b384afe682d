"""A browser, and what is asked of every page in it."""

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
"""What is too wide, where a page is wider than the screen."""


_FAULTS = """
axe.run({resultTypes: ["violations"]}).then(({violations}) => violations.map(one => [one.id, one.nodes[0].html]))
"""
"""What keeps somebody from using a page, and where."""


class Screen(NamedTuple):
    """What shows pages."""

    name: str
    width: int
    height: int
    scheme: Literal["light", "dark"]


SCREENS = [Screen("desk", 1280, 900, "light"), Screen("phone", 390, 844, "dark")]

FLOWS = [
    pytest.param(screen, id=screen.name, marks=[pytest.mark.deep("each page is looked at on every screen")][:place])
    for place, screen in enumerate(SCREENS)
]
"""On which screens a flow is gone through: by default on a desk, which looks at each page on a phone as well."""


ARGUMENTS = [
    "--headless",
    "--remote-debugging-port=0",
    # a page that comes out of this cache is not loaded, and so nobody is told that it was
    "--disable-back-forward-cache",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
    # the memory that containers give to be shared is small
    "--disable-dev-shm-usage",
    # its sandbox is not for root
    *(["--no-sandbox"] if os.geteuid() == 0 else []),
]


@contextmanager
def run_chromium() -> Iterator[str]:
    """Run Chromium, the one that is installed or else Debian's, unpacked below .cache; return its address."""
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
    """Wait until the browser has written where it listens."""
    end = monotonic() + PATIENCE
    # the port, and where it listens below that
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
    """Yield a page on a screen; in the end the browser had nothing to complain of."""
    complaints: list[str] = []
    size = ViewportSize(width=screen.width, height=screen.height)
    with browser.new_context(viewport=size, color_scheme=screen.scheme, java_script_enabled=scripts) as context:
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        yield page
    assert complaints == [], complaints


def check(page: Page, name: str = "") -> None:
    """See that everybody can use a page on every screen, and that it is no wider than what shows it.

    In the end its screen is what it was. A page with a name is kept as a picture, where SCREENSHOTS names a folder.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    own = page.viewport_size
    # its own screen is the last
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
    """Press a key until what a selector names has the focus."""
    for _ in range(most):
        if page.evaluate("selector => document.activeElement?.matches(selector)", focused):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{focused} is not reached by {most} times {key}")
