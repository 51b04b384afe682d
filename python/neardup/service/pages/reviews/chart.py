"""The curve of precision and recall, as the coordinates of its parts."""

from collections.abc import Sequence
from math import floor
from typing import NamedTuple

from neardup.evaluation.intervals import Estimate
from neardup.review.curve import ReviewPoint

WIDTH, HEIGHT = 460, 340
"""Size of the picture, in units of its own."""
_LEFT, _RIGHT, _TOP, _BOTTOM = 50, 446, 12, 288
"""Edges of the field of the curve in the picture."""


class Tick(NamedTuple):
    """A value on an axis, and its position."""

    name: str
    at: float


class Dot(NamedTuple):
    """A point of the curve: its position, and those of the ends of both intervals."""

    threshold: str
    x: float
    y: float
    left: float
    right: float
    top: float
    bottom: float


class Chart(NamedTuple):
    """The dots from the lowest threshold on, the line through them, and the values on both axes."""

    dots: list[Dot]
    line: str
    across: list[Tick]
    """Ticks of recall."""
    up: list[Tick]
    """Ticks of precision."""
    words: str
    """Description of the curve."""
    width: int = WIDTH
    height: int = HEIGHT
    left: int = _LEFT
    right: int = _RIGHT
    top: int = _TOP
    bottom: int = _BOTTOM


class _Axis:
    """An axis from a round value below the least one to 1."""

    def __init__(self, estimates: Sequence[Estimate], start: int, end: int) -> None:
        least = min(one.value or 0.0 for one in estimates)
        self._low = min(floor(least * 10) / 10, 0.9)
        self._start, self._scale = start, (end - start) / (1 - self._low)

    def place(self, value: float | None) -> float:
        """Return the position of a value; a value below the axis is at its start."""
        return round(self._start + (max(value or 0.0, self._low) - self._low) * self._scale, 1)

    def ticks(self) -> list[Tick]:
        """Return four to ten round values, up to 1."""
        span = 1 - self._low
        step = 2 if span < 0.15 else 5 if span < 0.35 else 10 if span < 0.65 else 20
        values = range(100, round(self._low * 100) - 1, -step)
        return [Tick(f"{value / 100:g}", self.place(value / 100)) for value in values]


def draw_curve(points: Sequence[ReviewPoint]) -> Chart | None:
    """Place the points whose precision and recall are known; None if there are fewer than two."""
    known = [one for one in points if one.precision.value is not None and one.recall.value is not None]
    if len(known) < 2:
        return None
    recall = _Axis([one.recall for one in known], _LEFT, _RIGHT)
    precision = _Axis([one.precision for one in known], _BOTTOM, _TOP)
    dots = [
        Dot(
            threshold=one.threshold,
            x=recall.place(one.recall.value),
            y=precision.place(one.precision.value),
            left=recall.place(one.recall.low),
            right=recall.place(one.recall.high),
            top=precision.place(one.precision.high),
            bottom=precision.place(one.precision.low),
        )
        for one in known
    ]
    line = "M" + " ".join(f"{dot.x} {dot.y}" for dot in dots)
    summary = f"{_describe_point(known[0])}; {_describe_point(known[-1])}."
    return Chart(dots, line, recall.ticks(), precision.ticks(), summary)


def _describe_point(point: ReviewPoint) -> str:
    return f"threshold {point.threshold}: precision {point.precision.value:.3f}, recall {point.recall.value:.3f}"
