"""The pages of all clusters of the index, as a survey found them."""

from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Query, Request
from starlette.responses import RedirectResponse, Response

from neardup import _core
from neardup.index.answers import describe_members
from neardup.index.index import Index
from neardup.output.json import write_lines
from neardup.review.agreement import judge
from neardup.review.label_log import Labels
from neardup.service.access import Person, Reader
from neardup.service.pages.render import render
from neardup.service.pages.statics import as_file, render_file
from neardup.service.state.state import served, serving, work
from neardup.service.work.background import THREADS
from neardup.survey.found_cluster import ORDERS, FoundCluster, Order
from neardup.survey.survey import Survey

router = APIRouter(include_in_schema=False)
ROWS = 50
"""Number of clusters on a page."""


@router.get("/clusters")
async def show(
    request: Request, person: Reader, by: Order = "risk", page: Annotated[int, Query(ge=1, le=10**9)] = 1
) -> Response:
    """List clusters: the riskiest first, or the largest, or the newest."""
    survey = request_survey(request)
    if survey is None:
        return render_survey(request, person)
    index, judgements = served(request).index, serving(request).judgements

    def list_rows() -> list[tuple[FoundCluster, str, str]]:
        labels, shown = judgements.labels(), survey.clusters(by)[(page - 1) * ROWS : page * ROWS]
        return [(one, _title(index, one), summarise_judgement(one, labels)) for one in shown]

    return render(
        "clusters.html",
        request,
        person,
        survey=survey,
        behind=index.position - survey.position,
        job=serving(request).surveying,
        by=by,
        orders=ORDERS,
        page=page,
        pages=-(-len(survey) // ROWS),
        rows=await work(request, list_rows),
    )


@router.post("/clusters")
async def survey_again(request: Request, _: Reader) -> Response:
    """Start a new survey of the index."""
    if not serving(request).surveying.is_busy:
        start_survey(request)
    return RedirectResponse("/clusters", 303)


def request_survey(request: Request) -> Survey | None:
    """Return the last survey. If there is none yet, start the first one and return None."""
    surveying = serving(request).surveying
    if surveying.result is None and not surveying.is_busy and not surveying.problem:
        start_survey(request)
    return surveying.result


def start_survey(request: Request) -> None:
    """Start a survey."""
    index = served(request).index
    serving(request).surveying.start(lambda progress: Survey.make(index, threads=THREADS, progress=progress))


def render_survey(request: Request, person: Person) -> Response:
    """Show the progress of the first survey, or why it failed."""
    return render("surveying.html", request, person, job=serving(request).surveying)


def _title(index: Index, cluster: FoundCluster) -> str:
    """Return the title of the first document of a cluster that is still there."""
    return next((_core.title(index.get(one.id).text) for one in cluster.members if one.id in index), "")


def summarise_judgement(cluster: FoundCluster, labels: Labels) -> str:
    """Return the judgement of people on a cluster: "split", "confirmed" if all its links are, or "" for nothing yet."""
    verdicts = [judge(labels.get(link.key, {}).values()) for link in cluster.links]
    if False in verdicts:
        return "split"
    return "confirmed" if verdicts and all(verdicts) else ""


CLUSTERS = 200
"""Number of clusters on the page to download."""
MEMBERS = 20
"""Number of documents of a cluster on that page."""
EXCERPT = 300
"""Number of characters of the text that represents a cluster."""


class DownloadedCluster(NamedTuple):
    """A cluster with the judgement on it, the beginning of its first document, and the documents shown, by id."""

    found: FoundCluster
    judgement: str
    excerpt: str
    documents: dict[str, dict[str, Any]]


@router.get("/clusters/page.html")
async def download_list(request: Request, person: Reader, by: Order = "risk") -> Response:
    """Return the list as one page to download."""
    survey = request_survey(request)
    if survey is None:
        return render_survey(request, person)
    index, judgements = served(request).index, serving(request).judgements

    def write() -> Response:
        labels = judgements.labels()
        clusters = [_summarise(index, one, labels) for one in survey.clusters(by)[:CLUSTERS]]
        return render_file(
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
async def download_labels(request: Request, _: Reader) -> Response:
    """Return the pairs that people decided, as labels that `evaluate` reads."""
    judgements = serving(request).judgements
    lines = await work(request, lambda: write_lines(judgements.export()))
    return Response(lines, media_type="application/x-ndjson", headers=as_file("cluster-labels.jsonl"))


def _summarise(index: Index, found: FoundCluster, labels: Labels) -> DownloadedCluster:
    shown = [member.id for member in found.members[:MEMBERS]]
    # some may have been removed since the survey
    documents = {one["id"]: one for one in describe_members(index, shown)}
    excerpt = index.get(next(iter(documents))).text[:EXCERPT] if documents else ""
    return DownloadedCluster(found, summarise_judgement(found, labels), excerpt, documents)
