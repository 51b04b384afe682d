"""The form that changes the goal of a review."""

from fastapi import APIRouter, Request
from pydantic import BaseModel
from starlette.responses import RedirectResponse, Response

from neardup.service.access import Writer
from neardup.service.pages.form import read_form
from neardup.service.pages.reviews.numbers import read_share, read_whole
from neardup.service.pages.reviews.reviewer import Asked, ask

router = APIRouter(include_in_schema=False)


class SentGoal(BaseModel):
    """The fields of the form that changes the goal."""

    precision: str = ""
    labels: str = ""


@router.post("/reviews/{name}/goal")
async def change(request: Request, _: Writer, review: Asked) -> Response:
    """Change the goal, and redirect to the figures."""
    sent = await read_form(request, SentGoal)
    precision, labels = read_share("precision", sent.precision), read_whole("labels", sent.labels)
    await ask(request, lambda: review.aim(precision=precision, labels=labels))
    return RedirectResponse(f"/reviews/{review.folder.name}", 303)
