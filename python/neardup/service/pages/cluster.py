"""One cluster: its documents in the order of time, and the pairs that hold it together."""

from typing import Annotated, Literal

from fastapi import APIRouter, Form, Query, Request
from starlette.responses import RedirectResponse, Response

from neardup.service.access import Reader, Writer
from neardup.service.judgements import ANONYMOUS
from neardup.service.pages.clusters import render_survey, request_survey, tell_standing
from neardup.service.pages.render import link_to, render
from neardup.service.pages.reviews.reviewer import Who
from neardup.service.pages.timeline import Timeline
from neardup.service.problem import Refusal
from neardup.service.state import holdings, serving, work
from neardup.study.survey.found_cluster import FoundCluster
from neardup.study.survey.parts import cut_cluster

router = APIRouter(include_in_schema=False)
MEMBERS = 200
"""Documents of a part that are shown."""
LINKS = 50
"""Links that are shown, the weakest ones."""


@router.get("/cluster")
async def show(request: Request, person: Reader, who: Who, id: Annotated[str, Query()]) -> Response:  # noqa: A002
    """Show the cluster of a document."""
    survey = request_survey(request)
    if survey is None:
        return render_survey(request, person)
    found = survey.cluster_of(id)
    if found is None:
        raise Refusal(404, "the last survey found this document in no cluster")
    index, judgements = holdings(request).index, serving(request).judgements
    labels, cut = await work(request, lambda: (judgements.labels(), judgements.cut()))
    parts = cut_cluster(found, cut)
    documents = await work(
        request, lambda: {one.id: index.get(one.id) for part in parts for one in part[:MEMBERS] if one.id in index}
    )
    return render(
        "cluster.html",
        request,
        person,
        who=who or ANONYMOUS,
        cluster=found,
        parts=parts,
        documents=documents,
        most=MEMBERS,
        links=[(link, labels.get(link.key, {})) for link in found.links[:LINKS]],
        standing=tell_standing(found, labels),
        timeline=Timeline.of(found),
    )


@router.post("/cluster")
async def judge_cluster(
    request: Request,
    _: Writer,
    who: Who,
    id: Annotated[str, Form()],  # noqa: A002
    say: Annotated[Literal["confirm", "split", "back"], Form()],
    left: Annotated[str, Form()] = "",
    right: Annotated[str, Form()] = "",
) -> Response:
    """Confirm a cluster, split it at a link, or take back what was said of a link; of the index nothing changes."""
    survey = request_survey(request)
    found = survey and survey.cluster_of(id)
    if not found:
        raise Refusal(404, "the last survey found this document in no cluster")
    judgements = serving(request).judgements
    if say == "confirm":
        await work(request, lambda: judgements.confirm(who, [link.key for link in found.links]))
    else:
        key = _find_link(found, left, right)
        task = judgements.take_back if say == "back" else judgements.split
        await work(request, lambda: task(who, key))
    return RedirectResponse(link_to("/cluster", id=id), 303)


def _find_link(cluster: FoundCluster, left: str, right: str) -> tuple[str, str]:
    if (left, right) not in {link.key for link in cluster.links}:
        raise Refusal(422, "these documents are no link of the cluster")
    return left, right
