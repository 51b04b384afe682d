"""Documents as they come: checked, admitted."""

from fastapi import APIRouter, Request

from neardup.index.answers import describe_admission, describe_check
from neardup.service.access import Reader, Writer
from neardup.service.answers.answer import Answer
from neardup.service.api import examples
from neardup.service.api.description import answers, sends_document
from neardup.service.models.responses import ToldAdmission, ToldCheck
from neardup.service.requests.reading import read_document
from neardup.service.state.limits import SHORT
from neardup.service.state.state import holdings, serving, work

router = APIRouter(tags=["documents"])


@router.post(
    "/check",
    summary="Check a document",
    responses=answers(ToldCheck, examples.CHECK),
    openapi_extra=sends_document(examples.LATE),
)
async def check(request: Request, _: Reader) -> Answer:
    """Return what would come of a document; nothing changes."""
    document = await read_document(request)
    found = holdings(request)
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
    """Take a document in; when this is answered it is on the disk.

    It may be there when a 503 is answered, too: who asks again by the same id or URL is told so.
    """
    document = await read_document(request)
    [admission] = await work(request, lambda: holdings(request).admit([document]))
    serving(request).metrics.count_admission(admission.kind)
    return Answer(describe_admission(admission))
