"""A month of one site: WARC files of four weekly crawls, and what became of its pages."""

import re
from base64 import b32encode
from hashlib import sha1
from pathlib import Path
from random import Random

SITE = "https://harbour.example"
BLOG = "https://blog.example/ferries"
DATES = ("2026-11-01", "2026-11-08", "2026-11-15", "2026-11-22")
WORDS = (
    "anchor barge beacon berth bollard bow breeze buoy cabin captain cargo channel chart coast compass crane crew "
    "current deck dock engine ferry flag fleet fog gale gangway gull harbour hatch hold hull island jetty keel "
    "knot ladder lamp ledger lighthouse lock mast mate mooring net oar pier pilot port pump quay rail reef rope "
    "rudder sail salt shoal signal stern storm strait tide timber tow tug wake wave wharf winch wind yard "
)


def write_text(name: str, count: int = 90) -> str:
    """Make the text of a page: sentences of words in an order that only this name has."""
    random, names = Random(name), WORDS.split()
    words = [random.choice(names) for _ in range(count)]
    sentences = [" ".join(words[at : at + 9]).capitalize() + "." for at in range(0, count, 9)]
    return " ".join([f"Notes on {name}.", *sentences])


def edit(text: str, count: int = 2) -> str:
    """Replace the last sentences of a text."""
    sentences = text.split(". ")
    return ". ".join(
        [*sentences[:-count], *(f"{sentence.split(' ')[0]} was written again" for sentence in sentences[-count:])]
    )


def place(name: str) -> str:
    """Return the URL of a page of the site."""
    return f"{SITE}/{name}"


def page(path: str, text: str) -> bytes:
    """Make the HTML of a page, with the frame that all pages of the site have."""
    paragraphs = "".join(f"<p>{line}</p>" for line in re.split(r"(?<=\.) ", text))
    menu = "".join(f'<li><a href="/{name}">{name}</a></li>' for name in ("boats", "fleet", "tides", "visit", "contact"))
    return (
        f"<!DOCTYPE html><html><head><title>{path}</title></head><body><nav><ul>{menu}</ul></nav>"
        f"<main><h1>{path}</h1>{paragraphs}</main><footer>Harbour office, open on weekdays</footer></body></html>"
    ).encode()


class Crawl:
    """The records of one crawl."""

    def __init__(self, date: str) -> None:
        self._date, self._records = date, [b""]

    def respond(self, url: str, body: bytes, status: str = "200 OK", *headers: str) -> None:
        """Add the response of a URL."""
        head = "\r\n".join((f"HTTP/1.1 {status}", "Content-Type: text/html; charset=utf-8", *headers))
        self._add("response", url, f"{head}\r\n\r\n".encode() + body, digest(body))

    def redirect(self, url: str, target: str) -> None:
        """Add a permanent redirect."""
        self.respond(url, b"", "301 Moved Permanently", f"Location: {target}")

    def revisit(self, url: str, body: bytes) -> None:
        """Add a revisit of a URL whose body has not changed: it is named by its digest alone."""
        self._add("revisit", url, b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", digest(body))

    def _add(self, kind: str, url: str, block: bytes, payload: str) -> None:
        profile = "WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest\r\n"
        head = (
            f"WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:{self._date}:{len(self._records)}>\r\n"
            f"WARC-Date: {self._date}T06:00:00Z\r\nWARC-Target-URI: {url}\r\nWARC-Payload-Digest: {payload}\r\n"
            f"Content-Type: application/http; msgtype=response\r\n{profile if kind == 'revisit' else ''}"
            f"Content-Length: {len(block)}\r\n\r\n"
        )
        self._records.append(head.encode() + block + b"\r\n\r\n")

    def write(self, folder: Path) -> Path:
        """Write the crawl as a WARC file."""
        path = folder / f"{self._date}.warc"
        path.write_bytes(b"".join(self._records))
        return path


def digest(body: bytes) -> str:
    """Return the digest of a payload as crawlers write it."""
    return f"sha1:{b32encode(sha1(body, usedforsecurity=False).digest()).decode()}"


MISSING = "Page not found. The page that you asked for is not here any more. Use the menu to find another one."


def write_month(folder: Path) -> list[Path]:
    """Write the crawls of a month, one file a week.

    In the second week boats/1 moves with a redirect, boats/2 leaves a stub, and tides/1 is edited; what did not change
    is a revisit. In the third week boats/3, boats/4 and boats/5 are soft 404s, and the page that was boats/2 moves
    again and leaves another stub. In the fourth week a blog copies tides/2, boats/3 is found at another address, and
    one page is new.
    """
    names = [*(f"boats/{at}" for at in range(1, 9)), *(f"tides/{at}" for at in range(1, 9))]
    texts = {name: write_text(name) for name in names}
    pages = {place(name): page(name, text) for name, text in texts.items()}
    crawls = [Crawl(date) for date in DATES]
    for url, body in pages.items():
        crawls[0].respond(url, body)

    def stub(target: str) -> bytes:
        return page("moved", f"This page has moved. It is now at {target}.")

    def leave(name: str) -> bytes:
        return pages.pop(place(name))

    # the second week
    pages[place("fleet/1")] = leave("boats/1")
    moved = leave("boats/2")
    pages[place("fleet/2")] = moved
    pages[place("tides/1")] = page("tides/1", edit(texts["tides/1"]))
    crawls[1].redirect(place("boats/1"), "/fleet/1")
    crawls[1].respond(place("boats/2"), stub(place("fleet/2")))
    for url, body in pages.items():
        if url in (place("fleet/1"), place("fleet/2"), place("tides/1")):
            crawls[1].respond(url, body)
        else:
            crawls[1].revisit(url, body)

    # the third week
    lost = {name: leave(name) for name in ("boats/3", "boats/4", "boats/5")}
    pages[place("ships/2")] = leave("fleet/2")
    crawls[2].respond(place("boats/2"), stub(place("ships/2")))
    crawls[2].respond(place("fleet/2"), stub(place("ships/2")))
    for name in lost:
        crawls[2].respond(place(name), page("error", f"{MISSING} /{name}"))
    for url, body in pages.items():
        (crawls[2].respond if url == place("ships/2") else crawls[2].revisit)(url, body)

    # the fourth week
    pages[place("ships/3")] = lost["boats/3"]
    pages[place("visit/9")] = page("visit/9", write_text("visit/9"))
    pages[BLOG] = page("ferries", edit(texts["tides/2"], 1))
    for name in lost:
        crawls[3].respond(place(name), page("error", f"{MISSING} /{name}"))
    for url, body in pages.items():
        (crawls[3].respond if url in (place("ships/3"), place("visit/9"), BLOG) else crawls[3].revisit)(url, body)
    return [crawl.write(folder) for crawl in crawls]
