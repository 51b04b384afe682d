"""The figure of the queries: one self-contained SVG file, with both axes logarithmic."""

import math
from collections.abc import Iterator, Sequence
from html import escape

Point = tuple[str, int, dict[str, float]]
"""A driver, the number of documents, and microseconds by name."""

FRAMEWORK = (1_000_000, 1_420_000.0)
"""Documents in a web framework of 2008, and mean microseconds of a query to it, which grew linearly with them."""
WIDTH, HEIGHT = 720, 440
LEFT, RIGHT, TOP, BOTTOM = 70, 150, 20, 50
LEAST = 15.0
"""Least distance between two labels, from top to top."""
FROM, TO = (1e3, 1.0), (1e6, 1e7)
"""Documents and microseconds at the corners."""
UNITS = {1.0: "1 µs", 1e1: "10 µs", 1e2: "100 µs", 1e3: "1 ms", 1e4: "10 ms", 1e5: "100 ms", 1e6: "1 s", 1e7: "10 s"}
STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#333}.grid{stroke:#ddd}polyline{fill:none;stroke-width:2}"
    ".p99{stroke-dasharray:5 4}.Rust{stroke:#b4541a}.Python{stroke:#2b6cb0}.framework{stroke:#777}"
    "@media(prefers-color-scheme:dark){text{fill:#ddd}.grid{stroke:#444}}"
)


def place(documents: float, microseconds: float) -> tuple[float, float]:
    """Return the position of a point in the figure."""
    across = math.log(documents / FROM[0]) / math.log(TO[0] / FROM[0])
    up = math.log(microseconds / FROM[1]) / math.log(TO[1] / FROM[1])
    return LEFT + across * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM)


def line(kind: str, points: Sequence[tuple[float, float]]) -> str:
    """Return a line through points."""
    path = " ".join("{:.1f},{:.1f}".format(*place(*point)) for point in points)
    return f'<polyline class="{kind}" points="{path}"/>'


def names(ends: dict[str, tuple[float, float]]) -> Iterator[str]:
    """Yield the labels of lines beside their ends, moved down where they would overlap."""
    free = 0.0
    for height, name in sorted((place(*end)[1], name) for name, end in ends.items()):
        free = max(free, height + 4)
        yield f'<text x="{WIDTH - RIGHT + 6}" y="{free:.1f}">{escape(name)}</text>'
        free += LEAST


def draw(points: Sequence[Point]) -> str:
    """Draw p50 and p99 of every driver, beside the framework of 2008."""
    box = f'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"'
    parts = [f"<svg {box}>", f"<style>{STYLE}</style>"]
    parts.append("<title>How long a query takes, by the number of documents in the index</title>")
    for height, label in UNITS.items():
        (x, y), (end, _) = place(FROM[0], height), place(TO[0], height)
        parts.append(f'<path class="grid" d="M{x:.1f} {y:.1f}H{end:.1f}"/>')
        parts.append(f'<text x="{x - 8:.1f}" y="{y + 4:.1f}" text-anchor="end">{label}</text>')
    for documents in (1_000, 10_000, 100_000, 1_000_000):
        x, y = place(documents, FROM[1])
        parts.append(f'<text x="{x:.1f}" y="{y + 20:.1f}" text-anchor="middle">{documents:,}</text>')
    parts.append(f'<text x="{LEFT}" y="{HEIGHT - 8}">documents in the index</text>')
    most, mean = FRAMEWORK
    parts.append(line("framework", [(1_000, mean * 1_000 / most), FRAMEWORK]))
    ends: dict[str, tuple[float, float]] = {"framework of 2008": FRAMEWORK}
    for driver in dict.fromkeys(driver for driver, _, _ in points):
        for share in ("p50", "p99"):
            of = [(size, figures[share]) for name, size, figures in points if name == driver]
            parts.append(line(f"{driver} {share}", of))
            ends[f"{driver}, {share}"] = of[-1]
    return "\n".join([*parts, *names(ends), "</svg>"]) + "\n"
