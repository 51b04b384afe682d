"""All routes of reviews."""

from fastapi import APIRouter

from neardup.service.pages.reviews import downloads, overview, pair, reviewer, shelf

router = APIRouter(include_in_schema=False)
for part in (shelf, overview, reviewer, pair, downloads):
    router.include_router(part.router)
