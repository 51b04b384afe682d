"""Two texts side by side, as HTML."""

from fastapi import Request
from markupsafe import Markup

from neardup.errors import DataError
from neardup.service.state.state import serving

LIMIT = 100_000
"""Characters shown of each text."""


async def show_sides(request: Request, left: str, right: str, scheme: str, limit: int = LIMIT) -> Markup:
    """Show what two texts have in common by a scheme, and where they differ; `DataError` where that takes too long."""
    drawn = await serving(request).children.do("draw_sides", left=left, right=right, scheme=scheme, limit=limit)
    return Markup(drawn)  # noqa: S704 - the core escapes what it shows


async def try_sides(request: Request, left: str, right: str, scheme: str, limit: int = LIMIT) -> Markup | None:
    """Do the same; None where it takes too long, so that such a pair takes nothing from others."""
    try:
        return await show_sides(request, left, right, scheme, limit)
    except DataError:
        return None
