"""Repairing an index, and the document store of a gate beside it."""

from contextlib import closing
from itertools import count, islice
from os import PathLike
from os.path import lexists
from pathlib import Path
from typing import NamedTuple

from neardup import _core
from neardup.allowed import allow
from neardup.errors import DamagedStore, EnvironmentFault, NeardupError, UsageError
from neardup.index.adoption import adopt, are_orphans, known_setup
from neardup.index.follower import follow
from neardup.index.index import Index
from neardup.index.orphans import DOCUMENTS, has_index_or_remains, has_lost_its_manifest
from neardup.inputs.document import iterate_rows
from neardup.output.written import plural
from neardup.stores.others import refuse_others
from neardup.stores.salvage import is_number, is_unfinished, mark_unfinished, read_note, read_position, read_rows
from neardup.stores.sql import SqlStore
from neardup.stores.sqlite import SqliteStore
from neardup.stores.stored_document import Changes, StoredDocument

_BATCH = 1000
_ENDS = ("", "-wal", "-shm", "-journal")
"""Suffixes of the files of a database."""


class Damage(NamedTuple):
    """A file that is not as it was written."""

    file: str
    what: str


class Lost(NamedTuple):
    """A lost document, as far as it is known."""

    step: int | None
    """Number of the step that added it."""
    id: str | None
    url: str | None
    file: str
    """Damaged file that contained it."""


class Repaired(NamedTuple):
    """Findings and actions of a repair."""

    documents: int
    """Number of documents of the index after the repair."""
    damages: list[Damage]
    outdated: list[str]
    """Why the index was made anew although no byte of it was wrong."""
    restored: list[str]
    """Ids of the documents that were restored from the store of the gate."""
    lost: list[Lost]
    """The lost documents."""
    doubts: list[str]
    """Facts that are not known because of the damage."""
    kept_aside: list[str]
    """Damaged files with parts of what is lost, by their new names."""

    @property
    def is_whole(self) -> bool:
        """Whether there was nothing to do."""
        return not self.damages and not self.outdated


@allow
def repair(
    folder: str | PathLike[str],
    *,
    scheme: str | _core.Scheme | None = None,
    parts: str | _core.Scheme | None = None,
    anew: bool = False,
) -> Repaired:
    """Make an index anew from what its files still contain, if one of them is damaged or of an older format.

    The folder is that of an index, of a run that wrote one, or of a gate. Segments, verdicts and the search index are
    made again from the texts. A document with a damaged text is restored from the store of the gate, and all documents
    are if the index is gone; without a store the document is lost, and is listed. Other programs that have the index
    open see the new one. A store elsewhere (`PostgresStore`) is compared when it is next opened. With `anew` an index
    without damage is made anew, too. `scheme` and `parts`
    are as in `Index.open`; an index without a store beside it that has lost its manifest and the copy needs them, as
    they were when it was made. Raises `DamagedIndex` if nothing says how the index was made; then nothing has changed.
    """
    place = Path(folder)
    index_place, store_place = _places(place)
    lines = [None if one is None else str(one) for one in (scheme, parts)]
    if store_place is not None:
        refuse_others(store_place)
    if store_place is not None and are_orphans(index_place, store_place):
        adopted = adopt(index_place, store_place, *lines)
        gone = Damage(str(index_place), "there was no index, and there were documents of one")
        done = repair(folder, scheme=scheme, parts=parts)
        doubts = [*adopted.doubts, *done.doubts]
        return done._replace(damages=[gone, *done.damages], restored=adopted.restored, doubts=doubts)
    setup, unknown = known_setup(store_place, *lines) if has_lost_its_manifest(index_place) else (None, [])
    core = _core.Repair.begin(
        str(index_place), lines[0], lines[1], None if setup is None else (*setup[:5], setup.extractor)
    )
    try:
        outdated, doubts = core.outdated, [*core.doubts, *unknown]
        if anew and core.is_whole:
            outdated.append("a rebuild was asked for")
        fault = None if store_place is None else _fault(store_place, core.identity)
        restored = [] if store_place is None else _restore(core, store_place, is_whole=fault is None)
        damages = [Damage(*damage) for damage in core.damages]
        lost = [Lost(*lost) for lost in core.lost]
        aside = [] if core.is_whole and not outdated else core.finish()
    finally:
        core.release()
    index = _core.Index.open(str(index_place), lines[0], lines[1])
    if store_place is not None:
        fault = fault or _difference(index, store_place)
        if fault is not None:
            damages.append(Damage(str(store_place), fault))
            aside += _rebuild(index, store_place)
    return Repaired(len(index), damages, outdated, restored, lost, doubts, aside)


def verify_beside(index: Index, folder: Path) -> None:
    """Compare the store of the gate in a folder, if there is one, with its index; a difference is a `DamagedStore`."""
    _, store = _places(folder)
    if store is not None:
        with closing(SqliteStore(store)) as opened:
            opened.claim(index.core.identity)
            follow(index.core, opened)
            _verify_store(index.core, opened)


