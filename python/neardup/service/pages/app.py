"""The application that people look at."""

from fastapi import FastAPI

from neardup.service.pages import (
    cluster,
    clusters,
    clusters_taken,
    compare,
    contacts,
    document,
    history,
    login,
    search,
    site,
    statics,
    versions,
)
from neardup.service.pages.refusal import show_errors
from neardup.service.pages.reviews import routes as reviews

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
        app.include_router(router)
    show_errors(app)
    return app
