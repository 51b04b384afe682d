"""The trail of a page: where it was in every sweep, through its moves."""

from typing import NamedTuple

from neardup.errors import DataError
from neardup.sweeps.evidence import Overlap
from neardup.sweeps.kinds import MOVES, STUB, Kind, PageStep
from neardup.sweeps.sightings import Sightings


class Visit(NamedTuple):
    """A page in one sweep: its URL there (the last one if it is gone), and its change since the previous sweep.

    `kind` is None in the first sweep of the store. `overlap` is that of both versions if the text changed. `text` is
    the id of the text in this sweep; None if the page was blank or gone. `remark` is what the kind does not say, such
    as "merged into URL".
    """

    date: str
    kind: Kind | None
    url: str
    overlap: Overlap | None
    text: str | None
    remark: str | None = None


class Trail:
    """The places in all sweeps of the page that a URL led to.

    Of several pages that were at the URL in turn, it is the last one, or the one before if that moved away when the
    last one came.
    """

    def __init__(self, sightings: Sightings, url: str) -> None:
        """Follow a page back and forth from a sighting at a URL. Raises `DataError` if no sweep has the URL."""
        self._sightings = sightings
        self.sweeps = sightings.sweeps()
        self._places = {sweep.number: place for place, sweep in enumerate(self.sweeps)}
        self._texts_by_sweep: dict[str, dict[int, str | None]] = {}
        self._steps: dict[str, dict[int, list[PageStep]]] = {}
        self._pages: dict[str, dict[int, str | None]] = {}
        texts = self._look_up(url)
        if not texts:
            raise DataError(f"no sweep of this store saw {url}")
        self.last = self._find_last(url)
        """The last sweep that has the page at the URL, by its position in the order of dates."""
        self.text = texts[self.last]
        """Id of its text in that sweep; None for a blank page."""
        self.urls = self._follow(url, -1) | self._follow(url, +1)
        """Position of a sweep -> URL of the page in it. Sweeps in which it was gone are left out."""

    def _find_last(self, url: str) -> int:
        """Return the last sweep that has the page at the URL, by its position."""
        # a URL that has never had a page is followed as it is
        arrival = last = max(self._pages_at(url) or self._look_up(url))
        while arrival - 1 in self._pages_at(url) and self._stays(url, arrival, +1):
            arrival -= 1
        return last if self._moved(url, arrival, +1) is None else arrival - 1

    @property
    def end(self) -> tuple[int, str]:
        """The last sweep that contains the page, by its position, and the URL of the page there."""
        place = max(self.urls)
        return place, self.urls[place]

    def text_at(self, place: int) -> str | None:
        """Return the id of the page's text in a sweep that contains it; None for a blank page."""
        return self._look_up(self.urls[place])[place]

    def successor(self, url: str) -> tuple[int, str | None] | None:
        """Return the last sweep in which another page was at a URL after this one, by its position, and its text."""
        end, last_url = self.end
        pages = {place: text for place, text in self._pages_at(url).items() if place > self.last}
        if not pages or (place := max(pages)) < end or (place, url) == (end, last_url):
            return None
        return place, pages[place]

    def farewell(self) -> str | None:
        """Return the remark of the last step by which the page left, since it was at the URL; None without a remark."""
        later = {sweep.date for sweep in self.sweeps[self.last + 1 :]}
        left = [visit for visit in self.visits() if visit.date in later and visit.kind in (*MOVES, "gone")]
        return next((visit.remark for visit in reversed(left) if visit.remark or visit.kind in MOVES), None)

    def visits(self) -> list[Visit]:
        """List the page sweep by sweep, from the first that contains it to the first one after the last that does."""
        first, (end, _) = min(self.urls), self.end
        visits = []
        last_url = self.urls[first]
        for place in range(first, min(end + 2, len(self.sweeps))):
            date, url, before = self.sweeps[place].date, self.urls.get(place), self.urls.get(place - 1)
            if url is None:
                if before is not None:
                    visits.append(Visit(date, "gone", before, None, None, self._remark_of("gone", before, place)))
                continue
            if place == 0:
                visits.append(Visit(date, None, url, None, self.text_at(place)))
            else:
                step = next((step for step in self._steps_at(url, place) if step.new == url), None)
                kind, overlap, remark = (step.kind, step.overlap, step.remark) if step else ("same", None, None)
                # it came back at another URL
                kind = "moved" if url != last_url and kind == "new" else kind
                visits.append(Visit(date, kind, url, overlap, self.text_at(place), remark))
            last_url = url
        return visits

    def _remark_of(self, kind: Kind, url: str, place: int) -> str | None:
        return next((step.remark for step in self._steps_at(url, place) if (step.kind, step.old) == (kind, url)), None)

    def _follow(self, url: str, way: int) -> dict[int, str]:
        """Follow the page from a sighting at a URL into the past (-1) or the future (+1).

        A page that was gone may return at its URL, or with its text at a new one. A page that a move brought to that
        URL, or took from it, is another page, and so is one that replaced it.
        """
        urls = {self.last: url}
        place = self.last + way
        while 0 <= place < len(self.sweeps):
            was_there = place - way in urls
            if was_there:
                moved = self._moved(url, place, way)
                if moved is not None:
                    url = moved
                    urls[place] = url
                elif self._stays(url, place, way):
                    urls[place] = url
            else:
                if self._is_taken(url, place, way):
                    break
                if found := self._returned(url, self._look_up(url)[max(urls) if way > 0 else min(urls)], place, way):
                    url = found
                    urls[place] = url
            place += way
        return urls

    def _stays(self, url: str, place: int, way: int) -> bool:
        """Return whether the page is at its URL in the sweep next to one that has it there."""
        later = place if way > 0 else place + 1
        kinds = {step.kind for step in self._steps_at(url, later) if url in (step.old, step.new)}
        return place in self._look_up(url) and kinds <= {"same", "changed"}

    def _is_taken(self, url: str, place: int, way: int) -> bool:
        """Return whether another page is at the URL of a page that is gone, by a move or in its place."""
        if place not in self._pages_at(url):
            return False
        later, side = (place, "new") if way > 0 else (place + 1, "old")
        steps = [step for step in self._steps_at(url, later) if getattr(step, side) == url]
        return any(step.kind in MOVES or (way > 0 and step.kind == "replaced") for step in steps)

    def _returned(self, url: str, text: str | None, place: int, way: int) -> str | None:
        """Return the URL at which a page that was gone is there again; None if it is not."""
        if self._is_edge(url, place, way):
            return url
        places = sorted(
            holding.url
            for holding in self._sightings.holdings([] if text is None else [text])
            if (holding.first if way > 0 else holding.last) == place
        )
        return next((one for one in places if self._is_edge(one, place, way)), None)

    def _is_edge(self, url: str, place: int, way: int) -> bool:
        """Return whether a page at a URL is new in a sweep (+1), or is gone in the sweep after it (-1)."""
        later, side, kind = (place, "new", "new") if way > 0 else (place + 1, "old", "gone")
        steps = self._steps_at(url, later)
        return place in self._pages_at(url) and any(step.kind == kind and getattr(step, side) == url for step in steps)

    def _moved(self, url: str, place: int, way: int) -> str | None:
        """Return the URL at `place` of the page that has `url` in the sweep next to it; None without a move."""
        steps = self._steps_at(url, place if way > 0 else place + 1)
        ends = ((step.old, step.new) if way > 0 else (step.new, step.old) for step in steps if step.kind in MOVES)
        return next((to for start, to in ends if start == url), None)

    def _look_up(self, url: str) -> dict[int, str | None]:
        """Return the sweeps that contain a URL, by their positions, with the ids of its texts."""
        if url not in self._texts_by_sweep:
            found = self._sightings.texts_by_sweep(url)
            self._texts_by_sweep[url] = {self._places[number]: text for number, text in found.items()}
        return self._texts_by_sweep[url]

    def _pages_at(self, url: str) -> dict[int, str | None]:
        """Return the sweeps in which a URL has a page, without those in which it has a stub."""
        if url not in self._pages:
            pages = self._pages[url] = {}
            is_stub = False
            for place, text in sorted(self._look_up(url).items()):
                step = next((step for step in self._steps_at(url, place) if step.new == url), None)
                # a text that stays the same has no step
                is_stub = is_stub if step is None else step.remark == STUB
                if not is_stub:
                    pages[place] = text
        return self._pages[url]

    def _steps_at(self, url: str, place: int) -> list[PageStep]:
        return self._steps_by_place(url).get(place, [])

    def _steps_by_place(self, url: str) -> dict[int, list[PageStep]]:
        if url not in self._steps:
            steps = self._steps[url] = {}
            for number, step in self._sightings.steps_of(url):
                steps.setdefault(self._places[number], []).append(step)
        return self._steps[url]
