"""Search in document stores: which words find which texts, the same in SQLite and in PostgreSQL."""

from contextlib import closing

import pytest

import stores
from neardup import EnvironmentFault, UsageError
from neardup.stores import sql, terms
from neardup.stores.sql import SqlStore
from neardup.stores.stored_document import StoredDocument
from neardup.stores.terms import write_tsvector
from stores import Place, find, keep, open_store


@pytest.mark.parametrize(
    ("query", "text", "is_found"),
    [
        ("학교", "나는 학교에서 왔다", True),
        ("도서", "국립도서관이", True),
        ("图书", "国家图书馆。", True),
        ("书馆", "国家图书馆。", True),
        ("図書", "国立図書館で", True),
        ("ไทย", "ภาษาไทย", True),
        ("책", "만화책", True),
        ("5월", "지난 5월에", True),
        ("iPhone", "새 IPHONE을", True),
        ("학교 나는", "나는 학교에서 왔다", True),
        ("학교 너는", "나는 학교에서 왔다", False),
        ("图书", "图 书", False),
        ("图书", "图，书", False),
        ("图书馆", "图书 书馆", False),
        ("图书馆", "书馆图书", False),
        ("a가", "x가a 가나", False),
        ("phone", "iphone을", False),
        ("walk", "walking", False),
    ],
)
def test_words_are_found(store: SqlStore, query: str, text: str, is_found: bool) -> None:
    store.apply(keep("something else, 다른 글, 别的", text))
    assert find(store, query) == (["1"] if is_found else [])


@pytest.mark.parametrize("query", ["", " ", "\0", "...", '"', "'", "·", "*", "()", "\\", ":*", "%s", "?"])
def test_queries_without_words_find_nothing(store: SqlStore, query: str) -> None:
    store.apply(keep("a b", "· * ()"))
    assert find(store, query) == []


@pytest.mark.parametrize(
    "query",
    [
        *('"cat', "cat'", "cat*", "cat\0", "cat:*", "(cat", "cat)", "cat'); DROP TABLE documents; --", "-cat", "^cat"),
        *(
            "cat\\",
            "words:cat",
            "cat OR dog",
            "cat NOT dog",
            "NEAR(cat dog)",
            "cat AND",
            "{cat}:",
            "!cat",
            "cat & | dog",
        ),
        "%cat?",
    ],
)
def test_a_query_has_no_syntax(store: SqlStore, query: str) -> None:
    every = "cat dog drop table documents words or not near and"
    store.apply(keep("dog", "cat catalogue", every))
    assert set(find(store, query)) == {
        str(at) for at, text in enumerate(("dog", "cat", every)) if stores.matches(query, text)
    }
    assert len(store) == 3


def test_texts_with_more_occurrences_come_first(store: SqlStore) -> None:
    store.apply(
        keep("one cat and four dogs here", "cat cat cat and a dog here", "학교에서 온 학생", "학교 온 학생", "x", "y")
    )
    assert find(store, "cat") == ["1", "0"]
    assert find(store, "학교") == ["3", "2"]
    assert [found.id for found in store.search("cat", 1)] == ["1"]
    scores = [found.score for found in store.search("cat")]
    assert scores == sorted(scores, reverse=True)


def test_equal_scores_are_ordered_by_id(store: SqlStore) -> None:
    store.apply(keep(*["same words"] * 12))
    assert find(store, "words") == sorted(map(str, range(12)))[:10]


def test_wrong_searches_are_refused(store: SqlStore) -> None:
    with pytest.raises(UsageError, match="limit 0"):
        store.search("a", 0)
    with pytest.raises(UsageError, match="surrogate"):
        store.search("a \ud800")
    with pytest.raises(UsageError, match="1,001 parts"):
        store.search(" ".join(map(str, range(1001))))
    assert store.search(" ".join(map(str, range(1000)))) == []
    assert store.search("图书" * 500) == []


def test_phrases_far_inside_a_text(store: SqlStore) -> None:
    far = "글 " * 20_000
    store.apply(keep(f"{far} 국립도서관에서", f"{far} 국립 립도 도서 {far} 서관", f"图书 {far} 书馆"))
    assert find(store, "국립도서관") == ["0"]
    assert find(store, "图书馆") == []


def test_search_is_made_again_when_texts_are_cut_in_another_way(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(sql, "TERMS", "0, Unicode 1.1")
        patch.setattr(sql, "search_terms", lambda text: terms.search_terms(f"old {len(text)}"))
        with closing(open_store(*place)) as store:
            dropped = StoredDocument("d", "학교", None, None, "0", "near")
            store.apply(keep("학교에서", "글")._replace(stored=[*keep("학교에서", "글").stored, dropped]))
            assert find(store, "old") == ["0", "1"]
            patch.undo()
            with pytest.raises(EnvironmentFault, match="another version of neardup"):
                store.apply(keep("new", position=2))
    for _ in range(2):
        with closing(open_store(*place)) as store:
            assert find(store, "old") == []
            assert find(store, "학교") == ["0"]
            assert store.position() == 1


def test_a_tsvector_stays_within_its_limits() -> None:
    vector = write_tsvector(terms.search_terms("a b " * 20_000 + "图书"))
    places = {entry.partition(":")[0]: entry.partition(":")[2].split(",") for entry in vector.split(" ")}
    assert {word: len(found) for word, found in places.items()} == {"'a'": 255, "'b'": 255, "'图书'": 2, "'书'": 1}
    assert places["'图书'"] == ["16383A", "16383D"]
    assert places["'书'"] == ["16383D"]
    assert write_tsvector([]) == ""
