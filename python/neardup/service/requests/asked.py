"""Documents that are asked for by id or URL."""

from collections.abc import Iterator
from contextlib import contextmanager

from fastapi import Request

from neardup.errors import DamagedIndex, DataError
from neardup.service.answers.problem import Refusal
from neardup.service.state.state import holdings

NO_ID = "there is no document of this id"
NO_URL = "there is no document of this URL"


def find_id(request: Request, id: str | None, url: str | None = None) -> str:  # noqa: A002 - the field has this name
    """Return the id of the document that is asked for; 404 when there is none, 422 when nothing is named, or both."""
    if (id is None) == (url is None):
        raise Refusal(422, "name a document by its id or by its url")
    index = holdings(request).index
    found = index.of_url(url) if url is not None else id if id in index else None
    if found is None:
        raise Refusal(404, NO_ID if url is None else NO_URL)
    return found


@contextmanager
def finding(missing: str) -> Iterator[None]:
    """Answer 404, with this sentence, when the block misses what was named, which may have gone meanwhile."""
    try:
        yield
    except DamagedIndex:
        raise
    except DataError:
        raise Refusal(404, missing) from None
