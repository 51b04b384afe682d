"""Schemes that a request may have texts compared by."""

import re

from neardup.index.index import Index
from neardup.service.answers.problem import Refusal


def own_scheme(index: Index) -> str:
    """Return the scheme of an index without its secret, of which no count hangs."""
    return re.sub(r" seed=check:\w+", "", index.scheme)


def refuse_files(scheme: str | None) -> None:
    """Refuse a scheme that names files: nobody reads files of this machine by a request."""
    if scheme is not None and ("file:" in scheme or "idf:" in scheme):
        raise Refusal(422, "a scheme cannot be asked for here when it names a file (`file:`, `idf:`)")
