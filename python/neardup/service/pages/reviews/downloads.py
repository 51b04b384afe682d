"""Downloads of a review: its labels, and all of it as one page."""

from typing import NamedTuple

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import Response

from neardup.output.json import write_lines
from neardup.review.label_log import Label
from neardup.review.review import Review
from neardup.review.sample import SampledPair
from neardup.service.access import Reader
from neardup.service.pages.compare import try_sides
from neardup.service.pages.reviews.chart import draw_curve
from neardup.service.pages.reviews.overview import ReviewFigures
from neardup.service.pages.reviews.reviewer import Asked, ask
from neardup.service.pages.statics import as_file, render_file

router = APIRouter(include_in_schema=False)
LENGTH = 2000
"""Largest number of characters of each text on the page."""


class LabelledPair(NamedTuple):
    """A pair with the label of each person, and both texts side by side; None if that takes too long."""

    pair: SampledPair
    labels: dict[str, Label]
    sides: Markup | None


@router.get("/reviews/{name}/labels.jsonl")
async def download_labels(request: Request, review: Asked) -> Response:
    """Return the decided pairs as labels that `evaluate` reads."""
    lines = await ask(request, lambda: write_lines(review.export()))
    return Response(lines, media_type="application/x-ndjson", headers=as_file(f"{_name(review)}.jsonl"))


@router.get("/reviews/{name}/page.html")
async def download_page(request: Request, _: Reader, review: Asked) -> Response:
    """Return the review as one page that needs nothing else, so that it can be read without this service."""
    figures, labels = await ask(request, lambda: (ReviewFigures.of(review), review.labels()))
    pairs = [await _show_sides(request, review, pair, labels[pair.key]) for pair in review.sample if pair.key in labels]

    def write() -> Response:
        return render_file(
            "review_page.html",
            request,
            f"{_name(review)}.html",
            review=review,
            figures=figures,
            chart=draw_curve(figures.points),
            pairs=pairs,
            length=LENGTH,
        )

    return await ask(request, write)


async def _show_sides(request: Request, review: Review, pair: SampledPair, labels: dict[str, Label]) -> LabelledPair:
    texts = pair.left.text, pair.right.text
    return LabelledPair(pair, labels, await try_sides(request, *texts, review.settings.scheme, LENGTH))


def _name(review: Review) -> str:
    return f"review-{review.folder.name}"
