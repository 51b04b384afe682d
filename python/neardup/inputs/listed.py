"""Lists of texts, of documents and of records."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from neardup import _core
from neardup.errors import DataError
from neardup.inputs.columns import collect
from neardup.inputs.document import ArrowStream, Document, refuse_flawed
from neardup.inputs.form import FieldNames, KeptRows, TableForm
from neardup.inputs.members import member_path, with_member

DocumentItem = tuple[str | None, str | None, str | None, int | str | None, str | None]


class TextList(TableForm):
    """Texts; None is a document without a text."""

    shown = "the list"

    def __init__(self, texts: Sequence[str | None], fields: FieldNames) -> None:
        self.texts = texts
        self.fields = fields

    @property
    def stream(self) -> ArrowStream:
        """The texts as a table of one column."""
        return collect({self.fields.compared: self.texts}, self.fields)

    @property
    def is_column(self) -> bool:
        """Whether it is one column of texts."""
        return True

    @property
    def count(self) -> int:
        """Number of its rows."""
        return len(self.texts)

    def take(self, kept: KeptRows) -> Any:
        """Return a list of texts."""
        return kept.new_texts([self.texts[row] for row in kept.rows])


class DocumentList(TableForm):
    """Documents; all of them have ids, or none has."""

    shown = "the list"

    def __init__(self, documents: Sequence[Document]) -> None:
        self.documents = documents

    @property
    def stream(self) -> ArrowStream:
        """The documents as a table."""
        try:
            return _core.collect(self._rows())
        except DataError:
            refuse_flawed(self.documents, needs_text=False)
            raise

    def _rows(self) -> Iterator[DocumentItem]:
        for document in self.documents:
            yield document.id, document.text, document.url, document.time, document.source

    @property
    def names(self) -> list[str]:
        """Names of its columns."""
        return list(Document._fields)

    @property
    def count(self) -> int:
        """Number of its rows."""
        return len(self.documents)

    def take(self, kept: KeptRows) -> Any:
        """Return a list of documents."""
        documents = [self.documents[row] for row in kept.rows]
        if not kept.gaps:
            return documents
        texts = kept.new_texts([document.text for document in documents])
        return [document._replace(text=text or "") for document, text in zip(documents, texts, strict=True)]


class RecordList(TableForm):
    """Records: mappings from names of fields to values. None is a record without fields."""

    shown = "the list"

    def __init__(self, items: Sequence[Mapping[str, Any] | None], fields: FieldNames) -> None:
        self.items = items
        self.records: list[Mapping[str, Any]] = [{} if item is None else item for item in items]
        self.fields = fields

    @property
    def stream(self) -> ArrowStream:
        """The records as a table of all fields that any of them has; without records, of all fields that are read."""
        keys = self._keys()
        if not self.records:
            keys = {name: name for name in (*self.fields.texts, *self.fields.others, *self.fields.more)}
        columns = {name: [record.get(key) for record in self.records] for name, key in keys.items()}
        # without a record there is no member on any path, nor any part of a joined text
        lacking = {self.fields.compared: [row for row, item in enumerate(self.items) if item is None]}
        for field in (self.fields.compared, *self.fields.others):
            if field in keys:
                lacking[field] = [row for row, record in enumerate(self.records) if keys[field] not in record]
        return collect(columns, self.fields, lacking)

    def _keys(self) -> dict[str, Any]:
        """Return the keys of all members that any record has, by their names: a key need not be a text."""
        return {str(key): key for key in dict.fromkeys(key for record in self.records for key in record)}

    @property
    def count(self) -> int:
        """Number of its rows."""
        return len(self.records)

    def can_cut(self, field: str) -> bool:
        """Return whether the field is one member of the records, or of mappings in them."""
        return super().can_cut(field) or member_path(self.records, field) is not None

    @property
    def names(self) -> list[str]:
        """Names of the members that any record has."""
        return list(self._keys())

    def take(self, kept: KeptRows) -> Any:
        """Return a list of the same records; those with a new text are copies, as are the mappings that hold it."""
        if not kept.gaps:
            return [self.items[row] for row in kept.rows]
        path = member_path(self.records, kept.field) or [kept.field]
        return [
            with_member(self.records[row], path, partial(kept.new_text, row)) if row in kept.gaps else self.items[row]
            for row in kept.rows
        ]


class ColumnLists(TableForm):
    """Lists of values of one length by the names of their columns."""

    def __init__(self, columns: Mapping[str, Sequence[Any]], fields: FieldNames) -> None:
        self.columns = columns
        self.fields = fields

    @property
    def stream(self) -> ArrowStream:
        """The columns as a table."""
        return collect({str(name): list(values) for name, values in self.columns.items()}, self.fields)

    @property
    def names(self) -> list[str]:
        """Names of its columns."""
        return list(map(str, self.columns))

    @property
    def count(self) -> int:
        """Number of its rows."""
        return len(next(iter(self.columns.values())))

    def take(self, kept: KeptRows) -> Any:
        """Return a dictionary of lists."""
        columns = {name: [values[row] for row in kept.rows] for name, values in self.columns.items()}
        if not kept.gaps:
            return columns
        name = next(name for name in columns if str(name) == kept.field)
        return columns | {name: kept.new_texts(columns[name])}
