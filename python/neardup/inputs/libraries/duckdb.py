"""Relations of DuckDB."""

from functools import cached_property
from typing import Any

import duckdb

from neardup import _core
from neardup.errors import DataError, UsageError
from neardup.inputs.form import FieldNames, KeptRows, TableForm
from neardup.inputs.libraries.any_arrow import read_stream, take_rows


class Relation(TableForm):
    """A relation, whose query runs once: a second run might have its rows in another order."""

    def __init__(self, relation: Any) -> None:
        self.relation = relation

    @cached_property
    def stream(self) -> _core.Table:
        """The rows in memory."""
        try:
            return read_stream(self.relation)
        except duckdb.Error as error:
            raise DataError(f"the query of the relation fails: {error}") from error

    @property
    def count(self) -> int:
        """Number of its rows."""
        return len(self.stream)

    def take(self, kept: KeptRows) -> Any:
        """Return a relation of the same connection and types, over the rows in memory."""
        kept_rows = take_rows(self.stream, kept)  # noqa: F841 - the query finds it by its name
        names = [name.replace('"', '""') for name in self.relation.columns]
        columns = ", ".join(
            f'cast("{name}" as {kind}) as "{name}"' for name, kind in zip(names, self.relation.types, strict=True)
        )
        return self.relation.query("given", f"select {columns} from kept_rows")  # noqa: S608 - names are quoted

    def __reduce__(self) -> Any:
        return restored, (self.stream,)


def restored(rows: _core.Table) -> Relation:  # noqa: ARG001 - the query finds it by its name
    """Return rows as a relation of the default connection."""
    relation = duckdb.sql("select * from rows")
    return Relation(relation)


def form_of(given: Any, _: FieldNames) -> TableForm | None:
    """Return the form of a relation; `UsageError` for a connection."""
    if isinstance(given, duckdb.DuckDBPyConnection):
        raise UsageError("a connection of DuckDB is no table; give the relation that its method `sql` returns")
    return Relation(given) if isinstance(given, duckdb.DuckDBPyRelation) else None
