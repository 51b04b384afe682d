"""Arrow streams, which the driver reads."""

import hashlib
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import pyarrow as pa

from neardup import _core


class Streams:
    """The streams of a run."""

    by_id = False

    def __init__(self, inputs: Sequence[Any], against: Sequence[Any], options: dict[str, Any]) -> None:  # noqa: ARG002
        self._tables = [pa.table(stream) for stream in (*inputs, *against)]
        schemas = [table.schema.empty_table() for table in self._tables]
        self.inputs, self.against = schemas[: len(inputs)], schemas[len(inputs) :]

    @property
    def sizes(self) -> list[tuple[int, int]]:
        """Rows and bytes of each table."""
        return [(len(table), table.nbytes) for table in self._tables]

    @cached_property
    def identity(self) -> bytes:
        """A digest of all rows."""
        digest = hashlib.blake2b(digest_size=32)
        for table in self._tables:
            for batch in table.to_batches():
                digest.update(batch.serialize())
        return digest.digest()

    def messages(self, driver: _core.RunDriver) -> pa.Table:
        """Return the rows of all tables as messages to their homes."""
        packed = [pa.table(driver.pack(number, table)) for number, table in enumerate(self._tables)]
        return pa.concat_tables(packed)
