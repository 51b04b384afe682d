"""The review that is asked for."""

from collections.abc import Callable
from typing import Annotated, TypeVar

from fastapi import Depends, Request

from neardup.errors import DataError, EnvironmentFault
from neardup.review.review import Review
from neardup.service.access import Reader
from neardup.service.state.state import serving, work

T = TypeVar("T")


async def find_review(request: Request, name: str, _: Reader) -> Review:
    """Return the review of this name; 404 where there is none."""
    return await work(request, lambda: serving(request).reviews.open(name))


async def ask(request: Request, question: Callable[[], T]) -> T:
    """Ask a review; what of it is broken is for the owner of the service to mend."""
    try:
        return await work(request, question)
    except DataError as error:
        raise EnvironmentFault(str(error)) from error


Asked = Annotated[Review, Depends(find_review)]
