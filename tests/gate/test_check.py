"""`check` answers what `admit` then does, for every kind of document."""

import re
from collections.abc import Callable
from pathlib import Path
from tempfile import mkdtemp
from typing import Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from neardup import DataError, Document
from neardup.gate.gate import Gate, Given, Page

WORDS = ("ferry", "quay", "oven", "loaf", "stone", "harbour", "coins", "dogs", "snow", "lamp", "river", "bell")


def _edit(edits: dict[int, str], form: Callable[[str], str]) -> str:
    return form(" ".join(edits.get(at, word) for at, word in enumerate(WORDS)))


_EDITS = st.dictionaries(st.integers(0, len(WORDS) - 1), st.sampled_from(WORDS), max_size=3)
_TEXTS = st.one_of(
    # near-duplicates of one text, in three forms
    st.builds(_edit, _EDITS, st.sampled_from((str, str.upper, "{}!".format))),
    st.sampled_from(("", "  \n", "!?", "one", "one two", "한 글", "图书")),
)
_DOCUMENTS = st.builds(
    Document,
    _TEXTS,
    st.none() | st.sampled_from("abcdefgh"),
    st.none() | st.sampled_from(("http://one.example/", "http://two.example/", "http://three.example/")),
    st.none() | st.integers(0, 6),
)
_PAGES = st.builds(lambda text, url: Page(f"<main><p>{text}</p></main>", url=url), _TEXTS, st.none() | st.just("u"))


@pytest.mark.parametrize("policy", ["first", "earliest"])
@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])
@given(
    given_documents=st.lists(st.one_of(_DOCUMENTS, _DOCUMENTS, _TEXTS, _PAGES), min_size=2, max_size=14),
    removed=st.integers(0, 13),
)
def test_check_answers_what_admit_does(
    policy: Literal["first", "earliest"], given_documents: list[Given], removed: int
) -> None:
    with Gate.open(mkdtemp(), policy=policy, threshold=0.4) as gate:
        for number, document in enumerate(given_documents):
            try:
                checked = gate.check(document)
            except DataError as refusal:
                with pytest.raises(DataError, match=re.escape(str(refusal))):
                    gate.admit(document)
                continue
            admitted = gate.admit(document)
            assert checked == (admitted.verdict, admitted.replaced, admitted.unchanged)
            assert checked.kind == admitted.kind
            if number == removed:
                gate.remove(admitted.verdict.id)


def test_check_of_a_page_that_another_url_has(tmp_path: Path) -> None:
    """The new text of a URL is compared with a duplicate of the old one, which becomes an original."""
    text = " ".join(WORDS)
    with Gate.open(tmp_path / "gate") as gate:
        gate.admit(Document(text, "a", "http://one.example/"))
        gate.admit(Document(f"{text} again", "b", "http://two.example/"))
        update = Document(f"{text} once", "c", "http://one.example/")
        checked = gate.check(update)
        assert (checked.verdict.original, checked.replaced) == ("b", "a")
        assert gate.admit(update).verdict == checked.verdict
