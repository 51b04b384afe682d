"""Lone surrogates: halves of a character in a text of Python, which no encoding of Unicode can write."""

from collections.abc import Iterator
from typing import Any

NO_CHARACTER = "not UTF-8: a lone surrogate is no character"


def has_surrogate(text: str) -> bool:
    """Return whether a text has a lone surrogate."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def replace_surrogates(values: list[Any]) -> Iterator[tuple[int, str]]:
    """Replace lone surrogates by question marks in a list of values.

    Yields:
        The positions of values that had some, each with the text that had the first.
    """
    for row, value in enumerate(values):
        flawed: list[str] = []
        values[row] = _replaced(value, flawed)
        if flawed:
            yield row, flawed[0]


def _replaced(value: Any, flawed: list[str]) -> Any:
    """Return a value without lone surrogates, and list the texts that had them; values without any stay as they are."""
    before = len(flawed)
    made = value
    if isinstance(value, str):
        if has_surrogate(value):
            flawed.append(value)
            made = value.encode("utf-8", "replace").decode()
    elif isinstance(value, dict):
        made = {_replaced(name, flawed): _replaced(one, flawed) for name, one in value.items()}
    elif isinstance(value, list | tuple):
        made = [_replaced(one, flawed) for one in value]
    return made if len(flawed) > before else value
