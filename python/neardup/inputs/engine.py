"""Engines: what runs a job. One machine does, without a word; another is named by the caller."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol


class RunResult(Protocol):
    """What a run leaves behind, as `neardup._core.Result` has it."""

    @property
    def summary(self) -> str:
        """The text of run.json."""
        ...

    @property
    def tables(self) -> list[str]:
        """The names of the tables there are."""
        ...

    def table(self, name: Any) -> Any:
        """Return one table; `UsageError` names the tables there are."""
        ...


class Engine(Protocol):
    """Runs a verb of the core over inputs, told what the core is told."""

    def run(
        self,
        verb: str,
        inputs: Sequence[Any],
        options: dict[str, Any],
        progress: Callable[[str, int, int, int], None] | None = None,
        notice: Callable[[str], None] | None = None,
    ) -> RunResult:
        """Run it."""
        ...

    def stream(self, frame: Any, options: dict[str, Any]) -> Any:
        """Return the documents of a table of this engine as an Arrow stream, in the order of their ids."""
        ...
