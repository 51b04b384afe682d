"""Datasets of Hugging Face."""

from functools import cached_property
from typing import Any

import datasets
import pyarrow as pa

from neardup.errors import DataError
from neardup.inputs.document import ArrowStream
from neardup.inputs.form import FieldNames, KeptRows, TableForm
from neardup.inputs.libraries.pyarrow import take_rows

_BATCH = 1000


class DatasetRows(TableForm):
    """A Dataset. It is read where it is, in memory or in the mapped files of its cache."""

    def __init__(self, dataset: Any) -> None:
        self.dataset = dataset

    @property
    def stream(self) -> ArrowStream:
        """The rows in their order, as Arrow."""
        stream: ArrowStream = self._stream()
        return stream

    def _stream(self) -> Any:
        names = self.dataset.column_names
        if self.dataset._indices is None:
            return self.dataset.data.table.select(names)
        arrow = self.dataset.with_format("arrow")
        schema = self.dataset.data.table.select(names).schema
        batches = (batch for table in arrow.iter(_BATCH) for batch in table.select(names).cast(schema).to_batches())
        return pa.RecordBatchReader.from_batches(schema, batches)

    @property
    def names(self) -> list[str]:
        """Names of its columns."""
        return list(self.dataset.column_names)

    @property
    def count(self) -> int:
        """Number of its rows."""
        return len(self.dataset)

    def take(self, kept: KeptRows) -> Any:
        """Return a Dataset of the same features and format; without new texts, it selects rows of the caller's."""
        if not kept.gaps:
            return self.dataset.select(list(kept.rows))
        table = pa.Table.from_batches(pa.RecordBatchReader.from_stream(self.stream))
        made = datasets.Dataset(take_rows(table, kept), info=self.dataset.info.copy(), split=self.dataset.split)
        return made.with_format(**self.dataset.format)


class DatasetStream(TableForm):
    """An IterableDataset, whose examples are read into memory once."""

    def __init__(self, dataset: Any) -> None:
        self.dataset = dataset

    @cached_property
    def stream(self) -> Any:
        """The examples as an Arrow table."""
        try:
            if self.dataset.features is None:
                # batches may differ in their types, where values are missing or whole numbers only
                return _table(list(self.dataset))
            tables = list(self.dataset.with_format("arrow").iter(_BATCH))
            return pa.concat_tables(tables) if tables else self.dataset.features.arrow_schema.empty_table()
        except (pa.ArrowException, TypeError) as error:
            raise DataError(f"the IterableDataset has values of several types in one field: {error}") from error

    @property
    def count(self) -> int:
        """Number of its rows."""
        return int(self.stream.num_rows)

    def take(self, kept: KeptRows) -> Any:
        """Return an IterableDataset of the examples in memory."""
        rows = datasets.Dataset(take_rows(self.stream, kept), info=self.dataset.info.copy(), split=self.dataset.split)
        return rows.to_iterable_dataset()

    def __reduce__(self) -> Any:
        return DatasetStream, (datasets.Dataset(self.stream).to_iterable_dataset(),)


def _table(examples: list[dict[str, Any]]) -> Any:
    names = dict.fromkeys(name for example in examples for name in example) or ["text"]
    return pa.table({name: [example.get(name) for example in examples] for name in names})


def form_of(given: Any, _: FieldNames) -> TableForm | None:
    """Return the form of a dataset; None for other types, such as a dictionary of datasets."""
    if isinstance(given, datasets.Dataset):
        return DatasetRows(given)
    return DatasetStream(given) if isinstance(given, datasets.IterableDataset) else None
