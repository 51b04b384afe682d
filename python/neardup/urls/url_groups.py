"""URL-made duplicates: documents whose URLs have the same canonical form."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from itertools import chain
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from neardup import _core
from neardup.allowed import allow
from neardup.errors import EnvironmentFault
from neardup.inputs.sources import file_name
from neardup.options.values import ProgressCallback, given
from neardup.output.folders import REJECTS, RUN, output_folder, refuse_inputs, write_rows, write_summary
from neardup.table import Table
from neardup.urls.kept_pages import KEPT, PagePolicy, refuse_unrepeatable, write_kept
from neardup.urls.pages import PageInputs, PageReject, Pages
from neardup.urls.urls import UrlRules

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

URLS = "urls.jsonl"
COLUMNS = ("id", "url", "canonical", "first", "size", "kept")
"""Columns of urls.jsonl."""


class UrlGroup(NamedTuple):
    """Two or more documents with the same canonical URL.

    `first` is the id of the first document in input order, `size` the number of documents; `urls` are their distinct
    URLs as written, in input order; `kept` is the id of the document that is kept.
    """

    canonical: str
    first: str
    size: int
    urls: list[str]
    kept: str


_ANY_GROUP = UrlGroup("", "", 2, [""], "")


class UrlGroups(NamedTuple):
    """The groups of a collection, the largest first, then by canonical URL."""

    groups: list[UrlGroup]
    summary: dict[str, Any]
    """Counts: documents, urls (distinct), canonical (distinct), groups, duplicates (all documents of a group except the
    kept one), rejected; the accounts of files and records; the policy, keep and prefer; and notes."""
    rejects: list[PageReject]

    @property
    def table(self) -> Table:
        """The groups as a table, one row a group."""
        # columns take their types from values: without groups, from those of any group, which is then left out
        columns = [list(column) for column in zip(*(self.groups or [_ANY_GROUP]), strict=True)]
        return Table(_core.collect_columns(UrlGroup._fields, columns)[0].slice(0, len(self.groups)))

    def to_arrow(self) -> "pyarrow.Table":
        """Return the groups as a table of pyarrow; `UsageError` if pyarrow is not installed."""
        return self.table.to_arrow()

    def to_polars(self) -> "polars.DataFrame":
        """Return the groups as a DataFrame of polars; `UsageError` if polars is not installed."""
        return self.table.to_polars()

    def to_pandas(self) -> "pandas.DataFrame":
        """Return the groups as a DataFrame of pandas; `UsageError` if pandas is not installed."""
        return self.table.to_pandas()

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the columns of the groups as lists, by their names."""
        return self.table.to_dict()

    def _repr_html_(self) -> str:
        """Return a small table of the groups for notebooks."""
        return self.table._repr_html_()


@allow
def group_urls(
    inputs: PageInputs,
    *,
    output: str | PathLike[str] | None = None,
    rules: UrlRules | None = None,
    keep: Literal["first", "shortest", "longest"] = "first",
    prefer: Sequence[str] | str | None = None,
    quoted_tsv: bool = False,
    csv: str | None = None,
    encoding: str | None = None,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    id_field: str | None = None,
    url_field: str | None = None,
    on_error: Literal["stop", "skip"] = "stop",
    no_kept: bool = False,
    overwrite: bool = False,
    progress: ProgressCallback | None = None,
) -> UrlGroups:
    """Group documents that have the same canonical URL (`canonical_url`); their texts do not count.

    With `output`, the folder receives urls.jsonl (one row a document: id, url, canonical, first, size, kept), run.json
    and, if pages were skipped, rejects.jsonl; and for files the folder kept, with the pages that are kept. Rows are
    kept in a file of the system's temporary folder, so that only the groups are in memory.

    Args:
        inputs: Paths, lists of URLs among them, or `Document`s.
        output: Folder for the results; it appears when all of them are complete. By default none; what was found is
            printed or returned.
        rules: The rules of canonical URLs. By default the default rules; of a sweep none, and URLs stay as written.
        keep: Which document of a group is kept: the first in input order, or the first of those with the shortest or
            longest URL.
        prefer: Beginnings of URLs, best first, as url^=https://; a better one decides before `keep`.
        quoted_tsv: Fields of TSV may be in double quotes, as those of CSV.
        csv: How CSV and TSV are written: delimiter=CHARACTER (or tab), quotes=yes|no, or both with a space between. By
            default found out: , ; tab or |.
        encoding: Encoding of text files without a byte order mark, such as windows-1251 or shift_jis; detect guesses
            it. By default utf-8.
        include: Read only files that match a pattern, by name or by path below the folder: '*.jsonl', 'a/**'.
        exclude: Do not read files that match a pattern, by name or by path below the folder.
        id_field: Field with the id. By default none; an id is source and row.
        url_field: Field with the URL. By default url.
        on_error: At a page that cannot be used: stop, or skip it and list it in rejects.jsonl.
        no_kept: Do not write the kept documents.
        overwrite: Replace a result that is already in the output folder.
        progress: A function, called every 10,000 pages as `progress('read', pages, 0, pages)`.

    Returns:
        The groups, the largest first.

    Raises:
        UsageError: An option or its value is not allowed.
        DataError: A page cannot be used.
        EnvironmentFault: A file cannot be read or written.

    Example:
        >>> pages = [neardup.Document("", url=url) for url in ("http://a.example/x", "HTTP://A.example:80/x")]
        >>> [group.canonical for group in neardup.urls.group_urls(pages).groups]
        ['http://a.example/x']
    """
    options = given("urls", locals())
    policy = PagePolicy.parse(keep, prefer, url_field)
    paths = _paths(inputs)
    writes_kept = output is not None and not no_kept and bool(paths)
    if writes_kept:
        refuse_unrepeatable(paths)
    pages = Pages(inputs, options)
    refuse_inputs(output, inputs)
    with ExitStack() as stack:
        made = None if output is None else output_folder(output, (URLS, f"{KEPT}/", RUN, REJECTS), overwrite=overwrite)
        folder = stack.enter_context(made) if made is not None else None
        try:
            # an empty name makes a database in a temporary file, which is removed with the connection
            store = stack.enter_context(closing(sqlite3.connect("")))
            store.executescript(_TABLE)
            store.executemany(_INSERT, _rows(pages, policy))
            store.executescript(_GROUPS)
            groups = sorted(_read_groups(store), key=lambda group: (-group.size, group.canonical))
            summary = _count(store, len(groups), len(pages.rejects)) | pages.account._asdict() | policy._asdict()
            # without preferences all ranks are 0, and need not be looked for in every row
            ranks = store.execute(_RANKS) if policy.prefer else ()
            summary["notes"] = policy.notes(rank for (rank,) in ranks)
            if folder is not None:
                rows = (dict(zip(COLUMNS, row, strict=True)) for row in store.execute(_ROWS))
                write_rows(folder / URLS, rows)
                if writes_kept:
                    dropped = _dropped(store, pages.rejects)
                    responses = write_kept(
                        paths, pages.lists, pages.reading, dropped, folder / KEPT, is_default=pages.url_is_default
                    )
                    if responses:
                        summary["notes"].append(
                            f"{responses} dropped responses are in the kept files, because kept revisits refer to them"
                        )
        except sqlite3.Error as error:
            raise EnvironmentFault(f"the temporary file of the URLs cannot be used: {error}") from error
        if folder is not None:
            write_summary(folder, summary)
            if pages.rejects:
                write_rows(folder / REJECTS, (reject._asdict() for reject in pages.rejects))
    return UrlGroups(groups, summary, pages.rejects)


