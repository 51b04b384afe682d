"""The files of a folder that a study writes."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

RUN = "run.json"
REJECTS = "rejects.jsonl"


def write_rows(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    """Write rows as JSON, one a line."""
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def write_summary(folder: Path, summary: dict[str, Any]) -> None:
    """Write run.json."""
    (folder / RUN).write_text(json.dumps(summary, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
