"""Lost and found: where a page is now."""

from typing import Literal, NamedTuple

from neardup.sweeps.evidence import Overlap, TextEvidence
from neardup.sweeps.sightings import Sightings
from neardup.sweeps.texts import Clusters
from neardup.sweeps.trail import Trail

Way = Literal["stays", "moved", "moved+changed", "gone", "identical", "near", "replaced"]
WAYS: tuple[Way, ...] = ("stays", "moved", "moved+changed", "gone", "identical", "near", "replaced")
"""How a page was found, the most certain way first: its URL is in the newest sweep; its moves lead there, with the same
text or with a changed one; its URL was last seen on this date; another URL holds its text; another URL holds a text of
the same cluster; another page is at its URL now."""


class Location(NamedTuple):
    """Where a page may be: a URL, the date of the last sweep that has it, and the evidence.

    `overlap` compares the last text of the URL that was asked for with the text at `url`; None for blank pages.
    `remark` is what the last step of the page says beside its kind, such as "redirect 301" or "merged into URL".
    """

    url: str
    date: str
    way: Way
    overlap: Overlap | None
    remark: str | None = None


def locate_page(sightings: Sightings, evidence: TextEvidence, clusters: Clusters, url: str) -> list[Location]:
    """List where the page that a URL led to is now: the newest first; of one date the most certain first.

    After Broder, Glassman, Manasse, Zweig 1997: the newest URL in the cluster of a page that died.
    """
    trail = Trail(sightings, url)
    end, last_url = trail.end
    text = trail.text_at(end)
    found_as = _classify_way(trail, url)
    rows: dict[str, tuple[int, Way, str | None]] = {last_url: (end, found_as, text)}
    if (successor := trail.successor(url)) is not None:
        place, there = successor
        rows[url] = place, "replaced", there
    near = {there for one in (trail.text, text) if one is not None for there in clusters.of(one)}
    for holding in sightings.holdings(near):
        way: Way = "identical" if holding.text in (trail.text, text) else "near"
        known = rows.get(holding.url)
        if known is None or (holding.last, -WAYS.index(way)) > (known[0], -WAYS.index(known[1])):
            rows[holding.url] = holding.last, way, holding.text
    compared = sorted({there for _, _, there in rows.values() if there is not None} if trail.text is not None else ())
    remarks = {(last_url, found_as): trail.farewell()}
    overlaps = dict(zip(compared, evidence.overlaps([(str(trail.text), there) for there in compared]), strict=True))
    found = [
        (-place, WAYS.index(way), Location(where, trail.sweeps[place].date, way, overlap, remarks.get((where, way))))
        for where, (place, way, there) in rows.items()
        for overlap in [overlaps.get(there or "")]
    ]
    return [location for _, _, location in sorted(found, key=_rank)]


def _classify_way(trail: Trail, url: str) -> Way:
    """Return how the end of a trail was reached from a URL."""
    end, last_url = trail.end
    if last_url == url:
        return "stays" if end == len(trail.sweeps) - 1 else "gone"
    return "moved" if trail.text == trail.text_at(end) else "moved+changed"


def _rank(found: tuple[int, int, Location]) -> tuple[int, int, object, str]:
    age, way, location = found
    return age, way, -location.overlap.exact if location.overlap else 0, location.url
