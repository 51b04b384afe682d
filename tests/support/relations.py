"""Relations of DuckDB."""

from collections.abc import Mapping, Sequence
from typing import Any

import duckdb
import pyarrow as pa


def relation(columns: Mapping[str, Sequence[Any]]) -> duckdb.DuckDBPyRelation:
    """Return columns as a relation of a connection of its own."""
    rows = pa.table(columns)  # noqa: F841 - the query finds it by its name
    return duckdb.connect().sql("select * from rows")
