"""Figures compared with their floors, and the table of all figures."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

FLOORS = Path(__file__).with_name("floors.toml")


@dataclass(frozen=True)
class Score:
    """One figure of one check on one set."""

    check: str
    name: str
    figure: str
    value: float
    floor: float
    exact: float | None
    """The figure of the exact pairs, which no run can exceed except by chance."""
    seen: float | None
    """The figure of the run that was last written down."""
    note: str

    @property
    def holds(self) -> bool:
        return self.value >= self.floor


def write_share(value: float | None) -> str:
    """Return five digits, cut and not rounded, so that 1.00000 means all; `-` if there is no value."""
    if value is None or value == float("inf"):
        return "-"
    return f"{int(value * 100_000) / 100_000:.5f}"


class Scores:
    """Collects figures; each must have a floor in floors.toml, which alone defines it."""

    def __init__(self) -> None:
        self.floors = tomllib.loads(FLOORS.read_text(encoding="utf-8"))
        self.rows: list[Score] = []

    def add(self, check: str, name: str, note: str = "", **figures: float) -> None:
        """Add figures to the table; the test fails at its end if one is under its floor or has none."""
        for figure, value in figures.items():
            written = self.floors.get(check, {}).get(name, {}).get(figure, {})
            floor = written.get("floor", float("inf"))
            self.rows.append(Score(check, name, figure, value, floor, written.get("exact"), written.get("seen"), note))


def lay_out(rows: list[Score]) -> list[str]:
    """Return figures as the lines of a table, in the order of their checks and sets."""
    cells = [["check", "set", "figure", "value", "floor", "exact", "seen before", "note"]]
    for row in sorted(rows, key=lambda row: (row.check, row.name)):
        numbers = [write_share(share) for share in (row.value, row.floor, row.exact, row.seen)]
        note = row.note if row.holds else f"UNDER THE FLOOR: {row.note}"
        cells.append([row.check, row.name, row.figure, *numbers, note])
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells]
