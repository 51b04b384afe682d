"""What errors call a table: by its name if it has one, and never by a number that nobody gave it."""

from collections.abc import Callable
from typing import Any

import pandas
import pyarrow as pa
import pytest

import neardup
from neardup.errors import DataError

TEXT = "the tide table hung in the window of the harbour office"
MIXED: list[Any] = [TEXT, 5]


@pytest.mark.parametrize(
    ("given", "name"),
    [
        (pa.table({"text": [TEXT]}), "the table"),
        (pandas.DataFrame({"text": [TEXT]}), "the table"),
        ({"text": [TEXT]}, "the table"),
        ([{"text": TEXT}], "the list"),
        ([TEXT], "the list"),
        ({"train": pa.table({"text": [TEXT]})}, "train"),
        ([pa.table({"text": [TEXT]}), pa.table({"text": [TEXT]})], "[12]"),
    ],
)
@pytest.mark.parametrize("verb", [neardup.dedup, neardup.cluster, neardup.find_passages, neardup.read])
def test_a_lone_table_has_no_number(verb: Callable[..., Any], given: Any, name: str) -> None:
    with pytest.raises(DataError, match=f'^{name}(, row 1)?: there is no field "key"'):
        # `read` takes a list of str as paths
        list(
            verb(
                iter([*given, None]) if verb is neardup.read and isinstance(given, list) and given == [TEXT] else given,
                id_field="key",
            )
        )


def test_a_row_is_that_of_the_list() -> None:
    with pytest.raises(DataError, match=r"^the list, row 2: "):
        neardup.dedup(MIXED)
    with pytest.raises(DataError, match=r"^the list, row 2: "):
        list(neardup.read([{"text": one} for one in MIXED]))


def test_ids_and_sources_keep_their_names() -> None:
    found = neardup.dedup(MIXED, on_error="skip")
    assert found.decisions["id"] == ["1:1"]
    assert found.summary["counts"]["rejected"] == 1
    # a table of the reference may have the same number
    with pytest.raises(DataError, match=r'^1: there is no field "key"'):
        neardup.dedup(pa.table({"text": [TEXT]}), id_field="key", against=pa.table({"text": [TEXT], "key": [1]}))
