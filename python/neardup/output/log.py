"""Messages to Python's `logging`, under the logger `neardup`.

The library imports `logging` only if the program did: without that nobody listens, and the import takes as long as a
small run.
"""

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from logging import Logger

    Progress = Callable[[str, int, int, int], None]

NAME = "neardup"


def quiet_logger() -> "Logger | None":
    """Return the logger, which gets a `NullHandler` if it has no handler; None if the program imports no `logging`."""
    logging = sys.modules.get("logging")
    if logging is None:
        return None
    logger: Logger = logging.getLogger(NAME)
    if not logger.handlers:
        logger.addHandler(logging.NullHandler())
    return logger


class RunLog:
    """Messages of one run: stages, notices, counts and what its scheme promises at INFO, other notes at WARNING."""

    def __init__(self, verb: str) -> None:
        self._verb = verb
        logger = quiet_logger()
        self._logger = logger if logger is not None and _has_listener(logger) else None
        self._stage = ""

    def is_read(self, level: int) -> bool:
        """Return whether a message of this level reaches a handler."""
        return self._logger is not None and self._logger.isEnabledFor(level)

    def watch(self, progress: "Progress | None") -> "Progress | None":
        """Return a progress function that logs each stage and calls `progress`."""
        if not self.is_read(_INFO):
            return progress

        def move(phase: str, done: int, total: int, documents: int) -> None:
            if phase != self._stage:
                self._stage = phase
                self._log(_INFO, f"stage {phase}")
            if progress is not None:
                progress(phase, done, total, documents)

        return move

    def listen(self, notice: "Callable[[str], None] | None") -> "Callable[[str], None] | None":
        """Return a notice function that logs each notice and calls `notice`."""
        if not self.is_read(_INFO):
            return notice

        def tell(sentence: str) -> None:
            self._log(_INFO, sentence)
            if notice is not None:
                notice(sentence)

        return tell

    def end(self, summary: str) -> None:
        """Log the counts and the notes of a run, whose run.json is `summary`."""
        if not self.is_read(_WARNING):
            return
        import json

        from neardup._core import Scheme

        content = json.loads(summary)
        promised = Scheme(content["scheme"]).notes if "scheme" in content else []
        for note in content.get("notes") or ():
            self._log(_INFO if note in promised else _WARNING, note)
        counts = {name: count for name, count in content["counts"].items() if count}
        self._log(_INFO, "done: " + ", ".join(f"{name} {count}" for name, count in counts.items()))

    def _log(self, level: int, message: str) -> None:
        if self._logger is not None:
            self._logger.log(level, "%s: %s", self._verb, message)


_INFO, _WARNING = 20, 30
"""The levels of `logging`, which need not be imported."""


def _has_listener(logger: "Logger | None") -> bool:
    """Return whether a message can reach a handler other than a `NullHandler`."""
    from logging import NullHandler

    while logger is not None:
        if any(not isinstance(handler, NullHandler) for handler in logger.handlers):
            return True
        logger = logger.parent if logger.propagate else None
    return False
