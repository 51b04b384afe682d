"""Two texts side by side, as HTML."""

from fastapi import Request
from markupsafe import Markup

from neardup.service.errands import draw_sides
from neardup.service.state import serving

LIMIT = 100_000
"""Characters shown of each text."""


async def show_sides(request: Request, left: str, right: str, scheme: str) -> Markup:
    """Show what two texts have in common by a scheme, and where they differ; `DataError` where that takes too long."""
    drawn = await serving(request).children.do("draw_sides", left=left, right=right, scheme=scheme, limit=LIMIT)
    return Markup(drawn)  # noqa: S704 - the core escapes what it shows


def show_short_sides(left: str, right: str, scheme: str) -> Markup:
    """Do the same at once, of texts of some thousand characters."""
    return Markup(draw_sides(left, right, scheme, LIMIT))  # noqa: S704
