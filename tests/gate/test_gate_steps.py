"""Random steps of a gate on both stores: documents, verdicts and hits are those of a dictionary and a batch run."""

from contextlib import closing, suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from batch import check_same, count_kept, create, reopen
from failing import Failing
from neardup import Document, EnvironmentFault, Gate
from neardup.index import follower
from neardup.stores.sql import SqlStore
from neardup.stores.stored_document import StoredDocument
from oracle import Keep
from stores import Place, find, matches, open_store

SCHEME = "words | shingles:1 | whole | prefix:0.6 | resemblance>=0.6"
MOST = 9
WORDS = ["부두에서", "등대가", "图书馆", "河流", "ไฟ", "lamp", "stone", "héron", "5월에", "quay\0", "\1", "'copper'"]
PIECES = ["부두", "등대", "图书", "书馆", "河", "lamp", "HÉRON", "5월", "quay", "copper", "stone lamp", "대가 图书"]
TIMES: dict[int | str | None, int | str | None] = {
    None: None,
    5: 5,
    "1970": 0,
    "1970-01-01T00:00:05.000002Z": "1970-01-01T00:00:05.000002Z",
    "1970-01-01T01:00:05.000001+01:00": "1970-01-01T00:00:05.000001Z",
}
"""Times as they are given, and as they are returned."""


class Expected:
    """The documents that a gate must contain, in order of arrival."""

    def __init__(self, policy: Keep) -> None:
        self.policy = policy
        self.documents: dict[str, Document] = {}
        self.steps = 0

    def add(self, document: Document) -> None:
        """Add a document, unless it is there already."""
        if any(_is_of(document, name, old) for name, old in self.documents.items()):
            return
        self.documents = {
            name: old for name, old in self.documents.items() if document.url is None or old.url != document.url
        }
        self.steps += 1
        self.documents[document.id or f"#{self.steps}"] = document
        while count_kept(self.documents, scheme=SCHEME, keep=self.policy) > MOST:
            self.remove([next(iter(self.documents))])

    def remove(self, names: list[str]) -> None:
        """Remove documents in one step."""
        self.steps += bool(names)
        for name in names:
            del self.documents[name]

    def check(self, gate: Gate, store: SqlStore) -> None:
        """Compare index, store and search with their definitions."""
        index = gate.index
        if self.documents:
            check_same(index, self.documents, self.policy)
        assert store.position() == index.position
        assert [role.id for role in store.roles()] == sorted(self.documents, key=str.encode)
        groups: dict[str, list[str]] = {}
        for name, document in self.documents.items():
            verdict = index.verdict(name)
            groups.setdefault(verdict.original, []).append(name)
            given = (name, document.text, document.url, TIMES[document.time], verdict.original, verdict.rule)
            assert store.get(name) == StoredDocument(*given)
            assert index.get(name) == Document(document.text, name, document.url, TIMES[document.time])
            if document.url:
                assert [one.id for one in store.by_url(document.url)] == [name]
        for original, members in groups.items():
            assert store.duplicates(original) == sorted(set(members) - {original}, key=str.encode)
        for query in PIECES:
            kept = {name for name in groups if matches(query, self.documents[name].text)}
            assert set(find(store, query)) <= kept
            assert len(store.search(query, 100)) == len(kept), query


def _is_of(document: Document, name: str, old: Document) -> bool:
    """Whether a document equals `old`, whose id is `name`; fields that it does not state are not compared."""
    fields = ((document.id, name), (document.url, old.url), (TIMES[document.time], TIMES[old.time]))
    is_named = document.id == name or (document.url is not None and document.url == old.url)
    return is_named and document.text == old.text and all(one in (None, other) for one, other in fields)


def make(random: Random, expected: Expected, *, named: bool) -> Document:
    """Make a document: an old one again, or a new one, which replaces an old one that has its URL."""
    if expected.documents and random.random() < 0.1:
        name, old = random.choice(list(expected.documents.items()))
        return old._replace(id=name if named else None)
    words = random.choices(WORDS, k=random.randrange(1, 7))
    name = random.choice([f"d{at * 37 % 41}\0" for at in range(41) if f"d{at * 37 % 41}\0" not in expected.documents])
    url = random.choice([None, None, None, f"http://example.org/{random.randrange(9)}", "u\0"])
    text = random.choice([" ".join(words), " ".join(words).upper(), ""])
    return Document(text, name if named else None, url, random.choice(list(TIMES)))


@pytest.mark.parametrize("policy", ["first", "earliest"])
@pytest.mark.parametrize("seed", range(5))
def test_any_steps(tmp_path: Path, place: Place, policy: Any, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follower, "_BATCH", 2)
    random, expected, named = Random(seed), Expected(policy), seed % 2 == 0
    index = create(tmp_path / "index", 4, scheme=SCHEME, policy=policy, most=MOST)
    # the second gate represents another process: it has its own index and its own connections
    with closing(open_store(*place)) as one, closing(open_store(*place)) as two:
        failing: Any = Failing(one)

        def opened() -> list[Gate]:
            failing.fails = False
            return [Gate(reopen(index, 4), failing), Gate(reopen(index, 4), two)]

        gates = opened()
        for _ in range(120):
            gate = random.choice(gates)
            failing.fails = random.random() < 0.3
            step = random.choice(["admit", "admit", "admit", "alone", "remove", "compact", "open", "check"])
            with suppress(EnvironmentFault):
                if step in ("admit", "alone"):
                    for _ in range(random.randrange(1, 4)):
                        document = make(random, expected, named=named)
                        expected.add(document)
                        (gate.admit if step == "admit" else gate.index.add)(document)
                elif step == "remove":
                    gone = random.sample(list(expected.documents), min(2, len(expected.documents)))
                    expected.remove(gone)
                    gate.remove(gone)
                elif step == "compact":
                    gate.index.compact()
            if step == "open":
                gates = opened()
            elif step == "check":
                failing.fails = False
                gate.index.refresh()
                gate.sync()
                assert gate.index.position == expected.steps
                expected.check(gate, random.choice([one, two]))
