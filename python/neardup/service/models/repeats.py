"""Names that stand twice in an object of JSON, of which one would count and the other be lost."""

import json
from collections import Counter
from typing import Any


def refuse_repeats(body: str | bytes) -> None:
    """Raise `ValueError`, which names the key, for JSON in which an object has one twice."""
    json.loads(body, object_pairs_hook=_once)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        [(again, _)] = Counter(name for name, _ in pairs).most_common(1)
        raise ValueError(f"{again[:60]}: the key is given twice")
    return found
