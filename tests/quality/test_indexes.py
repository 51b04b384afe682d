"""An index of real texts, added in random order and partly removed, equals the batch jobs over the remaining texts."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from test_real_texts import has_han, is_english, is_korean, is_mixed, sample

import neardup
from batch import check_same, create, held_by, reopen
from neardup import Document


@pytest.mark.parametrize("recall", ["0.99", "exact"])
@pytest.mark.parametrize("policy", ["first", "earliest"])
@pytest.mark.parametrize("wanted", [is_english, is_korean, has_han, is_mixed], ids=lambda wanted: wanted.__name__)
def test_an_index_equals_the_batch(
    wanted: Callable[[str], bool], policy: Any, recall: str, data: Path, tmp_path: Path, deep: bool
) -> None:
    docs = sample(data, wanted, deep=deep)
    if not docs:
        pytest.skip("no such texts in this folder")
    random = Random(wanted.__name__)
    random.shuffle(docs)
    scheme = neardup.plan_scheme("0.5", recall)
    index = create(tmp_path / "index", 100, scheme=scheme, policy=policy)
    index.add(Document(doc.text, doc.id, None, random.randrange(len(docs))) for doc in docs)
    index.remove([doc.id for doc in docs[::7]])
    check_same(reopen(index, 100), held_by(index), policy)
    index.compact()
    check_same(index, held_by(index), policy)
    index.verify()
