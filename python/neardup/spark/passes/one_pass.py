"""One pass of a scheme, as it runs on Spark."""

from dataclasses import dataclass
from typing import Literal

from neardup import _core
from neardup.spark.passes.tasks import Options

Verb = Literal["dedup", "cluster", "pairs"]


@dataclass(frozen=True)
class Pass:
    """One pass of a scheme, and what is asked of it."""

    verbs: tuple[Verb, ...]
    number: int
    """Counted from 1."""
    keep: str
    max_family: int
    """The largest family of which all pairs are listed."""
    options: Options

    def tasks(self) -> _core.Tasks:
        """Return its kernels."""
        return self.options.tasks()
