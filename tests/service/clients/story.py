"""A program on the generated client of Python, which is the package `generated`: story.py ADDRESS TOKEN."""

import json
import sys
from io import BytesIO

from generated.api.documents import admit, document, remove
from generated.api.many_documents import admit_all, check_all
from generated.api.questions import query
from generated.client import AuthenticatedClient
from generated.models import SentDocument, SentIds, SentQuery
from generated.types import File

TEXT = "Boil the milk gently and stir in the rice until it has become soft and thick enough for a wooden spoon."
LINES = [{"text": TEXT, "id": "again"}, {"id": "nothing"}, {"text": "bread", "id": "bread", "url": None}]


def tell_story(client: AuthenticatedClient) -> dict[str, object]:
    """Add, query, send lines in bulk and remove documents, and return what was answered."""
    lines = "".join(json.dumps(line) + "\n" for line in LINES).encode()
    first = admit.sync(client=client, body=SentDocument(text=TEXT, id="rice", time="2026-03-09"))
    hits = query.sync(client=client, body=SentQuery(text=f"{TEXT} Serve it.", threshold="0.8", limit=3))
    checked = check_all.sync(client=client, body=File(BytesIO(lines)))
    admitted = admit_all.sync(client=client, body=File(BytesIO(lines)))
    shown = document.sync(client=client, id="again", text=True)
    missing = document.sync(client=client, id="nothing")
    removed = remove.sync(client=client, body=SentIds(ids=["again", "bread"]))
    return {
        "kind": first.kind,
        "rule": first.rule,
        "hits": [[hit.id, hit.time] for hit in hits.hits],
        "checked": [json.loads(line).get("kind") for line in checked.payload],
        "admitted": [json.loads(line).get("kind") for line in admitted.payload],
        "shown": [shown.verdict, shown.original, shown.url, shown.text == TEXT],
        "missing": [missing.status, missing.detail],
        "removed": removed.removed,
    }


if __name__ == "__main__":
    address, token = sys.argv[1:]
    with AuthenticatedClient(base_url=f"{address}/api", token=token) as client:
        json.dump(tell_story(client), sys.stdout)
