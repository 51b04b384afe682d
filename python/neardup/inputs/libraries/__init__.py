"""Tables of other libraries, which are imported only if the caller has imported them."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from neardup.inputs.form import FieldNames, TableForm

_LIBRARIES = ("pyarrow", "polars", "pandas", "datasets", "duckdb", "numpy")
"""Packages whose types have a module of the same name here."""
_DUCKDB = {"_duckdb": "duckdb"}
"""Other names of these packages in the types that they define."""


def form_of(given: Any, fields: FieldNames) -> TableForm | None:
    """Return the form of one table or column; None if it is neither.

    Raises:
        UsageError: The type is known, and cannot be read; the message names what can.
        DataError: The library cannot read the table.
    """
    for kind in type(given).__mro__:
        package = kind.__module__.partition(".")[0]
        package = _DUCKDB.get(package, package)
        if package in _LIBRARIES:
            of: Callable[[Any, FieldNames], TableForm | None] = import_module(f"{__name__}.{package}").form_of
            if (form := of(given, fields)) is not None:
                return form
    of_any: Callable[[Any, FieldNames], TableForm | None] = import_module(f"{__name__}.any_arrow").form_of
    return of_any(given, fields)
