"""The application that people look at."""

from fastapi import Depends, FastAPI

from neardup.service.pages import compare, document, login, search, statics
from neardup.service.pages.clusters import cluster
from neardup.service.pages.clusters import downloads as clusters_taken
from neardup.service.pages.clusters import listing as clusters
from neardup.service.pages.refusal import show_errors
from neardup.service.pages.reviews import routes as reviews
from neardup.service.pages.sweeps import contacts, history, site, versions
from neardup.service.requests.parameters import refuse_repeated

ROUTERS = (
    search.router,
    document.router,
    compare.router,
    clusters.router,
    clusters_taken.router,
    cluster.router,
    reviews.router,
    site.router,
    history.router,
    contacts.router,
    versions.router,
    login.router,
    statics.router,
)


def make_pages() -> FastAPI:
    """Make it."""
    app = FastAPI(openapi_url=None, redirect_slashes=False)
    for router in ROUTERS:
        app.include_router(router, dependencies=[Depends(refuse_repeated)])
    show_errors(app)
    return app
