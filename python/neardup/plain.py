"""Results as JSON."""

from typing import Any, cast


def write_json(value: Any) -> str:
    """Write named tuples, lists and mappings of them as JSON, every named tuple as an object."""
    import json

    return json.dumps(_plain(value), ensure_ascii=False)


def _plain(value: Any) -> Any:
    if hasattr(value, "_asdict"):
        return {name: _plain(part) for name, part in cast(Any, value)._asdict().items()}
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    return [_plain(part) for part in value] if isinstance(value, list) else value
