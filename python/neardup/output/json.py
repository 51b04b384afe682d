"""Results as JSON."""

from collections.abc import Iterable, Iterator
from typing import Any, cast


def write_json(value: Any) -> str:
    """Write named tuples, lists and mappings of them as JSON, every named tuple as an object."""
    import json

    return json.dumps(to_plain(value), ensure_ascii=False)


def write_lines(rows: Iterable[Any]) -> str:
    """Write values as `write_json` does, one a line."""
    return "".join(f"{write_json(row)}\n" for row in rows)


def write_array(rows: Iterable[Any]) -> Iterator[str]:
    """Yield what `write_json` writes of a list, in pieces: the rows need not fit into memory."""
    between = "["
    for row in rows:
        yield f"{between}{write_json(row)}"
        between = ", "
    yield "[]" if between == "[" else "]"


def to_plain(value: Any) -> Any:
    """Convert named tuples, lists and mappings of them to values of JSON, every named tuple to an object."""
    if hasattr(value, "_asdict"):
        return {name: to_plain(part) for name, part in cast(Any, value)._asdict().items()}
    if isinstance(value, dict):
        return {name: to_plain(part) for name, part in value.items()}
    return [to_plain(part) for part in value] if isinstance(value, list) else value
