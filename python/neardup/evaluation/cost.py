"""What a scheme takes: time and memory."""

from typing import Any, NamedTuple


class PhaseTime(NamedTuple):
    """How long a phase of a run took."""

    name: str
    seconds: float


class Cost(NamedTuple):
    """Time and memory of a scheme; None where the run does not say.

    `seconds` and `phases` are those of the run that lists the pairs, and so are documents per second; the clusters are
    made in a run of their own. Megabytes (millions of bytes) are those of the inputs as they stand on disk, in a second
    of the phase `sign`, which reads them.
    """

    seconds: float
    phases: list[PhaseTime]
    documents_per_second: float | None
    megabytes_per_second: float | None
    sketch_bytes_per_document: float | None
    cluster_seconds: float


def tell_cost(pairs: dict[str, Any], clusters: dict[str, Any]) -> Cost:
    """Take the cost out of the summaries of both runs."""
    phases = [PhaseTime(phase["name"], phase["seconds"]) for phase in pairs["phases"]]
    seconds, documents = sum(phase.seconds for phase in phases), pairs["counts"]["documents"]
    signed = next((phase for phase in pairs["phases"] if phase["name"] == "sign" and phase["unit"] == "bytes"), None)
    return Cost(
        seconds=seconds,
        phases=phases,
        documents_per_second=_share(documents, seconds),
        megabytes_per_second=None if signed is None else _share(signed["amount"] / 1e6, signed["seconds"]),
        sketch_bytes_per_document=_share(pairs.get("sketch_bytes"), documents),
        cluster_seconds=sum(phase["seconds"] for phase in clusters["phases"]),
    )


def _share(part: float | None, whole: float) -> float | None:
    return part / whole if part is not None and whole else None
