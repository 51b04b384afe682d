"""Forms: inputs in a caller's own type, which the core reads as Arrow streams."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any, NamedTuple

from neardup import _core
from neardup.errors import DataError, UsageError
from neardup.inputs.document import ArrowStream

TEXT = "text"
"""Default name of the field of the text."""


FIELDS = ("text_field", "html_field", "id_field", "url_field", "time_field")
"""Options that name fields of the documents."""


class FieldNames(NamedTuple):
    """Names of the fields that a job reads."""

    texts: tuple[str, ...] = (TEXT,)
    """Fields with texts: the one that is compared comes first."""
    others: tuple[str, ...] = ()
    """Fields with other values that records have: id and time."""
    time: str | None = None
    """The field of the time."""
    more: tuple[str, ...] = ()
    """Fields that records may lack: of the group, and those by which documents are preferred."""

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> "FieldNames":
        """Return the fields that options name; a text is in the field `text` by default."""
        compared = options.get("html_field") or options.get("text_field") or TEXT
        named = {name: options[name] for name in ("url_field", "id_field", "time_field") if options.get(name)}
        url = named.pop("url_field", None)
        texts = (compared,) if url is None else (compared, url)
        more = [options.get("group_field"), str(options.get("keep") or "").partition(":")[2]]
        more += _preferred(options.get("prefer"))
        return cls(texts, tuple(named.values()), named.get("time_field"), tuple(filter(None, more)))

    @property
    def compared(self) -> str:
        """The field whose text is compared."""
        return self.texts[0]

    def has(self, column: str) -> bool:
        """Return whether a column is read, as a whole or a part of it."""
        fields = (*self.texts, *self.others, *self.more)
        parts = {part for field in fields for part in (field, *field.split("+"))}
        return any(part == column or part.startswith((f"{column}.", f"{column}[]")) for part in parts)


def _preferred(prefer: Any) -> list[str]:
    """Return the fields of preferences, as they are written or read; wrong ones are reported where they are read."""
    if isinstance(prefer, str):
        return [prefer.partition("=")[0].removesuffix("^")]
    if isinstance(prefer, tuple) and prefer and isinstance(prefer[0], str):
        return [prefer[0]]
    return [field for one in prefer for field in _preferred(one)] if isinstance(prefer, list | tuple) else []


class Gap(NamedTuple):
    """A stretch of a text that is cut."""

    start: int
    end: int
    """The stretch in code points, half open."""
    line_feed: bool
    """Whether a line feed takes its place."""


class KeptRows(NamedTuple):
    """The rows of one source that stay, and what is cut from their texts."""

    rows: Sequence[int]
    """Positions from 0, ascending."""
    field: str = TEXT
    """The field of the texts."""
    gaps: Mapping[int, Sequence[Gap]] = MappingProxyType({})
    """What is cut, in order, by row; other rows keep their text."""

    def new_texts(self, old: Sequence[Any]) -> list[Any]:
        """Return the texts of the kept rows, of which `old` are the texts before."""
        return [self.new_text(row, text) for row, text in zip(self.rows, old, strict=True)]

    def new_text(self, row: int, old: Any) -> Any:
        """Return the text of a row after the cut: of a binary text the bytes, of a row without gaps what it is."""
        # only rows with a text have gaps, so that no missing value of any library is looked at
        if row not in self.gaps:
            return old
        return leave_out(old, self.gaps[row]) if isinstance(old, str) else self.new_text(row, old.decode()).encode()


def leave_out(text: str, gaps: Sequence[Gap]) -> str:
    """Remove the gaps, which are in order, from a text."""
    left, done = "", 0
    for start, end, line_feed in gaps:
        left += text[done:start] + ("\n" if line_feed else "")
        done = end
    return left + text[done:]


class Form(ABC):
    """Inputs in a caller's own type."""

    @property
    @abstractmethod
    def streams(self) -> list[tuple[str, ArrowStream]]:
        """The sources, each with its name."""

    @property
    @abstractmethod
    def streams_read_once(self) -> list[tuple[str, ArrowStream]]:
        """The same for one reading: what can be read once only is not read into memory."""

    @property
    @abstractmethod
    def counts(self) -> dict[str, int]:
        """Number of rows of each source."""

    @abstractmethod
    def keep(self, kept: Mapping[str, KeptRows]) -> Any:
        """Return the rows of each source that stay, in the caller's own type."""

    @abstractmethod
    def can_cut(self, field: str) -> bool:
        """Return whether the texts of a field can be replaced: no texts that are joined, nor those inside a column."""


class TableForm(Form):
    """One table, or one column of texts."""

    name = "1"
    """Name of its source."""
    shown = "the table"
    """What errors call it, if it is the only source."""

    @property
    def streams(self) -> list[tuple[str, ArrowStream]]:
        """The table."""
        return [(self.name, self.stream)]

    @property
    def streams_read_once(self) -> list[tuple[str, ArrowStream]]:
        """The table, for one reading."""
        return [(self.name, self.once)]

    @property
    def counts(self) -> dict[str, int]:
        """Number of rows of the table."""
        return {self.name: self.count}

    def keep(self, kept: Mapping[str, KeptRows]) -> Any:
        """Return the rows that stay, in the type of the table."""
        return self.take(kept.get(self.name, KeptRows(())))

    def can_cut(self, field: str) -> bool:
        """Return whether the field is a column; of a field that is nowhere, the core reports it."""
        return self.is_column or not any(sign in field for sign in (".", "+", "[]")) or field in self.names

    @property
    def is_column(self) -> bool:
        """Whether it is one column of texts, which has no name of its own."""
        return False

    @property
    def names(self) -> Sequence[str]:
        """Names of its columns; of what can be read once only, this reads it into memory."""
        return _core.Table.of_stream(self.stream).column_names

    @property
    @abstractmethod
    def stream(self) -> ArrowStream:
        """The table as the core reads it; it can be read more than once."""

    @property
    def once(self) -> ArrowStream:
        """The table for one reading."""
        return self.stream

    @property
    @abstractmethod
    def count(self) -> int:
        """Number of its rows."""

    @abstractmethod
    def take(self, kept: KeptRows) -> Any:
        """Return some rows, in the type of the table."""


@contextmanager
def naming(form: Form | None) -> Iterator[None]:
    """Let errors in the block call a lone table what it is, because its caller gave it no name."""
    try:
        yield
    except (DataError, UsageError) as error:
        message = str(error)
        if not isinstance(form, TableForm) or not message.startswith((f"{form.name}: ", f"{form.name}, row ")):
            raise
        raise type(error)(form.shown + message.removeprefix(form.name)) from None
