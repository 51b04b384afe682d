"""Members of records: those that a path of names leads to, through mappings inside mappings."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

Record = Mapping[Any, Any]


def member_path(records: Sequence[Record], path: str) -> list[str] | None:
    """Return the names that a path consists of; None if no record has such a member.

    A name may itself have dots: the longest one that leads on comes first, as it does in files.
    """
    for end in range(len(path), 0, -1):
        name, rest = path[:end], path[end:]
        if rest and not rest.startswith("."):
            continue
        values = [record[key] for record in records for key in _keys(record, name)]
        if not rest and values:
            return [name]
        inner = [value for value in values if isinstance(value, Mapping)]
        if rest and inner and (below := member_path(inner, rest[1:])) is not None:
            return [name, *below]
    return None


def with_member(record: Record, path: Sequence[str], change: Callable[[Any], Any]) -> dict[Any, Any]:
    """Return a copy of a record in which a member is changed, and the mappings on the way to it are copies, too."""
    name, *rest = path
    [key] = _keys(record, name)
    value = record[key]
    return {**record, key: with_member(value, rest, change) if rest else change(value)}


def _keys(record: Record, name: str) -> list[Any]:
    """Return the key that is written as a name, if there is one; a key need not be a text."""
    return [name] if name in record else [key for key in record if str(key) == name][:1]
