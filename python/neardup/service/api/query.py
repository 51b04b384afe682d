"""Requests about texts: documents like one, how two differ, and near-duplicates in a list of results."""

import json
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from neardup.index.answers import describe_hits
from neardup.service.access import Reader
from neardup.service.answers import Answer, Refusal
from neardup.service.api import examples
from neardup.service.api.description import answers, sends
from neardup.service.models.requests import Named, SentPair, SentQuery, SentResults
from neardup.service.models.responses import ToldExplanation, ToldFold, ToldHits, ToldSearch
from neardup.service.requests import NO_ID, find_id, finding, own_scheme, read_json, refuse_files, to_document
from neardup.service.search.search import MOST_RESULTS
from neardup.service.search.search import search as find
from neardup.service.state.state import served, serving, work

router = APIRouter(tags=["questions"])
Asked = Annotated[
    str,
    Query(min_length=1, description="Words, an id, a URL or a text.", openapi_examples=examples.WORDS),
]
Offset = Annotated[int, Query(ge=0, le=MOST_RESULTS, description="Number of results that are left out.")]
Limit = Annotated[int, Query(ge=1, le=100, description="Results at most.")]
PASSAGES = 16 << 20
"""Largest sum of the characters that are compared and the bytes of passages in the answer, over all hits of one
query."""


@router.get("/search", summary="Search documents", responses=answers(ToldSearch, examples.SEARCH))
async def search(request: Request, q: Asked, _: Reader, offset: Offset = 0, limit: Limit = 10) -> Answer:
    """Find documents by an id, a URL, a text or all of some words, in this order, folded by cluster.

    If there is `more`, the next request adds the limit to the offset.
    """
    found = served(request)
    return Answer(await work(request, lambda: find(found.index, found.searched_store, q, offset, limit)))


@router.post(
    "/query",
    summary="Find what is like a text",
    responses=answers(ToldHits, examples.HITS, finds=True),
    openapi_extra=sends(SentQuery, examples.QUERY),
)
async def query(request: Request, _: Reader) -> Answer:
    """Find the documents most like a text, verified, the best first."""
    sent = await read_json(request, SentQuery)
    index, question = served(request).index, sent.model_dump(exclude={"passages"})
    if sent.text is not None:
        found = await work(request, lambda: index.query(**question))
    else:
        question |= {"id": find_id(request, sent.id, sent.url), "url": None}
        with finding(NO_ID):
            found = await work(request, lambda: index.query(**question))
    answer = describe_hits(found)
    if sent.passages:
        await _find_passages(request, find_text(request, sent), answer["hits"], own_scheme(index))
    # in a thread, because writing the passages of many hits takes more than a moment
    return await work(request, lambda: Answer(answer))


async def _find_passages(request: Request, text: str, hits: list[dict[str, Any]], scheme: str) -> None:
    """Add the passages to every hit.

    Their sizes are limited, because a short query may ask for passages of long texts.
    """
    left = PASSAGES
    for hit in hits:
        other = find_text(request, Named(id=hit["id"]))
        left -= len(text) + len(other)
        if left >= 0:
            found = await serving(request).processes.write("find_passages", left=text, right=other, scheme=scheme)
            left -= len(found)
            hit["passages"] = json.loads(found)
        if left < 0:
            taken = f"the passages of {len(hits):,} hits take more than {PASSAGES:,} characters and bytes"
            raise Refusal(422, f"{taken}: ask for fewer hits, or without passages")


@router.post(
    "/explain",
    summary="Explain a pair",
    responses=answers(ToldExplanation, examples.EXPLANATION, finds=True),
    openapi_extra=sends(SentPair, examples.PAIR),
)
async def explain(request: Request, _: Reader) -> Response:
    """Return why two texts are, or are not, near-duplicates: scores, passages, the difference."""
    sent = await read_json(request, SentPair)
    refuse_files(sent.scheme)
    options: dict[str, Any] = {"scheme": own_scheme(served(request).index), "measures": sent.measures}
    if sent.scheme is not None or sent.threshold is not None:
        options |= {"scheme": sent.scheme, "threshold": sent.threshold}
    left, right = find_text(request, sent.left), find_text(request, sent.right)
    answer = await serving(request).processes.write("explain", left=left, right=right, **options)
    return Response(answer, media_type=Answer.media_type)


@router.post(
    "/fold",
    summary="Fold a list of results",
    responses=answers(list[ToldFold], examples.FOLDED),
    openapi_extra=sends(SentResults, examples.RESULTS),
)
async def fold(request: Request, _: Reader) -> Answer:
    """Fold near-duplicates in a ranked list: the best of each group stays, the others follow it."""
    sent = await read_json(request, SentResults)
    refuse_files(sent.scheme)
    texts = [(await to_document(request, one)).text for one in sent.results]
    options = {"threshold": sent.threshold, "scheme": sent.scheme}
    folded = await serving(request).processes.do("fold", texts=texts, **options)
    shown = [(sent.results[rank - 1], rank, others) for rank, *others in folded]
    return Answer([{"rank": rank, "id": one.id, "url": one.url, "others": others} for one, rank, others in shown])


def find_text(request: Request, named: Named) -> str:
    """Return the text that is given, or that of the document that is named; 404 if there is none."""
    if named.text is not None:
        return named.text
    with finding(NO_ID):
        return served(request).index.get(find_id(request, named.id, named.url)).text
