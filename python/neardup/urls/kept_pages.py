"""The kept pages of a collection: one of each group of pages with the same canonical URL, in files like the input's."""

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

from neardup import _core
from neardup.errors import UsageError
from neardup.options.values import Preference, parse_preferences
from neardup.urls.url_lists import UrlList, is_url_list

KEPT = "kept"
"""Name of the folder of the kept pages in the folder of the results."""
KeepPage = Literal["first", "shortest", "longest"]


class PagePolicy(NamedTuple):
    """Which page of a group is kept: by the preferred values of its URL, then by the policy, then the first."""

    keep: KeepPage
    prefer: list[Preference]

    @classmethod
    def parse(cls, keep: KeepPage, prefer: Any, url_field: str | None) -> "PagePolicy":
        """Read the options. Raises `UsageError` if a preference is of another field than the URL."""
        found = parse_preferences(prefer) if prefer else []
        for field, *_ in found:
            if field not in ("url", url_field):
                raise UsageError(f"prefer names the field {field!r}; of pages only the URL is known: url^=https://")
        return cls(keep, found)

    def rank(self, url: str) -> tuple[int, int]:
        """Return what a group compares its pages by; the smallest is kept, and of equal ones the first."""
        preference = 0
        for _, values, by_beginning in self.prefer:
            is_of = url.startswith if by_beginning else url.__eq__
            place = next((place for place, value in enumerate(values) if is_of(value)), len(values))
            preference = preference * (len(values) + 1) + place
        return preference, {"first": 0, "shortest": len(url), "longest": -len(url)}[self.keep]

    def notes(self, ranks: Iterable[int]) -> list[str]:
        """Return a sentence about each preference with values that no page has.

        Args:
            ranks: The first numbers of what `rank` returned, each at least once.
        """
        met: list[set[int]] = [set() for _ in self.prefer]
        for rank in ranks:
            for places, (_, values, _) in zip(reversed(met), reversed(self.prefer), strict=True):
                rank, place = divmod(rank, len(values) + 1)
                places.add(place)
        notes = []
        for places, (field, values, by_beginning) in zip(met, self.prefer, strict=True):
            missing = ", ".join(f"`{value}`" for place, value in enumerate(values) if place not in places)
            if missing:
                beginning = "a value that begins with " if by_beginning else ""
                notes.append(f'no record has {beginning}{missing} in the field "{field}" (prefer)')
        return notes


def refuse_unrepeatable(inputs: Sequence[str]) -> None:
    """Raise `UsageError` for inputs that cannot be read again to write the kept pages."""
    if "-" in inputs:
        raise UsageError("-: the standard input cannot be read again for the kept pages; leave them out: no_kept")


def write_kept(
    inputs: Sequence[str],
    lists: Sequence[UrlList],
    core: Mapping[str, Any],
    dropped: Mapping[str, Iterable[int]],
    folder: Path,
    *,
    is_default: bool,
) -> int:
    """Write the files of the input below `folder`, without the dropped rows and without pages that cannot be used.

    A kept revisit of an archive has no content of its own, so that a dropped response to which it refers stays, too.

    Args:
        inputs: The files, folders and globs that were read.
        lists: The lists of URLs among them.
        core: The options with which documents were read.
        dropped: The rows to leave out, ascending, by the name of their file.
        folder: The folder of the kept files.
        is_default: Whether the field of the URL was not named.

    Returns:
        The number of dropped responses that stay.
    """
    folder.mkdir(exist_ok=True)
    others = [one for one in inputs if not is_url_list(one)]
    responses = 0
    if others:
        responses = _core.keep_rows(
            others, cast(Any, core), {name: list(rows) for name, rows in dropped.items()}, str(folder), is_default
        )
    home = os.path.commonpath([Path(one.name).absolute().parent for one in lists]) if lists else ""
    for one in lists:
        target = folder / Path(one.name).absolute().relative_to(home)
        if target.exists():
            raise UsageError(
                f"{one.name}: another input is written to {target.relative_to(folder)}, too; run them apart"
            )
        target.parent.mkdir(parents=True, exist_ok=True)
        one.write_kept(str(target), frozenset(dropped.get(one.name, ())))
    return responses
