# Written by `make docs` from the list in public.py.

from neardup.urls.mirrors import find_mirrors as find_mirrors
from neardup.urls.url_groups import group_urls as group_urls
from neardup.urls.urls import UrlRules as UrlRules
from neardup.urls.urls import canonical_url as canonical_url

__all__ = [
    "UrlRules",
    "canonical_url",
    "find_mirrors",
    "group_urls",
]
