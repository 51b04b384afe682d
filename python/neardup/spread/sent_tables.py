"""Tables whose rows are sent to the tasks of a run."""

from collections.abc import Sequence
from typing import Any, Protocol

import pyarrow as pa

from neardup import _core


class SentTables(Protocol):
    """The tables of a run, those of the input first."""

    def __init__(self, inputs: Sequence[Any], against: Sequence[Any], options: dict[str, Any]) -> None: ...

    by_id: bool
    """Whether rows have no order except that of their ids."""
    inputs: list[pa.Table]
    """Tables without rows, which have the columns of those of the input."""
    against: list[pa.Table]
    """The same for the reference."""

    @property
    def sizes(self) -> list[tuple[int, int]]:
        """Rows and bytes of each table."""

    @property
    def identity(self) -> bytes:
        """What two runs over the same rows have in common."""

    def messages(self, driver: _core.RunDriver) -> Any:
        """Return the rows of all tables as messages to their homes: a table, or rows of a cluster."""
