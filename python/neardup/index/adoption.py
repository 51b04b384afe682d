"""Adoption: makes the index of orphans again from their documents."""

import json
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from neardup import _core
from neardup.corpus.extractors import FIRST
from neardup.errors import DamagedIndex, EnvironmentFault, UsageError
from neardup.index.index import Index
from neardup.index.options import Setup, set_up
from neardup.index.orphans import has_lost_its_manifest, index_exists
from neardup.inputs.document import Document
from neardup.output.written import plural
from neardup.stores.salvage import hand_over, is_number, read_note, read_owner, read_rows
from neardup.stores.sqlite import SqliteStore

_BATCH = 256


class Adopted(NamedTuple):
    """Result of an adoption: the ids of the orphans in the new index, and what is not known about the old one."""

    restored: list[str]
    doubts: list[str]


def are_orphans(index: Path, store: Path) -> bool:
    """Whether a store has lost its index: there is none in its place, or another one that has taken no step."""
    owner = read_owner(store)
    if owner is None:
        return False
    if not index_exists(index):
        return not has_lost_its_manifest(index)
    # an index of another version of the tokens is refused, and is no orphan
    with suppress(DamagedIndex, EnvironmentFault, UsageError):
        core = _core.Index.open(str(index))
        return core.identity != owner and core.position == 0
    return False


def adopt(index: Path, store: Path, scheme: str | None, parts: str | None) -> Adopted:
    """Make the index of orphans anew. It is moved to its place when it contains all of them; then the store follows it.

    `scheme` and `parts` replace those that are noted in the store. A store without a note belongs to a gate that was
    last opened by 0.1.0.
    """
    options, doubts = _options(store, scheme, parts)
    if index_exists(index):
        _core.remove_folder(str(index))
    elif index.is_dir() and any(one.name != "lock" for one in index.iterdir()):
        raise EnvironmentFault(f"{index}: there is no index here, but files: move them elsewhere, and repair again")
    aside = index.with_name(f"{index.name}.new")
    if aside.exists():
        _core.remove_folder(str(aside))
    setup = set_up(options)
    made = Index(_core.Index.create(str(aside), *setup), str(aside), setup.scheme)
    restored, renamed = [], 0
    rows = read_rows(store)
    while batch := list(islice(rows, _BATCH)):
        documents = (Document(text, None if is_number(name) else name, url, time) for name, text, url, time in batch)
        for (name, *_), admission in zip(batch, made.add(documents), strict=True):
            restored.append(admission.verdict.id)
            renamed += admission.verdict.id != name
    if renamed:
        doubts.append(f"{plural(renamed, 'document')} without an id: now named #NUMBER")
    # the store is handed over first: should the index not be moved to its place, the store still counts as orphaned
    hand_over(store, made.core.identity, made.position)
    try:
        with suppress(FileNotFoundError):
            (index / "lock").unlink()
            index.rmdir()
        aside.rename(index)
    except OSError as error:
        raise EnvironmentFault(f"{index}: {error.strerror}") from error
    return Adopted(restored, doubts)


def note(index: Index, store: SqliteStore) -> None:
    """Note in the store of a gate how its index was made, in case the index is lost."""
    info = index.info()
    options = {
        "scheme": info["scheme"],
        "parts": info["parts_scheme"] or False,
        "policy": info["policy"],
        "ttl": info["ttl_seconds"],
        "most": info["most"],
        "folders": info["folders"] if info.get("shard") else None,
        "extractor": info.get("extractor"),
    }
    store.note(json.dumps(options))


def known_setup(store: Path | None, scheme: str | None, parts: str | None) -> tuple[Setup | None, list[str]]:
    """Return the options of an index that has lost its manifest, as far as they are known, and what is not known.

    The options are None if neither the store of a gate nor the caller names the scheme.
    """
    noted = None if store is None else _noted(store)
    options = _merge(noted, scheme, parts)
    if "scheme" not in options:
        return None, []
    doubt = "its policy, ttl and most are not known any more: those of a new index were taken"
    return set_up(options), [] if noted else [doubt]


def _noted(store: Path) -> dict[str, Any] | None:
    """Return what `note` wrote to the store; None if there is nothing, or something else."""
    with suppress(ValueError, RecursionError):
        options = json.loads(read_note(store) or "null")
        if isinstance(options, dict) and options.keys() <= {
            "scheme",
            "parts",
            "policy",
            "ttl",
            "most",
            "folders",
            "extractor",
        }:
            # a gate of before states no extractor
            return {**options, "extractor": options.get("extractor") or FIRST}
    return None


def _merge(noted: dict[str, Any] | None, scheme: str | None, parts: str | None) -> dict[str, Any]:
    """Return the noted options, with the given lines in place of the noted ones."""
    return (noted or {}) | {name: line for name, line in (("scheme", scheme), ("parts", parts)) if line is not None}


def _options(store: Path, scheme: str | None, parts: str | None) -> tuple[dict[str, Any], list[str]]:
    """Return the options of the index, as far as they are known, and what is not known."""
    noted = _noted(store)
    options, doubts = _merge(noted, scheme, parts), []
    if noted is None:
        what = "its scheme and policy are" if scheme is None else "its policy is"
        doubts.append(f"{what} not known any more: those of a new index were taken")
    if options.get("ttl") is not None:
        doubts.append("when the documents came is not known any more: for `ttl` they came now")
    return options, doubts
