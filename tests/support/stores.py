"""Random steps of a gate, and a slow, simple model of the store after them and of its search."""

import subprocess
import sys
from random import Random

import regex

from neardup.stores.postgres import PostgresStore
from neardup.stores.sql import SqlStore
from neardup.stores.sqlite import SqliteStore
from neardup.stores.stored_document import Changes, Role, StoredDocument
from oracle import SCRIPTS, WORD, normalise

Place = tuple[str, str]
"""A kind of store, and the place that `open_store` takes."""

IDS = tuple("abcdefghij")
PIECES = ("가", "나", "가나", "图", "书", "图书", "馆", "か", "a", "ab", "1", " ", " ", "。", "·", "É", "\0")
PIECED = regex.compile(rf"[{SCRIPTS}\u30FC\uFF70\p{{Script=Hangul}}]")


def open_store(kind: str, place: str) -> SqlStore:
    """Open a store at a path, or at a connection string and a schema that are separated by a bar."""
    if kind == "sqlite":
        return SqliteStore(place)
    conninfo, _, schema = place.partition("|")
    return PostgresStore(conninfo, schema)


def start_writer(place: Place, first: int, last: int) -> "subprocess.Popen[str]":
    """Start a process that applies steps."""
    command = [sys.executable, __file__, *place, str(first), str(last)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8")


def keep(*texts: str, position: int = 1) -> Changes:
    """Return a step that stores texts as kept documents with the ids "0", "1" and so on."""
    return Changes(
        position, stored=[StoredDocument(str(at), text, None, None, str(at)) for at, text in enumerate(texts)]
    )


def find(store: SqlStore, query: str) -> list[str]:
    return [found.id for found in store.search(query)]


def make_text(random: Random) -> str:
    return "".join(random.choices(PIECES, k=random.randrange(20)))


def make_step(position: int) -> Changes:
    """Make the step of a position; it is always the same, and any step may follow it."""
    random = Random(position)
    stored, changed = [], []
    for key in random.sample(IDS, 3):
        original = random.choice(IDS)
        rule = None if original == key else random.choice(("near", "lexical"))
        time = random.choice((None, position))
        stored.append(StoredDocument(key, make_text(random), random.choice((None, "u1", "u2")), time, original, rule))
    # only documents that certainly exist change
    for document in stored[:2]:
        original = random.choice(IDS)
        changed.append(Role(document.id, original, None if original == document.id else "near"))
    return Changes(position, random.sample(IDS, 2), stored, changed)


class Model:
    """The expected contents of a store."""

    def __init__(self) -> None:
        self.position = 0
        self.documents: dict[str, StoredDocument] = {}

    def apply(self, changes: Changes) -> None:
        self.position = changes.position
        for key in changes.removed:
            self.documents.pop(key, None)
        for document in changes.stored:
            self.documents[document.id] = document
        for role in changes.changed:
            self.documents[role.id] = self.documents[role.id]._replace(original=role.original, rule=role.rule)

    def kept(self) -> list[StoredDocument]:
        return [document for document in self.documents.values() if document.is_kept]

    def search(self, query: str) -> set[str]:
        return {document.id for document in self.kept() if matches(query, document.text)}

    def check(self, store: SqlStore) -> None:
        """Compare all answers of a store with the model."""
        assert store.position() == self.position
        assert len(store) == len(self.documents)
        ordered = sorted(self.documents.values(), key=lambda document: document.id.encode())
        roles = [Role(document.id, document.original, document.rule) for document in ordered]
        assert list(store.roles()) == roles
        for key in IDS:
            assert store.get(key) == self.documents.get(key)
            assert store.duplicates(key) == [role.id for role in roles if role.original == key != role.id]
        for url in ("u1", "u2", "u3"):
            assert store.by_url(url) == [document for document in ordered if document.url == url]
        random = Random(self.position)
        queries = [*(piece for piece in PIECES if WORD.search(piece)), *(make_text(random)[:6] for _ in range(10))]
        for query in filter(WORD.search, queries):
            assert {found.id for found in store.search(query, 100)} == self.search(query), query


def matches(query: str, text: str) -> bool:
    """Whether every word of the query occurs in a word of the text.

    A word of the query must not begin or end inside a run of characters that are not searched in pairs.
    """
    words = WORD.findall(normalise(text))
    return all(any(_occurs_in(piece, word) for word in words) for piece in WORD.findall(normalise(query)))


def _occurs_in(piece: str, word: str) -> bool:
    def is_cut(at: int) -> bool:
        return 0 < at < len(word) and not PIECED.search(word[at - 1 : at + 1])

    starts = (at for at in range(len(word)) if word.startswith(piece, at))
    return any(not is_cut(at) and not is_cut(at + len(piece)) for at in starts)


def main() -> None:
    """Apply steps to a store and print each, for tests that need another process: KIND PLACE FIRST LAST."""
    kind, place, first, last = sys.argv[1:]
    store = open_store(kind, place)
    for position in range(int(first), int(last)):
        store.apply(make_step(position))
        sys.stdout.write(f"{position}\n")
        sys.stdout.flush()
    store.close()


if __name__ == "__main__":
    main()
