"""What the results of all runs have in common."""

from functools import cached_property
from os.path import abspath
from typing import TYPE_CHECKING, Any, ClassVar, cast

from neardup import _core
from neardup.errors import UsageError
from neardup.inputs.sources import RunResult
from neardup.output.addresses import is_address
from neardup.table import Rows, Table

if TYPE_CHECKING:
    from pathlib import Path


class StoredResult:
    """A result as it is pickled: its tables in memory, or in the folder of the results."""

    def __init__(self, summary: str, made: dict[str, Table | str]) -> None:
        self.summary = summary
        """The text of run.json."""
        self._made = made

    @classmethod
    def of(cls, result: RunResult, output: str | None) -> "StoredResult":
        """Return a result that can be pickled."""
        if isinstance(result, StoredResult):
            return result
        made: dict[str, Table | str] = {}
        for name in result.tables:
            if output is not None and not is_address(output):
                made[name] = f"{abspath(output)}/{name}.parquet"  # noqa: PTH100 - a run need not import pathlib
            elif isinstance(table := result.table(name), _core.Table):
                made[name] = Table(table)
            elif isinstance(table, Rows):
                made[name] = Table(_core.Table.of_stream(table))
        return cls(result.summary, made)

    @property
    def tables(self) -> list[str]:
        """Names of the tables of the result."""
        return list(self._made)

    def table(self, name: Any) -> Table:
        """Return one table; `UsageError` names the tables there are."""
        if name not in self._made:
            raise UsageError(f'there is no table "{name}"; there are: {", ".join(self._made)}')
        made = self._made[name]
        return made if isinstance(made, Table) else Table(_core.read_table(made))


class Finished(Rows):
    """Result of every run: its summary, its folder if it has one, and the rows of its main table.

    The rows are there as those of a table: `len(result)`, `result[0]`, `result[:10]`, `result["id"]`, `for row in
    result`, `result.to_polars()`.
    """

    main: ClassVar[str]
    """Name of the main table."""

    def __init__(self, result: RunResult, output: str | None) -> None:
        self._result = result
        self._output = output
        self.json = result.summary
        """The text of run.json."""

    def _table(self, name: str) -> Table:
        """Return a table of the core, or one of Spark, which has the same attributes."""
        table = self._result.table(name)
        return Table(table) if isinstance(table, _core.Table) else cast(Table, table)

    @property
    def column_names(self) -> list[str]:
        """Names of the columns of the main table."""
        return self._table(self.main).column_names

    def column(self, name: str) -> list[Any]:
        """Copy one column of the main table into Python objects; `UsageError` names the columns there are."""
        return self._table(self.main).column(name)

    def __len__(self) -> int:
        return len(self._table(self.main))

    def __eq__(self, other: object) -> bool:
        """Return whether these are results of the same run, as a copy of this one is."""
        if not isinstance(other, Finished) or type(self) is not type(other):
            return NotImplemented
        return self is other or (self.json == other.json and self._table(self.main) == other._table(self.main))

    def __hash__(self) -> int:
        return hash(self.json)

    def __bool__(self) -> bool:
        # a run that found nothing is a result, too
        return True

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return the main table as an Arrow C stream."""
        return self._table(self.main).__arrow_c_stream__(requested_schema)

    def _part(self, start: int, length: int) -> Table:
        return self._table(self.main)._part(start, length)

    def _repr_html_(self) -> str:
        """Return a line on the run and a small table for notebooks."""
        from html import escape

        return f"<p>{escape(repr(self))}</p>{self._table(self.main)._repr_html_()}"

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_result": StoredResult.of(self._result, self._output)}

    # pathlib and json are imported on first use: a quiet run needs neither
    @cached_property
    def output(self) -> "Path | None":
        """The folder with the result files."""
        from pathlib import Path

        return None if self._output is None else Path(self._output)

    @property
    def output_name(self) -> str:
        """The folder with the result files, as the caller named it."""
        return self._output or ""

    @cached_property
    def summary(self) -> dict[str, Any]:
        """The content of run.json (docs/reference/outputs.md)."""
        import json

        content: dict[str, Any] = json.loads(self.json)
        return content

    @property
    def digest(self) -> str:
        """The digest of the result, the same for any threads, chunks and memory."""
        return str(self.summary["digest"])


class Outcome(Finished):
    """Result of every run of a scheme."""

    @property
    def scheme(self) -> str:
        """The canonical scheme line of the job."""
        return str(self.summary["scheme"])

    @property
    def verified(self) -> bool:
        """Whether every pair was checked on the full features."""
        return bool(self.summary["verified"])

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.scheme!r} {self.summary['counts']}>"
