"""One cluster: its documents in the order of time, and the pairs that hold it together."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel
from starlette.responses import RedirectResponse, Response

from neardup.service.access import Reader, Writer
from neardup.service.answers.problem import Refusal
from neardup.service.pages.clusters.listing import render_survey, request_survey, tell_standing
from neardup.service.pages.clusters.timeline import Timeline
from neardup.service.pages.form import read_form
from neardup.service.pages.render import link_to, render
from neardup.service.pages.reviews.reviewer import Who
from neardup.service.state.judgements import ANONYMOUS, find_cut
from neardup.service.state.state import holdings, serving, work
from neardup.survey.found_cluster import FoundCluster
from neardup.survey.parts import cut_cluster

router = APIRouter(include_in_schema=False)
MEMBERS = 200
"""Documents of a part that are shown."""
LINKS = 50
"""Links that are shown, the weakest ones."""


class Judgement(BaseModel):
    """What is said of a cluster as of a step of the index, or of one of its links."""

    id: str
    say: Literal["confirm", "split", "back"]
    position: int = -1
    left: str = ""
    right: str = ""


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

    def write() -> Response:
        labels = judgements.labels()
        parts = cut_cluster(found, find_cut(labels))
        shown = [one.id for part in parts for one in part[:MEMBERS]]
        return render(
            "cluster.html",
            request,
            person,
            who=who or ANONYMOUS,
            cluster=found,
            position=survey.position,
            parts=parts,
            documents={name: index.get(name) for name in shown if name in index},
            most=MEMBERS,
            links=[(link, labels.get(link.key, {})) for link in found.links[:LINKS]],
            standing=tell_standing(found, labels),
            timeline=Timeline.of(found),
        )

    return await work(request, write)


@router.post("/cluster")
async def judge_cluster(request: Request, _: Writer, who: Who) -> Response:
    """Confirm a cluster, split it at a link, or take back what was said of a link; of the index nothing changes."""
    said, survey = await read_form(request, Judgement), request_survey(request)
    found = survey and survey.cluster_of(said.id)
    if not survey or not found:
        raise Refusal(404, "the last survey found this document in no cluster")
    judgements = serving(request).judgements
    if said.say == "confirm":
        if said.position != survey.position:
            raise Refusal(409, "somebody looked at the index again: see what the cluster is now, and confirm that")
        await work(request, lambda: judgements.confirm(who, [link.key for link in found.links]))
    else:
        key = _find_link(found, said.left, said.right)
        task = judgements.take_back if said.say == "back" else judgements.split
        await work(request, lambda: task(who, key))
    return RedirectResponse(link_to("/cluster", id=said.id), 303)


def _find_link(cluster: FoundCluster, left: str, right: str) -> tuple[str, str]:
    if (left, right) not in {link.key for link in cluster.links}:
        raise Refusal(422, "these documents are no link of the cluster")
    return left, right
