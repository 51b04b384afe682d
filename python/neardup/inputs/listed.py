"""Lists of texts, of documents and of records."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from neardup import _core
from neardup.inputs.columns import collect
from neardup.inputs.document import ArrowStream, Document
from neardup.inputs.form import FieldNames, KeptRows, TableForm

DocumentItem = tuple[str | None, str | None, str | None, int | str | None, str | None]


class TextList(TableForm):
    """Texts; None is a document without a text."""

    def __init__(self, texts: Sequence[str | None], fields: FieldNames) -> None:
        self.texts = texts
        self.fields = fields

    @property
    def stream(self) -> ArrowStream:
        """The texts as a table of one column."""
        return collect({self.fields.compared: self.texts}, self.fields)

    @property
    def count(self) -> int:
        """Number of its rows."""
        return len(self.texts)

    def take(self, kept: KeptRows) -> Any:
        """Return a list of texts."""
        return kept.new_texts([self.texts[row] for row in kept.rows])


class DocumentList(TableForm):
    """Documents; all of them have ids, or none has."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self.documents = documents

    @property
    def stream(self) -> ArrowStream:
        """The documents as a table."""
        return _core.collect(self._rows())

    def _rows(self) -> Iterator[DocumentItem]:
        for document in self.documents:
            yield document.id, document.text, document.url, document.time, document.source

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
    """Records: mappings from names of fields to values."""

    def __init__(self, records: Sequence[Mapping[str, Any]], fields: FieldNames) -> None:
        self.records = records
        self.fields = fields

    @property
    def stream(self) -> ArrowStream:
        """The records as a table of all fields that any of them has; without records, of all fields that are read."""
        names = dict.fromkeys(name for record in self.records for name in record)
        if not self.records:
            names = dict.fromkeys((*self.fields.texts, *self.fields.others))
        columns = {str(name): [record.get(name) for record in self.records] for name in names}
        lacking = {
            field: [row for row, record in enumerate(self.records) if field not in record]
            for field in (self.fields.compared, *self.fields.others)
            if field in columns
        }
        return collect(columns, self.fields, lacking)

    @property
    def count(self) -> int:
        """Number of its rows."""
        return len(self.records)

    def take(self, kept: KeptRows) -> Any:
        """Return a list of the same records; those with a new text are copies."""
        records = [self.records[row] for row in kept.rows]
        if not kept.gaps:
            return records
        texts = kept.new_texts([record.get(kept.field) for record in records])
        pairs = zip(kept.rows, records, texts, strict=True)
        return [{**record, kept.field: text} if row in kept.gaps else record for row, record, text in pairs]


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
    def count(self) -> int:
        """Number of its rows."""
        return len(next(iter(self.columns.values())))

    def take(self, kept: KeptRows) -> Any:
        """Return a dictionary of lists."""
        columns = {name: [values[row] for row in kept.rows] for name, values in self.columns.items()}
        return columns if not kept.gaps else columns | {kept.field: kept.new_texts(columns[kept.field])}
