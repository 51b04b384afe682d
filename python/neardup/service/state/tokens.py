"""Tokens: which people may read, and which may write."""

import hmac
from hashlib import sha256
from hmac import compare_digest
from os import PathLike
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from neardup.errors import DataError, EnvironmentFault
from neardup.inputs.sources import refuse_special

LEAST = 16
"""Least number of characters of a token."""
RIGHTS = ("read", "write")


class Person(NamedTuple):
    """A known person: a name, and whether the person may write."""

    name: str
    writes: bool


class Tokens:
    """The people of a file of tokens, each known by a secret."""

    def __init__(self, persons: dict[bytes, Person]) -> None:
        """Take people by the SHA-256 of their tokens."""
        self._persons = persons

    @classmethod
    def read(cls, path: str | PathLike[str]) -> "Tokens":
        """Read a file with a line for each person: `read` or `write`, a name, a token.

        Blank lines and those that begin with # are ignored. Raises `DataError`, which names the line and never shows a
        token, for a line that cannot be used.
        """
        refuse_special(path)
        try:
            lines = Path(path).read_text(encoding="utf-8").splitlines()
        except OSError as error:
            raise EnvironmentFault(f"{path}: cannot be read: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise DataError(f"{path}: this is not UTF-8") from error
        persons: dict[bytes, Person] = {}
        for number, line in enumerate(lines, 1):
            if line.strip() and not line.lstrip().startswith("#"):
                digest, person = _read_line(f"{path}, line {number}", line)
                if digest in persons or person.name in {one.name for one in persons.values()}:
                    raise DataError(f"{path}, line {number}: this name, or this token, was there before")
                persons[digest] = person
        if not persons:
            raise DataError(f"{path}: there are no tokens; a line is `read NAME TOKEN` or `write NAME TOKEN`")
        return cls(persons)

    def remember(self, person: Person, until: int) -> str:
        """Return the value of a cookie: the person's name and an end in Unix seconds, signed. It replaces the token."""
        payload = f"{quote(person.name)}|{until}"
        return f"{payload}|{self._sign(person, payload)}"

    def recall(self, cookie: str, now: int) -> Person | None:
        """Return the person of a cookie; None if it is too old, or was not signed here with the person's own token."""
        payload, _, signature = cookie.rpartition("|")
        name, _, until = payload.partition("|")
        person = next((one for one in self._persons.values() if quote(one.name) == name), None)
        # what is signed was written here, so its other parts are valid
        if person is None or not compare_digest(self._sign(person, payload).encode(), signature.encode()):
            return None
        return person if int(until) >= now else None

    def find(self, token: str) -> Person | None:
        """Return the person of a token, in a time that says nothing about any token; None if there is none."""
        asked = sha256(token.encode()).digest()
        found = None
        for digest, person in self._persons.items():
            if compare_digest(digest, asked):
                found = person
        return found

    def _sign(self, person: Person, payload: str) -> str:
        key = next(digest for digest, one in self._persons.items() if one == person)
        return hmac.new(key, payload.encode(), "sha256").hexdigest()


def _read_line(place: str, line: str) -> tuple[bytes, Person]:
    words = line.split()
    if len(words) != 3 or words[0] not in RIGHTS:
        raise DataError(f"{place}: a line is `read NAME TOKEN` or `write NAME TOKEN`")
    rights, name, token = words
    if len(token) < LEAST or not token.isascii():
        raise DataError(f"{place}: a token has {LEAST} or more characters, all of them of ASCII")
    return sha256(token.encode()).digest(), Person(name, rights == "write")
