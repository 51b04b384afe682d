"""What one client may take of the service."""

from typing import NamedTuple

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from neardup.service.state.served_data import ServedData

BULK = "/api/bulk/"
"""Requests that last as long as lines come: of these each line is bounded, and not the whole."""
HEALTH = "/api/health"
"""What is answered however many requests are under way, and waits for nothing."""
SHORT = 1 << 16
"""Bytes of a body, and characters of a text, that are dealt with at once; longer ones would let the others wait."""


class Limits(NamedTuple):
    """Limits of every request; the answer to one that exceeds them says which (413, 408, 429, 503)."""

    body: int = 4 << 20
    """Bytes of a body, and of one line of a bulk request."""
    seconds: float = 30.0
    """From the first byte of a request to the last of its answer; in a bulk request, between two lines."""
    requests: int = 256
    """Requests that are answered at a time."""


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
        """Count an answer of a route, which is its pattern and not the path that was asked for."""
        self._requests.labels(route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def count_admission(self, kind: str) -> None:
        """Count a document that was taken in, by what it is to the index."""
        self._admissions.labels(kind).inc()

    def write(self) -> bytes:
        """Write all in the text form of Prometheus."""
        return generate_latest(self._registry)
