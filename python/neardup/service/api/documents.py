"""Requests that check, admit, show and remove documents."""

from typing import Annotated

from fastapi import APIRouter, Query, Request

from neardup.index.answers import describe_admission, describe_check, describe_document, describe_removal
from neardup.service.access import Reader, Writer
from neardup.service.answers import Answer
from neardup.service.api import examples
from neardup.service.api.description import answers, sends, sends_document
from neardup.service.models.requests import SentIds
from neardup.service.models.responses import (
    ToldAdmission,
    ToldCheck,
    ToldCluster,
    ToldDocument,
    ToldDuplicates,
    ToldRemoval,
)
from neardup.service.requests import NO_ID, find_id, finding, read_document, read_json
from neardup.service.state.limits import SHORT
from neardup.service.state.state import served, serving, work

router = APIRouter(tags=["documents"])


@router.post(
    "/check",
    summary="Check a document",
    responses=answers(ToldCheck, examples.CHECK),
    openapi_extra=sends_document(examples.LATE),
)
async def check(request: Request, _: Reader) -> Answer:
    """Return what the index would decide about a document; nothing changes."""
    document = await read_document(request)
    found = served(request)
    if len(document.text) <= SHORT:
        return Answer(describe_check(found.check(document)))
    return Answer(describe_check(await work(request, lambda: found.check(document))))


@router.post(
    "/admit",
    summary="Admit a document",
    responses=answers(ToldAdmission, examples.ADMISSION),
    openapi_extra=sends_document(examples.LATE),
)
async def admit(request: Request, _: Writer) -> Answer:
    """Admit a document; when this is answered it is on the disk.

    It may also be there after a 503: a second request with the same id or URL then says so.
    """
    document = await read_document(request)
    [admission] = await work(request, lambda: served(request).admit([document]))
    serving(request).metrics.count_admission(admission.kind)
    return Answer(describe_admission(admission))


Id = Annotated[str | None, Query(description="The id of the document.", openapi_examples=examples.ID)]
Url = Annotated[str | None, Query(description="Or its URL.")]


@router.get("/document", summary="Show a document", responses=answers(ToldDocument, examples.DOCUMENT, finds=True))
async def document(
    request: Request,
    _: Reader,
    id: Id = None,  # noqa: A002 - the field has this name
    url: Url = None,
    text: Annotated[bool, Query(description="Return the text, too.")] = False,
) -> Answer:
    """Return the verdict on a document, the documents with the same original, and those of its cluster."""
    name, index = find_id(request, id, url), served(request).index
    with finding(NO_ID):
        return Answer(await work(request, lambda: describe_document(index, name, with_text=text)))


@router.get(
    "/duplicates",
    summary="List the duplicates of a document",
    responses=answers(ToldDuplicates, examples.DUPLICATES, finds=True),
)
async def duplicates(request: Request, _: Reader, id: Id = None, url: Url = None) -> Answer:  # noqa: A002
    """List all documents with the same original, by their ids."""
    name, index = find_id(request, id, url), served(request).index
    with finding(NO_ID):
        original, *others = await work(request, lambda: index.group(name))
    return Answer({"original": original, "duplicates": others})


@router.get(
    "/cluster", summary="List the cluster of a document", responses=answers(ToldCluster, examples.CLUSTER, finds=True)
)
async def cluster(request: Request, _: Reader, id: Id = None, url: Url = None) -> Answer:  # noqa: A002
    """List all documents in the cluster of a document, by their ids; pairs that meet the measure connect them."""
    name, index = find_id(request, id, url), served(request).index
    with finding(NO_ID):
        members = await work(request, lambda: index.cluster(name))
    return Answer({"cluster": members[0], "documents": members})


@router.post(
    "/remove",
    summary="Remove documents",
    responses=answers(ToldRemoval, examples.REMOVAL, finds=True),
    openapi_extra=sends(SentIds, examples.IDS),
)
async def remove(request: Request, _: Writer) -> Answer:
    """Remove documents; if one of them is not there, none is removed."""
    sent = await read_json(request, SentIds)
    with finding("one of these documents is not there, and none was removed"):
        return Answer(describe_removal(await work(request, lambda: served(request).remove(sent.ids))))
