"""Limits on the time and the bytes that a connection may take outside of bodies.

Without them a client that sends its headers byte by byte would keep a connection for ever, and one whose headers have
no end would take all memory.
"""

from typing import Any

from httptools import parse_url
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from neardup.service.answers import ProblemResponse

MOST = 1 << 16
"""Largest number of bytes of headers, and of other input that is no body."""
_LINE = b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close"


class LimitedProtocol(HttpToolsProtocol):
    """The protocol of the server, with limits on slow clients."""

    def __init__(self, seconds: float, **given: Any) -> None:
        """Wait at most `seconds` for headers, from the opening of the connection or their first byte to their end."""
        super().__init__(**given)
        self._seconds = seconds
        self._unused = 0
        """Number of bytes since the last progress: the end of headers, a piece of a body, or the end of a message."""
        self._is_asking = True
        """Whether headers are expected."""
        self._ignores_input = False
        """Whether all further input is ignored."""
        self._closes = False
        """Whether the connection ends with the request."""

    def connection_made(self, transport: Any) -> None:
        """Wait for the first request."""
        super().connection_made(transport)
        self._waiting = self.loop.call_later(self._seconds, transport.abort)

    def data_received(self, data: bytes) -> None:
        """Take input, as long as it makes progress."""
        if self._ignores_input:
            return
        self._unused += len(data)
        super().data_received(data)
        if self._unused > MOST:
            self._refuse()
        elif self._waiting.cancelled() and self._is_answered():
            # blank lines, or the rest of a body that was refused: the server has cancelled its own timeout
            self._start_timer()

    def on_message_begin(self) -> None:
        """Wait for the rest of the headers."""
        super().on_message_begin()
        self._is_asking = True
        self._start_timer()

    def on_headers_complete(self) -> None:
        """Stop the timer.

        The connection stays open until the body is whole: closing it earlier may cut off an early answer.
        """
        self._is_asking = False
        self._stop_timer()
        self._name_host()
        super().on_headers_complete()
        self._closes, self.cycle.keep_alive = not self.cycle.keep_alive, True

    def on_body(self, body: bytes) -> None:
        """Take a piece of a body."""
        self._unused = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Stop the timer for the rest of a body that was refused."""
        self._stop_timer()
        if self._closes:
            self.cycle.keep_alive = False
        super().on_message_complete()
        if self._closes and self.cycle.response_complete:
            self.transport.close()

    def on_response_complete(self) -> None:
        """Wait for the rest of the body if the answer was sent before it, so that the client can read the answer."""
        super().on_response_complete()
        if self.cycle.response_complete and self.cycle.more_body:
            self._start_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer."""
        self._waiting.cancel()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """Finish the open request. After the time limit the connection is aborted, because lines may be endless."""
        super().shutdown()
        self.loop.call_later(self._seconds, self.transport.abort)

    def _name_host(self) -> None:
        """Add the host of a URL that names one as a second header, if the header names another."""
        url = parse_url(self.url) if not self.url.startswith((b"/", b"*")) and self.url else None
        if url is not None and url.host is not None:
            host = url.host if url.port is None else b"%b:%d" % (url.host, url.port)
            if [value for name, value in self.headers if name == b"host"] != [host]:
                self.headers.append((b"host", host))

    def _refuse(self) -> None:
        """Answer that headers are too long, and ignore the rest of them; abort the connection in any other case."""
        if self._is_asking and self._is_answered():
            response = ProblemResponse(431, f"a request has at most {MOST:,} bytes of headers, its URL included")
            headers = [_LINE, *(b": ".join(header) for header in response.raw_headers)]
            self.transport.write(b"\r\n".join((*headers, b"", bytes(response.body))))
            self._ignores_input = True
            self._start_timer()
        else:
            self.transport.abort()

    def _is_answered(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _start_timer(self) -> None:
        self._waiting.cancel()
        self._waiting = self.loop.call_later(self._seconds, self.transport.abort)

    def _stop_timer(self) -> None:
        self._unused = 0
        self._waiting.cancel()
