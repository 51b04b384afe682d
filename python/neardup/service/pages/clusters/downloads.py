"""What can be taken away of the clusters: the list as one page, and what was judged."""

from typing import NamedTuple

from fastapi import APIRouter, Request
from starlette.responses import Response

from neardup.index.index import Index
from neardup.output.json import write_lines
from neardup.review.labels.standing import Labels
from neardup.service.access import Reader
from neardup.service.pages.clusters.listing import render_survey, request_survey, tell_standing
from neardup.service.pages.mailed import as_file, render_mailed
from neardup.service.state.state import holdings, serving, work
from neardup.survey.found_cluster import FoundCluster
from neardup.survey.order import Order

router = APIRouter(include_in_schema=False)
CLUSTERS = 200
"""Clusters in the page."""
MEMBERS = 20
"""Documents of a cluster in the page."""
EXCERPT = 300
"""Characters of the text that stand for a cluster."""


class TakenCluster(NamedTuple):
    """A cluster with what is said of it, the beginning of its first document, and the URLs of those that are shown."""

    found: FoundCluster
    standing: str
    excerpt: str
    urls: dict[str, str | None]


@router.get("/clusters/page.html")
async def take_list(request: Request, person: Reader, by: Order = "risk") -> Response:
    """Return the list as one page."""
    survey = request_survey(request)
    if survey is None:
        return render_survey(request, person)
    index, judgements = holdings(request).index, serving(request).judgements

    def write() -> Response:
        labels = judgements.labels()
        clusters = [_take(index, one, labels) for one in survey.clusters(by)[:CLUSTERS]]
        return render_mailed(
            "clusters_page.html",
            request,
            "clusters.html",
            survey=survey,
            by=by,
            total=len(survey),
            clusters=clusters,
            most=MEMBERS,
        )

    return await work(request, write)


@router.get("/clusters/labels.jsonl")
async def take_labels(request: Request, _: Reader) -> Response:
    """Return the pairs that people decided, as `evaluate` reads them."""
    judgements = serving(request).judgements
    lines = await work(request, lambda: write_lines(judgements.export()))
    return Response(lines, media_type="application/x-ndjson", headers=as_file("cluster-labels.jsonl"))


def _take(index: Index, found: FoundCluster, labels: Labels) -> TakenCluster:
    shown = [member.id for member in found.members[:MEMBERS]]
    # some may have been removed since the survey
    documents = {name: index.get(name) for name in shown if name in index}
    excerpt = next((one.text[:EXCERPT] for one in documents.values()), "")
    urls = {name: documents[name].url if name in documents else None for name in shown}
    return TakenCluster(found, tell_standing(found, labels), excerpt, urls)
