"""Faults of what was sent, in a sentence."""

from collections.abc import Sequence
from typing import Any

_MOST = 3
"""Faults that are named."""
_PREFIX = "Value error, "


def name_faults(faults: Sequence[Any]) -> str:
    """Name the first faults that the models found, each with its place, and nothing of what was sent."""
    named = [_name(fault) for fault in faults[:_MOST]]
    return "; ".join([*named, *([f"and {len(faults) - _MOST} more"] if len(faults) > _MOST else [])])


def _name(fault: Any) -> str:
    place = ".".join(map(str, fault["loc"])) or "body"
    return f"{place}: {fault['msg'].removeprefix(_PREFIX)}"
