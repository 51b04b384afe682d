"""The file of measurements from which docs/guides/cluster.md is written, a part for each program that measures."""

import dataclasses
import json
from pathlib import Path
from typing import Any


def store(path: Path, part: str, content: Any) -> None:
    """Replace a part of the file; dataclasses are stored as their fields."""
    there = read(path) if path.exists() else {}
    path.write_text(json.dumps(there | {part: content}, indent=1, default=dataclasses.asdict) + "\n", encoding="utf-8")


def read(path: Path) -> dict[str, Any]:
    """Return all parts."""
    parts: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return parts
