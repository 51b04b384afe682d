"""Answers of JSON."""

import json
from typing import Any

from starlette.responses import Response

from neardup.output.json import to_plain


class Answer(Response):
    """A value as JSON; named tuples are objects."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """Write it."""
        return json.dumps(to_plain(content), ensure_ascii=False).encode()