_TABLE = """
    PRAGMA journal_mode = OFF;
    PRAGMA cache_size = -65536;
    CREATE TABLE page (
        row INTEGER PRIMARY KEY, id TEXT, url TEXT, canonical TEXT, source TEXT, place INTEGER, preference INTEGER,
        length INTEGER
    );
"""
_INSERT = """
    INSERT INTO page (id, url, canonical, source, place, preference, length) VALUES (?, ?, ?, ?, ?, ?, ?)
"""
_GROUPS = """
    CREATE INDEX by_canonical ON page (canonical, url);
    CREATE INDEX by_policy ON page (canonical, preference, length, row);
    CREATE TABLE family (canonical TEXT PRIMARY KEY, first INTEGER, size INTEGER, urls INTEGER, kept INTEGER)
        WITHOUT ROWID;
    INSERT INTO family SELECT canonical, min(row), count(*), count(DISTINCT url), (
        SELECT row FROM page AS best WHERE best.canonical = page.canonical ORDER BY preference, length, row LIMIT 1
    ) FROM page GROUP BY canonical;
"""
_ROWS = """
    SELECT page.id, page.url, page.canonical, head.id, family.size, best.id
    FROM page JOIN family USING (canonical) JOIN page AS head ON head.row = family.first
    JOIN page AS best ON best.row = family.kept
    ORDER BY page.row
"""
_RANKS = "SELECT DISTINCT preference FROM page"
_DROPPED = """
    SELECT source, place FROM page JOIN family USING (canonical) WHERE page.row != family.kept ORDER BY page.row
"""


def _paths(inputs: PageInputs) -> list[str]:
    """Return the paths of inputs; none if they are documents or tables."""
    several = [inputs] if isinstance(inputs, str | PathLike) else inputs
    # an iterator is read once, by the run
    if not isinstance(several, list | tuple) or not all(isinstance(one, str | PathLike) for one in several):
        return []
    return [file_name(one) for one in several]


def _rows(pages: Pages, policy: PagePolicy) -> Iterator[tuple[Any, ...]]:
    for page in pages:
        yield (page.id, page.url, page.canonical, page.source, page.row, *policy.rank(page.url))


def _dropped(store: sqlite3.Connection, rejects: list[PageReject]) -> dict[str, list[int]]:
    """Return the rows of each file that are not kept, ascending: those of other pages, and those that were rejected."""
    dropped: dict[str, list[int]] = {}
    for source, row in chain(store.execute(_DROPPED), (reject[:2] for reject in rejects)):
        dropped.setdefault(source, []).append(row)
    return {source: sorted(rows) for source, rows in dropped.items()}


def _read_groups(store: sqlite3.Connection) -> Iterator[UrlGroup]:
    families = """
        SELECT family.canonical, head.id, size, best.id FROM family JOIN page AS head ON head.row = first
        JOIN page AS best ON best.row = kept WHERE size > 1
    """
    urls = "SELECT url FROM page WHERE canonical = ? GROUP BY url ORDER BY min(row)"
    for canonical, first, size, kept in store.execute(families):
        yield UrlGroup(canonical, first, size, [url for (url,) in store.execute(urls, (canonical,))], kept)


def _count(store: sqlite3.Connection, groups: int, rejected: int) -> dict[str, Any]:
    # a URL has one canonical form, so the distinct URLs of the families can be added up
    documents, urls, canonical = store.execute(
        "SELECT ifnull(sum(size), 0), ifnull(sum(urls), 0), count(*) FROM family"
    ).fetchone()
    return {
        "verb": "urls",
        "documents": documents,
        "urls": urls,
        "canonical": canonical,
        "groups": groups,
        "duplicates": documents - canonical,
        "rejected": rejected,
    }
