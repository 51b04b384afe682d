"""The page of one cluster: its documents in the order of time, and the links that connect them."""

from collections import Counter
from typing import Annotated, Literal, NamedTuple

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel
from starlette.responses import RedirectResponse, Response

from neardup.index.answers import describe_members
from neardup.service.access import Reader, Writer
from neardup.service.answers import Refusal
from neardup.service.pages.clusters import render_survey, request_survey, summarise_judgement
from neardup.service.pages.form import read_form
from neardup.service.pages.render import link_to, render
from neardup.service.pages.reviews.reviewer import Who
from neardup.service.state.reviews import ANONYMOUS, find_cut
from neardup.service.state.state import served, serving, work
from neardup.survey.found_cluster import FoundCluster, Time, time_key
from neardup.survey.survey import cut_cluster

BINS = 120
"""Number of places on the axis."""


class Mark(NamedTuple):
    """Documents of about one time: the place from 0 to 1, their number, and that number as a share of the largest."""

    place: float
    documents: int
    share: float


class Timeline(NamedTuple):
    """Marks from the first time to the last, and the number of documents without a time."""

    first: Time
    last: Time
    marks: list[Mark]
    undated: int

    @classmethod
    def of(cls, cluster: FoundCluster) -> "Timeline":
        """Place the documents of a cluster."""
        seconds = [time_key(one.time)[1] for one in cluster.members if one.time is not None]
        low, high = (min(seconds), max(seconds)) if seconds else (0, 0)
        bins = Counter((one - low) * (BINS - 1) // ((high - low) or 1) for one in seconds)
        most = max(bins.values(), default=1)
        marks = [Mark(place / (BINS - 1), count, count / most) for place, count in sorted(bins.items())]
        return cls(cluster.first, cluster.last, marks, len(cluster.members) - len(seconds))


router = APIRouter(include_in_schema=False)
MEMBERS = 200
"""Number of documents of a part that are shown."""
LINKS = 50
"""Number of links that are shown, the weakest ones."""


class Judgement(BaseModel):
    """A judgement of a cluster as of a step of the index, or of one of its links."""

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
    index, judgements = served(request).index, serving(request).judgements

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
            documents={one["id"]: one for one in describe_members(index, shown)},
            most=MEMBERS,
            links=[(link, labels.get(link.key, {})) for link in found.links[:LINKS]],
            judgement=summarise_judgement(found, labels),
            timeline=Timeline.of(found),
        )

    return await work(request, write)


@router.post("/cluster")
async def judge_cluster(request: Request, _: Writer, who: Who) -> Response:
    """Confirm a cluster, split it at a link, or undo the label of a link; the index does not change."""
    form, survey = await read_form(request, Judgement), request_survey(request)
    found = survey and survey.cluster_of(form.id)
    if not survey or not found:
        raise Refusal(404, "the last survey found this document in no cluster")
    judgements = serving(request).judgements
    if form.say == "confirm":
        if form.position != survey.position:
            raise Refusal(409, "somebody looked at the index again: see what the cluster is now, and confirm that")
        await work(request, lambda: judgements.confirm(who, [link.key for link in found.links]))
    else:
        key = _find_link(found, form.left, form.right)
        task = judgements.take_back if form.say == "back" else judgements.split
        await work(request, lambda: task(who, key))
    return RedirectResponse(link_to("/cluster", id=form.id), 303)


def _find_link(cluster: FoundCluster, left: str, right: str) -> tuple[str, str]:
    if (left, right) not in {link.key for link in cluster.links}:
        raise Refusal(422, "these documents are no link of the cluster")
    return left, right