def _places(folder: Path) -> tuple[Path, Path | None]:
    """Find the index of a folder, and the store of its gate."""
    inner = folder / "index"
    is_around = not has_index_or_remains(folder) and (has_index_or_remains(inner) or (folder / DOCUMENTS).exists())
    index = inner if is_around else folder
    beside = [folder / DOCUMENTS, *([index.parent / DOCUMENTS] if index.name == "index" else [])]
    store = next((store for store in beside if store.exists()), None)
    if store is None and not has_index_or_remains(index):
        raise EnvironmentFault(f"{folder}: there is no index here")
    return index, store


def _fault(store: Path, index: str) -> str | None:
    """Return the damage of a store by itself; `UsageError` for the store of another index."""
    try:
        with closing(SqliteStore(store)) as opened:
            opened.claim(index)
            opened.verify()
    except UsageError:
        raise
    except NeardupError as error:
        return _describe_error(error, store)
    return None


def _difference(index: _core.Index, store: Path) -> str | None:
    """Return how a store differs from its index, after it has received the steps that it lacks."""
    try:
        with closing(SqliteStore(store)) as opened:
            follow(index, opened)
            _verify_store(index, opened)
    except NeardupError as error:
        return _describe_error(error, store)
    return None


def _describe_error(error: NeardupError, store: Path) -> str:
    """Return the message of an error about a store, without the name of the store and the cure."""
    return str(error).removeprefix(f"{store}: ").removeprefix("damaged: ").removesuffix(f": {SqliteStore.cure}")


def _restore(core: _core.Repair, store: Path, *, is_whole: bool) -> list[str]:
    """Restore lost documents from the store, and from a damaged one as far as it can be read.

    A store that is ahead of the index knows the documents that were added and removed since: the index has lost its
    log, or an older copy took its place.
    """
    position = read_position(store)
    is_ahead = position > core.steps
    if not (core.lost or core.doubts or is_ahead):
        return []
    if is_ahead:
        core.note(f"the store beside it has heard of step {position:,}, and it ends with step {core.steps:,}")
    core.reach(position)
    known = set(core.names())
    restored, stored = list[str](), set[str]()
    for name, text, url, time in read_rows(store):
        stored.add(name)
        if name in known:
            continue
        given = (None if is_number(name) else name, text, url, time)
        if core.restore(name, given):
            restored.append(name)
        elif is_ahead:
            core.add(name, given)
            restored.append(name)
    if is_ahead and is_whole:
        core.keep_only(stored)
    return restored


def _rebuild(index: _core.Index, store: Path) -> list[str]:
    """Make a store anew from its index, and keep the old file aside."""
    made = _place_for(store, ".new")
    mark_unfinished(made, is_unfinished=True)
    with closing(SqliteStore(made)) as opened:
        opened.claim(index.identity)
        rows = iterate_rows(index)
        # every document has a step of its own, so that the number of a batch is never above that of its last step
        for position, batch in enumerate(iter(lambda: list(islice(rows, _BATCH)), []), 1):
            rules = {name: rule for name, _, rule in index.roles([one[1] for one in batch])}
            stored = [StoredDocument(*one[1:], rule=rules.get(one[1])) for one in batch]
            opened.apply(Changes(position, [], stored, []))
        opened.apply(Changes(index.position, [], [], []))
        if (note := read_note(store)) is not None:
            opened.note(note)
    aside = _place_for(store, ".damaged")
    # changes that SQLite has not moved into the file yet are in files beside it
    try:
        for end in _ENDS:
            old = store.with_name(store.name + end)
            if old.exists():
                old.rename(aside.with_name(aside.name + end))
        made.rename(store)
    except OSError as error:
        raise EnvironmentFault(f"{store}: {error.strerror}") from error
    mark_unfinished(store, is_unfinished=False)
    return [str(aside)]


def _place_for(store: Path, end: str) -> Path:
    """Return a free name beside a store, after removing the files of a repair that was stopped."""
    for number in count(1):
        place = store.with_name(f"{store.name}{end}" + (f".{number}" if number > 1 else ""))
        files = [place.with_name(place.name + end) for end in _ENDS]
        if end == ".new" and is_unfinished(place):
            for file in files:
                file.unlink(missing_ok=True)
        if not any(map(lexists, files)):
            return place
    raise AssertionError


def _verify_store(index: _core.Index, store: SqlStore) -> None:
    """Check that a store contains the documents of its index, with their roles, and that its search has them.

    Nothing may be written meanwhile. `DamagedStore` names the first document that differs.
    """
    store.verify()
    documents = 0
    for _, name, text, url, time, original in iterate_rows(index):
        found = store.get(name)
        if found is None or _fields(found) != (text, url, _micros(time), original):
            raise DamagedStore(f"{store.place}: damaged: document {name!r} is not what the index says: {store.cure}")
        documents += 1
    if len(store) != documents:
        difference = f"it has {plural(len(store), 'document')}, and its index {documents:,}"
        raise DamagedStore(f"{store.place}: damaged: {difference}: {store.cure}")


def _fields(document: StoredDocument) -> tuple[str, str | None, int | None, str]:
    return document.text, document.url, _micros(document.time), document.original


def _micros(time: int | str | None) -> int | None:
    return None if time is None else _core.to_micros(time)
