"""Events: all that a command writes to stderr, as lines of JSON for the program that started it."""

import io
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import pairwise
from typing import Any, Literal, TextIO

Event = Literal["progress", "notice", "summary", "error", "end"]


def are_asked_for(words: Sequence[str]) -> bool:
    """Return whether the words of a command line ask for lines of JSON: --progress json."""
    options = words[: words.index("--")] if "--" in words else words
    return "--progress=json" in options or ("--progress", "json") in pairwise(options)


def are_written() -> bool:
    """Return whether stderr gets events only."""
    return isinstance(sys.stderr, NoticeLines)


def write_event(event: Event, **members: Any) -> None:
    """Write one event as a line of JSON to stderr."""
    stream = sys.stderr.stream if isinstance(sys.stderr, NoticeLines) else sys.stderr
    stream.write(f"{json.dumps({'event': event} | members)}\n")
    stream.flush()


class NoticeLines(io.TextIOBase):
    """A stream of text in whose place each line that is not blank becomes an event `notice`."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self.stream = stream
        """Where the events are written."""
        self._line = ""

    # click takes a stream without an encoding for one of bytes
    encoding = "utf-8"
    errors = "backslashreplace"

    def writable(self) -> bool:
        """Return that text can be written."""
        return True

    def write(self, text: str) -> int:
        """Take text, and write an event for each line that it ends."""
        *lines, self._line = (self._line + text).split("\n")
        for line in filter(None, map(str.strip, lines)):
            write_event("notice", message=line)
        return len(text)

    def end_line(self) -> None:
        """Write an event for a line that has no end."""
        if self._line:
            self.write("\n")


@contextmanager
def only_events() -> Iterator[None]:
    """Write only events to stderr while the block runs; the last one has the exit code.

    An error that is none of neardup is an event with the traceback, and ends the process with code 1.
    """
    stream, code = sys.stderr, 0
    sys.stderr = lines = NoticeLines(stream)
    try:
        try:
            yield
        except Exception:  # noqa: BLE001 - the traceback is shown
            from traceback import format_exc

            write_event("error", message=format_exc())
            sys.exit(1)
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
        raise
    finally:
        # the program may have closed the pipe
        with suppress(OSError):
            lines.end_line()
            write_event("end", exit_code=code)
        sys.stderr = stream
