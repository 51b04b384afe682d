"""What a document costs in each stage of a run on Spark, from runs that bench/cluster_plan.py measured."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

Stages = dict[str, dict[str, float]]
"""For each stage: bytes `sent` to it, `read` from kept rows and `kept`, and seconds of `java` and of the `workers`."""

STARS = ("small star", "large star")
"""Stages of a round that connects links."""
BETWEEN = "between"
"""What is computed before, between and after the stages: plans, compilation, and the driver of Python."""


@dataclass(frozen=True)
class Run:
    """One run of `dedup` on Spark, as bench/spark_cost.py measured it."""

    documents: int
    bytes: int
    """Size of the file."""
    dropped: int
    cores: int
    seconds: float
    """Seconds of the run, without the start of Spark."""
    start: float
    """Seconds of the start of Spark."""
    cpu: dict[str, float]
    """Seconds of processor time, by role: `java`, `workers` of Python, `driver` of Python."""
    peaks: dict[str, int]
    """Peak resident bytes of the largest process of a role, and of all workers together."""
    rounds: int
    """Rounds in which links were connected."""
    stages: Stages
    digest: str

    @property
    def used(self) -> float:
        """Share of the time that the cores computed."""
        return sum(self.cpu.values()) / self.seconds / self.cores


@dataclass(frozen=True)
class Costs:
    """The costs of a further document."""

    document_bytes: float
    kept: float
    """Share of the documents that are kept."""
    rounds: int
    stages: Stages
    """In bytes and seconds for each document."""

    @classmethod
    def of(cls, runs: Sequence[Run]) -> "Costs":
        """Return the difference of the last run and the first, for each document that the last has in addition.

        A stage of a round costs in the first as much as if that had as many rounds as the last.
        """
        small, large = (_with_between(run) for run in (runs[0], runs[-1]))
        rounds = {name: large.rounds / small.rounds if name in STARS else 1.0 for name in large.stages}
        more = large.documents - small.documents
        stages = {
            name: {what: max(0.0, value - rounds[name] * small.stages[name][what]) / more for what, value in of.items()}
            for name, of in large.stages.items()
        }
        size = (large.bytes - small.bytes) / more
        return cls(size, 1 - (large.dropped - small.dropped) / more, large.rounds, stages)

    def total(self, what: str) -> float:
        """Return the sum of a cost over all stages."""
        return sum(stage[what] for stage in self.stages.values())


def _with_between(run: Run) -> Run:
    """Return the run with one stage more, for the processor time that is of no stage."""
    rest = {role: run.cpu[role] - sum(stage[role] for stage in run.stages.values()) for role in ("java", "workers")}
    rest["java"] += run.cpu["driver"]
    return replace(run, stages=run.stages | {BETWEEN: dict.fromkeys(("sent", "read", "kept"), 0.0) | rest})
