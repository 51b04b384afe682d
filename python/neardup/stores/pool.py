"""Connections to a database, one for every running call."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Generic, Protocol, TypeVar

from neardup.errors import UsageError


class Closable(Protocol):
    """Anything with a `close`."""

    def close(self) -> None:
        """Release it."""
        ...


C = TypeVar("C", bound=Closable)


class Pool(Generic[C]):
    """Opens a connection if none is idle, and keeps connections for later calls of any thread."""

    def __init__(self, connect: Callable[[], C]) -> None:
        self._connect = connect
        self._idle: list[C] = []
        self._lock = Lock()
        self._is_open = True

    @contextmanager
    def connection(self) -> Iterator[C]:
        """Lend a connection; after an error it is closed, which undoes what was not committed.

        `UsageError` if the pool is closed.
        """
        connection = self._take() or self._connect()
        try:
            yield connection
        except BaseException:
            connection.close()
            raise
        self._give_back(connection)

    def close(self) -> None:
        """Close the connections; those in use are closed when they are returned."""
        with self._lock:
            self._is_open = False
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _take(self) -> C | None:
        with self._lock:
            if not self._is_open:
                raise UsageError("the document store is closed")
            return self._idle.pop() if self._idle else None

    def _give_back(self, connection: C) -> None:
        with self._lock:
            if self._is_open:
                self._idle.append(connection)
                return
        connection.close()
