"""Several tables as one corpus: a list of them, or a mapping from names of sources to them."""

from collections.abc import Callable, Mapping
from typing import Any

from neardup.inputs.document import ArrowStream
from neardup.inputs.form import Form, KeptRows, TableForm


class TableGroup(Form):
    """Several tables, each of which is a source."""

    def __init__(self, tables: Mapping[str, TableForm], gather: Callable[[dict[str, Any]], Any]) -> None:
        self.tables = tables
        self.gather = gather
        """Makes the caller's own type from what is kept of each table."""

    @property
    def streams(self) -> list[tuple[str, ArrowStream]]:
        """The tables with the names of their sources, in order."""
        return [(name, table.stream) for name, table in self.tables.items()]

    @property
    def streams_read_once(self) -> list[tuple[str, ArrowStream]]:
        """The same, for one reading."""
        return [(name, table.once) for name, table in self.tables.items()]

    @property
    def counts(self) -> dict[str, int]:
        """Number of rows of each table."""
        return {name: table.count for name, table in self.tables.items()}

    def keep(self, kept: Mapping[str, KeptRows]) -> Any:
        """Return what is kept of each table, in the same order and the caller's own type."""
        return self.gather({name: table.take(kept.get(name, KeptRows(()))) for name, table in self.tables.items()})

    def can_cut(self, field: str) -> bool:
        """Return whether the texts of a field can be replaced in all tables."""
        return all(table.can_cut(field) for table in self.tables.values())


def in_list(kept: dict[str, Any]) -> list[Any]:
    """Return what is kept of each table as a list."""
    return list(kept.values())
