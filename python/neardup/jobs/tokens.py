"""The tokens of a text: what is compared, and how it was written."""

from itertools import accumulate
from typing import NamedTuple

from neardup import _core
from neardup.allowed import allow
from neardup.inputs.document import Document
from neardup.jobs.explanation import Span
from neardup.schemes.defaults import DEFAULT_THRESHOLD
from neardup.schemes.line import write_scheme
from neardup.schemes.number import Number
from neardup.schemes.plan import plan_scheme


class WrittenToken(NamedTuple):
    """A token as it is compared, and the stretch of the text from which it was made."""

    token: str
    written: str
    place: Span

    @property
    def is_folded(self) -> bool:
        """Whether more than the case of its letters was changed."""
        return self.token not in (self.written, self.written.lower(), self.written.casefold())


@allow
def list_tokens(
    text: str | Document, *, scheme: str | _core.Scheme | None = None, threshold: Number | None = None
) -> list[WrittenToken]:
    """Return the tokens of a text by the first pass of a scheme, in order; by default those of the default scheme.

    Letters that are cut into pairs overlap. Raises `UsageError` for a wrong scheme or threshold.
    """
    default = DEFAULT_THRESHOLD if threshold is None else threshold
    line = str(plan_scheme(default)) if scheme is None else write_scheme(scheme, threshold)
    whole = text if isinstance(text, str) else text.text
    coded = whole.encode()
    # for each byte, the number of characters that begin before it
    chars = [0, *accumulate(int(byte & 0xC0 != 0x80) for byte in coded)]
    found = _core.tokens(whole, line)
    return [
        WrittenToken(token, coded[start:end].decode(errors="replace"), Span((start, end), (chars[start], chars[end])))
        for token, start, end in found
    ]
