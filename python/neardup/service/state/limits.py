"""Limits on what one client may take of the service, and its counters."""

from typing import NamedTuple

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from neardup.service.state.served_data import ServedData

BULK = "/api/bulk/"
"""Paths of bulk requests, which last as long as lines arrive. Limits apply to each line, and not to the whole."""
HEALTH = "/api/health"
"""The path that is answered whatever number of requests is open, and that waits for nothing."""
SHORT = 1 << 16
"""Largest number of bytes of a body, and of characters of a text, for the event loop; longer ones would delay
others."""


class Limits(NamedTuple):
    """Limits of every request; the answer to one that exceeds them says which (413, 408, 429, 503)."""

    body: int = 4 << 20
    """Largest number of bytes of a body, and of one line of a bulk request."""
    seconds: float = 30.0
    """Seconds from the first byte of a request to the last of its answer; in a bulk request, between two lines."""
    requests: int = 256
    """Largest number of requests that are answered at a time."""


_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)


class Metrics:
    """Counters of one service."""

    def __init__(self, served: ServedData) -> None:
        self._registry = CollectorRegistry()
        documents = Gauge("neardup_documents", "Documents of the index.", registry=self._registry)
        documents.set_function(lambda: len(served.index))
        self.open = Gauge("neardup_requests_open", "Requests that are under way.", registry=self._registry)
        self._requests = Counter("neardup_requests", "Answers.", ["route", "status"], registry=self._registry)
        self._seconds = Histogram(
            "neardup_request_seconds",
            "From the first byte of a request to the last of its answer.",
            ["route"],
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._admissions = Counter("neardup_admissions", "Documents taken in.", ["kind"], registry=self._registry)

    def count_answer(self, route: str, status: int, seconds: float) -> None:
        """Count an answer. `route` is the pattern of the route, and not the path of the request."""
        self._requests.labels(route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def count_admission(self, kind: str) -> None:
        """Count a document that was admitted, by its kind."""
        self._admissions.labels(kind).inc()

    def write(self) -> bytes:
        """Return all metrics in the text form of Prometheus."""
        return generate_latest(self._registry)
