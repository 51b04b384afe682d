"""The page of all reviews, with the form that starts one."""

import logging
from typing import NamedTuple

from fastapi import APIRouter, Request
from pydantic import BaseModel
from starlette.responses import RedirectResponse, Response

from neardup import _core
from neardup.errors import NeardupError, UsageError
from neardup.index.index import Index
from neardup.review.advice import Outlook
from neardup.review.estimate import Figures
from neardup.review.options import EACH, SEED, WIDTH, plan_draw
from neardup.review.review import Review
from neardup.schemes.line import write_scheme
from neardup.schemes.plan import plan_scheme
from neardup.service.access import Reader, Writer
from neardup.service.answers import Refusal, problem_of
from neardup.service.pages.form import read_form
from neardup.service.pages.render import render
from neardup.service.pages.reviews.numbers import read_decimal, read_share, read_whole
from neardup.service.requests import own_scheme, refuse_files
from neardup.service.state.reviews import MOST_EACH, ReviewFolder
from neardup.service.state.state import served, serving, work
from neardup.service.state.tokens import Person

router = APIRouter(include_in_schema=False)
_log = logging.getLogger(__name__)


class ReviewRow(NamedTuple):
    """A review in the list: the number of its labelled pairs, the people who labelled them, and its figures.

    The figures are those at the threshold of the scheme. `review` is None if it cannot be read.
    """

    name: str
    review: Review | None = None
    labelled: int = 0
    people: tuple[str, ...] = ()
    figures: Figures | None = None
    outlook: Outlook | None = None


class ReviewForm(BaseModel):
    """The fields of the form, as they were entered."""

    name: str = ""
    scheme: str = ""
    floor: str = ""
    width: str = WIDTH
    each: str = str(EACH)
    seed: str = str(SEED)


@router.get("/reviews")
async def show(request: Request, person: Reader) -> Response:
    """List the reviews."""
    reviews = serving(request).reviews
    names = {*reviews.names(), reviews.made}
    name = next(f"review-{number}" for number in range(1, len(names) + 2) if f"review-{number}" not in names)
    scheme = _choose_scheme(served(request).index)
    return await _show(request, person, ReviewForm(name=name, scheme=scheme, floor=_choose_floor(scheme)))


@router.post("/reviews")
async def begin(request: Request, person: Writer) -> Response:
    """Start making a review, and redirect to its page."""
    form = await read_form(request, ReviewForm)
    try:
        refuse_files(form.scheme)
        options = {
            "scheme": form.scheme or None,
            "floor": read_decimal("floor", form.floor) if form.floor else None,
            "width": read_share("width", form.width),
            "each": read_whole("pairs of a stratum", form.each, MOST_EACH),
            "seed": read_whole("seed", form.seed),
        }
        serving(request).reviews.begin(form.name, **options)
    except (NeardupError, Refusal) as error:
        problem = problem_of(error)
        return await _show(request, person, form, problem.detail, problem.status)
    return RedirectResponse(f"/reviews/{form.name}", 303)


async def _show(request: Request, person: Person, form: ReviewForm, problem: str = "", status: int = 200) -> Response:
    reviews = serving(request).reviews
    rows = await work(request, lambda: [_summarise(reviews, name) for name in reviews.names()])
    return render(
        "reviews.html",
        request,
        person,
        status,
        rows=rows,
        reviews=reviews,
        form=form,
        most=MOST_EACH,
        problem=problem,
    )


def _summarise(reviews: ReviewFolder, name: str) -> ReviewRow:
    try:
        review = reviews.open(name)
        people = review.reviewers()
        return ReviewRow(
            name, review, len(review.labels()), tuple(one.name for one in people), review.estimate(), review.outlook()
        )
    except NeardupError as error:
        _log.error("%s", error)
        return ReviewRow(name)


def _choose_scheme(index: Index) -> str:
    """Choose the scheme of the index, or the default one if that cannot be reviewed."""
    own = own_scheme(index)
    try:
        plan_draw(own, {})
    except UsageError:
        return str(_core.Scheme(write_scheme(plan_scheme())))
    return own


def _choose_floor(scheme: str) -> str:
    """Choose a floor that leaves room for near-misses below the threshold of a scheme."""
    comparison = plan_draw(scheme, {}).comparison
    return comparison.measure.write(comparison.floor)
