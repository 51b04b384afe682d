"""The button that draws more pairs of a review."""

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from neardup.service.access import Writer
from neardup.service.pages.reviews.reviewer import Asked, ask
from neardup.service.state.state import serving

router = APIRouter(include_in_schema=False)


@router.post("/reviews/{name}/draw")
async def draw(request: Request, _: Writer, review: Asked, name: str) -> Response:
    """Start drawing more pairs, and redirect to the figures, which show the progress."""
    settings = await ask(request, lambda: review.settings)
    serving(request).reviews.draw(name, review, settings)
    return RedirectResponse(f"/reviews/{name}", 303)
