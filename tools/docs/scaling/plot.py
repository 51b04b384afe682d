"""The figure of `growth`: time and memory by the number of documents, as one self-contained SVG file."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

Points = Sequence[tuple[float, float]]

WIDTH, HEIGHT = 720, 360
PANEL = 360
LEFT, RIGHT, TOP, BOTTOM = 56, 18, 64, 52
FROM, TO = 0.8e6, 40e6
"""Documents at both ends of the logarithmic axis."""
STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#333}.unit{font-weight:600}.grid{stroke:#ddd}"
    "polyline{fill:none;stroke-width:2}.measured{stroke:#b4541a}circle{fill:#b4541a}text.measured{fill:#b4541a;stroke:none}"
    ".line{stroke:#2b6cb0;stroke-dasharray:6 4}text.line{fill:#2b6cb0;stroke:none}"
    "@media(prefers-color-scheme:dark){text{fill:#ddd}.grid{stroke:#444}.measured{stroke:#f0925a}circle{fill:#f0925a}"
    "text.measured{fill:#f0925a}.line{stroke:#7ab0ec}text.line{fill:#7ab0ec}}"
)


@dataclass(frozen=True)
class Panel:
    """One of the two charts: measured points, and a line that they are compared with."""

    title: str
    measured: Points
    line: Points
    line_name: str
    digits: int
    axis_digits: int

    @property
    def most(self) -> float:
        """The top of the axis: a round number above all points."""
        highest = max(value for _, value in [*self.measured, *self.line]) * 1.15
        step = 10.0 ** math.floor(math.log10(highest))
        return next(step * times for times in (1, 1.5, 2, 3, 4, 5, 6, 8, 10) if step * times >= highest)

    def place(self, documents: float, value: float) -> tuple[float, float]:
        """Return the position of a point."""
        across = math.log(documents / FROM) / math.log(TO / FROM)
        height = HEIGHT - TOP - BOTTOM
        return LEFT + across * (PANEL - LEFT - RIGHT), HEIGHT - BOTTOM - value / self.most * height

    def draw(self) -> Iterator[str]:
        """Yield the chart in pieces of SVG."""
        yield f'<text class="unit" x="{LEFT}" y="20">{escape(self.title)}</text>'
        for quarter in range(5):
            value = self.most * quarter / 4
            (x, y), (end, _) = self.place(FROM, value), self.place(TO, value)
            yield f'<path class="grid" d="M{x:.1f} {y:.1f}H{end:.1f}"/>'
            yield f'<text x="{x - 8:.1f}" y="{y + 4:.1f}" text-anchor="end">{value:,.{self.axis_digits}f}</text>'
        for documents, _ in self.measured:
            x, y = self.place(documents, 0)
            yield f'<text x="{x:.1f}" y="{y + 20:.1f}" text-anchor="middle">{documents / 1e6:g} M</text>'
        yield f'<text x="{LEFT}" y="{HEIGHT - 10}">documents</text>'
        yield self._polyline("line", self.line)
        yield self._polyline("measured", self.measured)
        for documents, value in self.measured:
            x, y = self.place(documents, value)
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4"/>'
            at = f'x="{x + 14:.1f}" y="{y - 10:.1f}" text-anchor="end"'
            yield f'<text class="measured" {at}>{value:,.{self.digits}f}</text>'
        yield f'<path class="line" d="M{LEFT} 36h26"/>'
        yield f'<text class="line" x="{LEFT + 34}" y="40">{escape(self.line_name)}</text>'

    def _polyline(self, kind: str, points: Points) -> str:
        places = " ".join("{:.1f},{:.1f}".format(*self.place(*point)) for point in points)
        return f'<polyline class="{kind}" points="{places}"/>'


def draw(panels: Sequence[Panel]) -> str:
    """Draw panels side by side."""
    box = f'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"'
    parts = [f"<svg {box}>", f"<style>{STYLE}</style>", f"<title>{escape(', '.join(p.title for p in panels))}</title>"]
    for number, panel in enumerate(panels):
        parts += [f'<g transform="translate({number * PANEL} 0)">', *panel.draw(), "</g>"]
    return "\n".join([*parts, "</svg>"]) + "\n"
