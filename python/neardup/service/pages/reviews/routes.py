"""All routes of reviews."""

from fastapi import APIRouter

from neardup.service.pages.reviews import downloads, overview, pair, review_list, reviewer

router = APIRouter(include_in_schema=False)
for part in (review_list, overview, reviewer, pair, downloads):
    router.include_router(part.router)
