"""What one client may take of the service."""

from typing import NamedTuple

BULK = "/api/bulk/"
"""Requests that last as long as lines come: of these each line is bounded, and not the whole."""

HEALTH = "/api/health"
"""What is answered however many requests are under way, and waits for nothing."""

SHORT = 1 << 16
"""Bytes of a body, and characters of a text, that are dealt with at once; longer ones would let the others wait."""


class Limits(NamedTuple):
    """Bounds of every request; whoever passes one is told which (413, 408, 429, 503)."""

    body: int = 4 << 20
    """Bytes of a body, and of one line of a bulk request."""
    seconds: float = 30.0
    """From the first byte of a request to the last of its answer; in a bulk request, between two lines."""
    requests: int = 256
    """Requests that are answered at a time."""
