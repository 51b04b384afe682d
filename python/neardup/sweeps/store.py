"""A store of sweeps: pages on several dates, and the queries over them."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from fractions import Fraction
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Literal, NamedTuple

from neardup import _core
from neardup.allowed import allow_all
from neardup.corpus.extractors import AUTO, check_label, label_of
from neardup.errors import DataError, EnvironmentFault, UsageError
from neardup.inputs.sources import refuse_special
from neardup.options.values import ProgressCallback, given
from neardup.output.folders import SWEEPS
from neardup.schemes.defaults import DEFAULT_THRESHOLD
from neardup.schemes.line import write_scheme
from neardup.schemes.number import Number, read_number
from neardup.schemes.plan import plan_scheme
from neardup.sweeps.addition import Added, add_pages, name_text
from neardup.sweeps.archive_notes import ArchiveNotes
from neardup.sweeps.change_report import ChangeReport, gather_report
from neardup.sweeps.changes import Changes, ListedStep, StepCounts, read_kinds
from neardup.sweeps.contacts import Contacts, list_contacts
from neardup.sweeps.database import create_database, faults, open_database, snapshot, transaction
from neardup.sweeps.dates import find_span, find_sweep, read_date
from neardup.sweeps.evidence import TextEvidence
from neardup.sweeps.extractions import Extractions
from neardup.sweeps.incoming import Incoming
from neardup.sweeps.kinds import NEAR, Kind
from neardup.sweeps.locate import Location, locate_page
from neardup.sweeps.removal import Removed, remove_sweep
from neardup.sweeps.sightings import Sightings, SweepSize
from neardup.sweeps.stats import Stats, gather_stats
from neardup.sweeps.texts import Clusters, Texts
from neardup.sweeps.trail import Trail, Visit
from neardup.urls.pages import PageInputs, Pages
from neardup.urls.urls import UrlRules

DATABASE = "sweeps.sqlite"
TEXTS = "texts"


def is_store(folder: str | PathLike[str]) -> bool:
    """Return whether a folder is a store of sweeps. Raises `UsageError` if its database is a pipe."""
    path = Path(folder) / DATABASE
    refuse_special(path)
    return path.is_file()


def choose_scheme(scheme: str | _core.Scheme | None, threshold: Number | None) -> str:
    """Return the scheme line of a store. Raises `UsageError` for a scheme that a store cannot have."""
    if scheme is None:
        return str(plan_scheme(DEFAULT_THRESHOLD if threshold is None else threshold))
    line = str(_core.Scheme(write_scheme(scheme, threshold)))
    if "seed=file:" in line:
        raise UsageError("a store of sweeps keeps no secrets: leave out seed=file")
    return line


class Sighting(NamedTuple):
    """A page in a sweep.

    `cluster` is that of its text, named by the smallest id in it. `text` and `cluster` are None for a blank page.
    """

    date: str
    url: str
    text: str | None
    cluster: str | None


@allow_all
class SweepStore:
    """Sweeps in a folder: which page held which text on which date.

    URLs are compared as they are written. Equal texts are stored once. One process at a time adds a sweep; others can
    read meanwhile. An object serves the thread that made it. A `with` statement closes it.
    """

    def __init__(self, folder: str | PathLike[str]) -> None:
        """Open a store. Raises `DataError` if there is none."""
        self._folder = Path(folder)
        self._path = self._folder / DATABASE
        if not is_store(folder):
            raise DataError(f"{fspath(folder)}: no store of sweeps (it has no {DATABASE}); `sweep add` makes one")
        self._connection = open_database(self._path)
        with faults(self._path):
            settings = dict(self._connection.execute("SELECT name, value FROM setting"))
            self.scheme: str = settings["scheme"]
            """The scheme that decides which texts are near, and that makes the clusters."""
            self._extractor = settings.get("extractor")
            self._sightings = Sightings(self._connection)
        self._texts = Texts(self._folder / TEXTS)

    @classmethod
    def create(
        cls,
        folder: str | PathLike[str],
        *,
        scheme: str | _core.Scheme | None = None,
        threshold: Number | None = None,
        extractor: Literal["auto", "resiliparse", "trafilatura"] | None = None,
    ) -> "SweepStore":
        """Create a store without sweeps. Raises `UsageError` if the folder is there already, or the scheme is wrong.

        The scheme decides when two texts are near, by default at 0.8 of their words' 5-shingles. It and the extractor
        of main content, by default `auto`, apply to all sweeps of the store.
        """
        line = choose_scheme(scheme, threshold)
        target = Path(folder)
        if is_store(folder):
            raise UsageError(f"{target}: there is a store of sweeps already")
        _core.take_folder(fspath(folder), SWEEPS, [Path(DATABASE).stem], [TEXTS])
        Texts.create(target / TEXTS, line)
        # the database makes the folder a store, so it is created last
        settings = {"scheme": line, "neardup": _core.__version__, "extractor": label_of(extractor or AUTO)}
        create_database(target / DATABASE, settings)
        return cls(folder)

    def close(self) -> None:
        """Close the files."""
        self._connection.close()

    def __enter__(self) -> "SweepStore":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def discard(self) -> None:
        """Remove the store if it has no sweeps."""
        with faults(self._path), transaction(self._connection):
            if not self._sightings.sweeps():
                _core.remove_folder(fspath(self._folder))

    @property
    def dates(self) -> list[str]:
        """The dates of the sweeps as they were given, in order of time."""
        with faults(self._path):
            return [sweep.date for sweep in self._sightings.sweeps()]

    def add(
        self,
        inputs: PageInputs,
        date: str | int,
        *,
        rules: UrlRules | None = None,
        text_field: str | None = None,
        html_field: str | None = None,
        main_content: bool = False,
        extractor: Literal["auto", "resiliparse", "trafilatura"] | None = None,
        quoted_tsv: bool = False,
        csv: str | None = None,
        encoding: str | None = None,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        id_field: str | None = None,
        url_field: str | None = None,
        on_error: Literal["stop", "skip"] = "stop",
        overwrite: bool = False,
        progress: ProgressCallback | None = None,
    ) -> Added:
        """Add the sweep of a date: all pages that were seen then, as documents with a URL.

        Sweeps may be added in any order: the changes before and after the new sweep are computed again. Only pages of
        HTML that are in no sweep yet are extracted, and only texts that are in no sweep yet are signed. A sweep is
        added whole or, if that is interrupted, not at all. With `rules`, URLs are made canonical, and queries have to
        use that form.

        Args:
            inputs: Documents with a URL, as for `find_mirrors`, without lists of URLs.
            date: When the pages were seen: an RFC 3339 date-time, a date YYYY[-MM[-DD]] or Unix seconds.
            rules: The rules of canonical URLs. By default the default rules; of a sweep none, and URLs stay as written.
            text_field: Field with the text. By default text.
            html_field: Field with HTML, from which the text is taken instead.
            main_content: Take the main content of HTML only, without navigation and the like.
            extractor: What takes the main content: auto, by the structure of the page; resiliparse; or trafilatura. By
                default auto; in an index or a store the one that it was made with.
            quoted_tsv: Fields of TSV may be in double quotes, as those of CSV.
            csv: How CSV and TSV are written: delimiter=CHARACTER (or tab), quotes=yes|no, or both with a space between.
                By default found out: , ; tab or |.
            encoding: Encoding of text files without a byte order mark, such as windows-1251 or shift_jis; detect
                guesses it. By default utf-8.
            include: Read only files that match a pattern, by name or by path below the folder: '*.jsonl', 'a/**'.
            exclude: Do not read files that match a pattern, by name or by path below the folder.
            id_field: Field with the id; of a Spark DataFrame pages are read in the order of their ids.
            url_field: Field with the URL. By default url.
            on_error: At a page that cannot be used: stop, or skip it and count it.
            overwrite: Replace the sweep of the same date.
            progress: A function, called every 10,000 pages as `progress('read', pages, 0, pages)`.

        Returns:
            The counts of the new sweep, and the changes of its pages since the previous one.

        Raises:
            UsageError: An option is not allowed, or there is a sweep of this date.
            DataError: A page cannot be used.
            EnvironmentFault: A file cannot be read or written.
        """
        options = given("sweep add", locals())
        if main_content:
            options["extractor"] = self.choose_extractor(extractor)
        time = read_date(date)
        notes = ArchiveNotes(name_text)
        extractions = Extractions(self._path, self._texts.get, name_text)
        as_written = options.get("rules") is None
        pages = Pages(
            inputs,
            options,
            with_text=True,
            as_written=as_written,
            takes_lists=False,
            note=notes.note,
            recall=extractions.recall,
        )
        with faults(self._path), transaction(self._connection):
            if not is_store(self._folder):
                raise EnvironmentFault(f"{self._folder}: the store was removed while its first sweep was added")
            self._tidy()
            old = next((sweep for sweep in self._sightings.sweeps() if sweep.time == time), None)
            if old is not None and not overwrite:
                raise UsageError(f"{self._folder}: the sweep of {old.date} is there already; --overwrite replaces it")
            if old is not None:
                self._sightings.remove_sweep(old)
            incoming, evidence = Incoming(self._connection), self._evidence(options)
            with closing(extractions):
                added = add_pages(
                    self._sightings, incoming, self._texts, evidence, pages, notes, extractions, time, str(date)
                )
        if old is not None:
            with faults(self._path), transaction(self._connection):
                self._tidy()
        return added

    def remove(self, date: str | int) -> Removed:
        """Remove the sweep of a date, and compare the sweeps before and after it, which are neighbours now.

        Texts that no other sweep has are removed, too. A sweep is removed whole or, if that is interrupted, not at all.
        A store without sweeps keeps its scheme. Raises `UsageError` if there is no sweep of this date.
        """
        with faults(self._path), transaction(self._connection):
            self._tidy()
            removed = remove_sweep(
                self._sightings, self._evidence(), find_sweep(self._sightings.sweeps(), date, self._folder)
            )
        with faults(self._path), transaction(self._connection):
            self._tidy()
        return removed

    def choose_extractor(self, asked: str | None = None) -> str:
        """Return the name of the extractor with which the texts of pages are added to it.

        Raises `UsageError` if another one is asked for, and if the version that it was made with is another one.
        """
        return check_label(self._extractor, asked, fspath(self._folder))

    def locate(self, url: str) -> list[Location]:
        """List where the page that a URL led to is now: the newest first; of one date the most certain first.

        Of a URL that is in no sweep another spelling counts: with another scheme, without its fragment, with the host
        in lower case, with or without a slash at its end. Raises `DataError` if no sweep has it.
        """
        with self._asking():
            clusters = Clusters(self._sightings, self._texts)
            return locate_page(self._sightings, self._evidence(), clusters, self._sightings.find_url(url))

    def history(self, url: str) -> list[Visit]:
        """List the changes of a page sweep by sweep, through its moves.

        The URL is found as by `locate`. Raises `DataError` if no sweep has it.
        """
        with self._asking():
            return Trail(self._sightings, self._sightings.find_url(url)).visits()

    def contacts(self, url: str | None = None, *, text: str | None = None, threshold: Number = "0.5") -> Contacts:
        """List every URL that held a text, whole or in part: the newest first.

        The text is `text`, or the last text of `url`. A page counts if it contains at least a share `threshold` of the
        text's shingles, or if the text contains at least that share of the page's. The URL is found as by `locate`.
        Raises `DataError` if no sweep has it.
        """
        if (url is None) == (text is None):
            raise UsageError("contacts are those of a URL or of a text: give one of them")
        if not 0 < read_number(threshold, "threshold") <= 1:
            raise UsageError(f"threshold is {threshold}; it is above 0 and at most 1")
        asked = self.last_text(url) if url is not None else str(text)
        name = name_text(asked)
        if name is None:
            return Contacts([], False)
        with self._asking():
            matches = self._texts.find(asked, threshold)
            evidence = TextEvidence(lambda one: asked if one == name else self._texts.get(one), self.scheme)
            near = Fraction(_core.Scheme(self.scheme).threshold or NEAR)
            return Contacts(list_contacts(self._sightings, evidence, name, matches.ids, near), matches.incomplete)

    def last_text(self, url: str) -> str:
        """Return the text of a URL in the last sweep that has it, found as by `locate`.

        Raises `DataError` if no sweep has it.
        """
        with self._asking():
            name = Trail(self._sightings, self._sightings.find_url(url)).text
            return "" if name is None else self._texts.get(name)

    def changes(
        self,
        start: str | int | None = None,
        end: str | int | None = None,
        kinds: str | Sequence[str] = (),
        *,
        limit: int | None = None,
        offset: int = 0,
    ) -> Iterator[ListedStep]:
        """Yield every step from sweep to sweep: what became of each page.

        The steps come by date, and of one date by URL. They are of one state of the store, whatever others write
        meanwhile, and are read as they are needed.

        Args:
            start: The date of the sweep from which the first steps lead. By default the oldest.
            end: The date of the sweep to which the last steps lead. By default the newest.
            kinds: Names of kinds, or several with commas between. By default all except same.
            limit: Yield this many steps. By default all.
            offset: Leave out this many steps first.

        Raises:
            UsageError: There is no sweep of a date, `start` is not before `end`, or a kind is unknown.
        """
        if min(limit or 0, offset) < 0:
            raise UsageError(f"limit is {limit} and offset is {offset}; neither is below 0")
        chosen = read_kinds(kinds)
        with self._asking():
            first, last = find_span(self._sightings.sweeps(), start, end, self._folder)
        return self._stream(first, last, chosen, limit, offset)

    def count_changes(
        self, start: str | int | None = None, end: str | int | None = None, kinds: str | Sequence[str] = ()
    ) -> list[StepCounts]:
        """Count the steps of each kind from sweep to sweep, with the arguments and errors of `changes`."""
        chosen = read_kinds(kinds)
        with self._asking():
            return self._changes(start, end, chosen).counts()

    def report_changes(
        self, start: str | int | None = None, end: str | int | None = None, kinds: str | Sequence[str] = ()
    ) -> ChangeReport:
        """Return the content of a page about changes, with the arguments and errors of `changes`.

        It has the number of all steps, and a bounded number of them.
        """
        chosen = read_kinds(kinds)
        with self._asking():
            return gather_report(self._changes(start, end, chosen))

    def text(self, name: str) -> str:
        """Return a text by its id, which contacts and sightings contain. Raises `DataError` if there is none."""
        with self._asking():
            return self._texts.get(name)

    def stats(self) -> Stats:
        """Count how pages change, move, appear and vanish."""
        with self._asking():
            return gather_stats(self._sightings, self.scheme)

    def sightings(self) -> Iterator[Sighting]:
        """Yield every page of every sweep, by date, with its text and cluster.

        Each sweep is read when its first page is needed.
        """
        for sweep in self._sightings.sweeps():
            with self._asking():
                pages = sorted(self._sightings.pages(sweep).items())
                clusters = Clusters(self._sightings, self._texts)
                names = {text: clusters.of(text)[0] for _, text in pages if text is not None}
            for url, text in pages:
                yield Sighting(sweep.date, url, text, None if text is None else names[text])

    def _changes(self, start: str | int | None, end: str | int | None, kinds: Sequence[Kind]) -> Changes:
        return Changes(self._connection, *find_span(self._sightings.sweeps(), start, end, self._folder), kinds)

    def _stream(
        self, first: int, last: int, kinds: Sequence[Kind], limit: int | None, offset: int
    ) -> Iterator[ListedStep]:
        # a connection of its own, for which the store stays as it is while others ask and write
        with faults(self._path), closing(open_database(self._path)) as connection:
            connection.execute("BEGIN")
            yield from Changes(connection, first, last, kinds).rows(limit, offset)

    def _evidence(self, options: dict[str, Any] | None = None) -> TextEvidence:
        return TextEvidence(self._texts.get, self.scheme, (options or {}).get("progress"))

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """Read one state of the store during the block: the newest."""
        with faults(self._path), snapshot(self._connection, self._texts.refresh):
            yield

    def _tidy(self) -> None:
        """Remove texts that no sweep refers to: of a sweep that was replaced, or whose addition was interrupted."""
        self._texts.settle()
        if len(self._texts) > self._sightings.count("text"):
            self._texts.keep(self._sightings.texts())

    # the last method, because `list` is the name of a type above
    def list(self) -> list[SweepSize]:
        """List the sweeps with their sizes, by date."""
        with faults(self._path):
            if missing := self._sightings.unmeasured():
                with transaction(self._connection):
                    self._texts.refresh()
                    self._sightings.measure((name, len(self._texts.get(name).encode())) for name in missing)
        with self._asking():
            return self._sightings.sizes()
