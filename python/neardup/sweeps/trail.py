"""The trail of a page: where it was in every sweep, through its moves."""

from typing import NamedTuple

from neardup.errors import DataError
from neardup.sweeps.evidence import Overlap
from neardup.sweeps.kinds import MOVES, Kind, PageStep
from neardup.sweeps.sightings import Sightings


class Visit(NamedTuple):
    """A page in one sweep: its URL there (the last one if it is gone), and its change since the previous sweep.

    `kind` is None in the first sweep of the store. `overlap` is that of both versions if the text changed. `text` is
    the id of the text in this sweep; None if the page was blank or gone.
    """

    date: str
    kind: Kind | None
    url: str
    overlap: Overlap | None
    text: str | None


class Trail:
    """The places in all sweeps of the page that a URL last led to."""

    def __init__(self, sightings: Sightings, url: str) -> None:
        """Follow a page back and forth from the last sighting of a URL. Raises `DataError` if it is in no sweep."""
        self._sightings = sightings
        self.sweeps = sightings.sweeps()
        self._places = {sweep.number: place for place, sweep in enumerate(self.sweeps)}
        self._texts_by_sweep: dict[str, dict[int, str | None]] = {}
        self._steps: dict[str, dict[int, list[PageStep]]] = {}
        texts = self._look_up(url)
        if not texts:
            raise DataError(f"no sweep of this store saw {url}")
        self.last = max(texts)
        """The last sweep that contains the URL, by its position in the order of dates."""
        self.text = texts[self.last]
        """Id of its text in that sweep; None for a blank page."""
        self.urls = self._follow(url, -1) | self._follow(url, +1)
        """Position of a sweep -> URL of the page in it. Sweeps in which it was gone are left out."""

    @property
    def end(self) -> tuple[int, str]:
        """The last sweep that contains the page, by its position, and the URL of the page there."""
        place = max(self.urls)
        return place, self.urls[place]

    def text_at(self, place: int) -> str | None:
        """Return the id of the page's text in a sweep that contains it; None for a blank page."""
        return self._look_up(self.urls[place])[place]

    def visits(self) -> list[Visit]:
        """List the page sweep by sweep, from the first that contains it to the first one after the last that does."""
        first, (end, _) = min(self.urls), self.end
        visits = []
        for place in range(first, min(end + 2, len(self.sweeps))):
            date, url, before = self.sweeps[place].date, self.urls.get(place), self.urls.get(place - 1)
            if url is None:
                if before is not None:
                    visits.append(Visit(date, "gone", before, None, None))
            elif place == 0:
                visits.append(Visit(date, None, url, None, self.text_at(place)))
            else:
                step = next((step for step in self._steps_at(url, place) if step.new == url), None)
                kind, overlap = (step.kind, step.overlap) if step else ("same", None)
                visits.append(Visit(date, kind, url, overlap, self.text_at(place)))
        return visits

    def _follow(self, url: str, way: int) -> dict[int, str]:
        """Follow the page from the last sighting of a URL into the past (-1) or the future (+1).

        A page that was gone may return at its URL. A page that a move brought to that URL, or took from it, is another
        page.
        """
        urls = {self.last: url}
        place = self.last + way
        while 0 <= place < len(self.sweeps):
            was_there = place - way in urls
            if was_there and place not in self._look_up(url):
                url = self._moved(url, place, way) or url
            if place in self._look_up(url):
                if not was_there and self._moved(url, place - way, -way) is not None:
                    break
                urls[place] = url
            place += way
        return urls

    def _moved(self, url: str, place: int, way: int) -> str | None:
        """Return the URL at `place` of the page that has `url` in the sweep next to it; None without a move."""
        steps = self._steps_at(url, place if way > 0 else place + 1)
        ends = ((step.old, step.new) if way > 0 else (step.new, step.old) for step in steps if step.kind in MOVES)
        return next((to for start, to in ends if start == url), None)

    def _look_up(self, url: str) -> dict[int, str | None]:
        if url not in self._texts_by_sweep:
            found = self._sightings.texts_by_sweep(url)
            self._texts_by_sweep[url] = {self._places[number]: text for number, text in found.items()}
        return self._texts_by_sweep[url]

    def _steps_at(self, url: str, place: int) -> list[PageStep]:
        if url not in self._steps:
            steps = self._steps[url] = {}
            for number, step in self._sightings.steps_of(url):
                steps.setdefault(self._places[number], []).append(step)
        return self._steps[url].get(place, [])
