"""Text in PostgreSQL, which holds every character but NUL.

NUL is written as U+0001 U+0001, and U+0001 as U+0001 U+0002: all other text stands as it is, and texts sort as before.
"""

from typing import Any

from psycopg import Connection
from psycopg.types.string import StrDumper, TextLoader

_NUL, _ESCAPE = "\0", "\1"
_ESCAPED_NUL, _ESCAPED_ESCAPE = "\1\1", "\1\2"


def escape(text: str) -> str:
    """Write NUL in other characters."""
    return text.replace(_ESCAPE, _ESCAPED_ESCAPE).replace(_NUL, _ESCAPED_NUL)


def unescape(text: str) -> str:
    """Return what was escaped."""
    # the first U+0001 of a run begins an escape, so none is taken for the end of one
    return text.replace(_ESCAPED_NUL, _NUL).replace(_ESCAPED_ESCAPE, _ESCAPE)


class _Dumper(StrDumper):
    def dump(self, obj: str) -> Any:
        return super().dump(escape(obj))


class _Loader(TextLoader):
    def load(self, data: Any) -> str | bytes:
        text = super().load(data)
        return unescape(text) if isinstance(text, str) else text


def escape_texts(connection: Connection[Any]) -> None:
    """Let a connection escape every text on its way in, and unescape it on its way out."""
    connection.adapters.register_dumper(str, _Dumper)
    connection.adapters.register_loader("text", _Loader)
