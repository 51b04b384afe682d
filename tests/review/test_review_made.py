"""Creation of reviews from all kinds of inputs, with all kinds of schemes."""

from pathlib import Path
from typing import Any

import pyarrow
import pytest

from neardup import Document, Index, Scheme, UsageError
from neardup.review.review import Review
from records import write_records
from reviewed import DOCS

CHARS = "chars | shingles:8 | whole | prefix:0.9 | resemblance>=0.9"


def texts_of(review: Review) -> list[tuple[Document, Document]]:
    return [(pair.left, pair.right) for pair in review.sample]


def rows() -> list[dict[str, Any]]:
    return [{"key": doc.id, "body": doc.text, "url": doc.url, "time": doc.time} for doc in DOCS]


def test_the_sample_depends_on_ids_and_seed_alone(tmp_path: Path) -> None:
    fields: Any = {"id_field": "key", "text_field": "body", "url_field": "url", "time_field": "time"}
    index = Index.create(tmp_path / "index", threshold="0.8")
    index.add(DOCS)
    made = [
        Review.create(tmp_path / "list", DOCS, each=3),
        Review.create(tmp_path / "turned", DOCS[::-1], each=3, threads=1),
        Review.create(tmp_path / "once", iter(DOCS), each=3),
        Review.create(tmp_path / "file", write_records(tmp_path / "docs.jsonl", rows()), each=3, **fields),
        Review.create(tmp_path / "table", pyarrow.Table.from_pylist(rows()), each=3, **fields),
        Review.create(tmp_path / "of index", index, each=3),
        Review.create(tmp_path / "of folder", tmp_path / "index", each=3),
    ]
    assert len(made[0].sample) == 29
    for review in made[1:]:
        assert texts_of(review) == texts_of(made[0])
    other = Review.create(tmp_path / "seed", DOCS, each=3, seed=1)
    assert {pair.key for pair in other.sample} != {pair.key for pair in made[0].sample}
    index.remove([str(doc.id) for doc in DOCS])
    assert texts_of(Review.open(tmp_path / "of index")) == texts_of(made[0])


def test_texts_without_ids_are_named_by_their_row(tmp_path: Path) -> None:
    review = Review.create(tmp_path / "review", ["one text", "another", "one text", "?", ""])
    assert [(pair.key, pair.rule, pair.left.text) for pair in review.sample] == [
        (("1:1", "1:3"), "identical", "one text")
    ]
    nothing = Review.create(tmp_path / "none", ["one text"])
    assert {row.share.reason for row in nothing.table()} == {point.precision.reason for point in nothing.curve()}


@pytest.mark.parametrize(
    ("scheme", "floor", "scheme_listed", "threshold"),
    [
        (None, "0.5", "words | shingles:5 | minhash:105 | bands:35x3 | resemblance>=0.5", "0.8"),
        (CHARS, 0.7, "chars | shingles:8 | minhash:68 | bands:17x4 | resemblance>=0.7", "0.9"),
        (Scheme(CHARS), "1/2", "chars | shingles:8 | minhash:105 | bands:35x3 | resemblance>=0.5", "0.9"),
        ("noisy", "0.5", "chars | shingles:5 | minhash:105 | bands:35x3 | resemblance>=0.5", "0.5"),
        ("words | shingles:5 | whole | prefix:auto | resemblance>=2/3", "0.6", None, "2/3"),
    ],
)
def test_a_scheme_determines_features_and_threshold(
    tmp_path: Path, scheme: Any, floor: Any, scheme_listed: str | None, threshold: str
) -> None:
    review = Review.create(tmp_path / "review", DOCS[:12], scheme=scheme, floor=floor)
    assert scheme_listed in (None, review.settings.scheme)
    assert review.settings.threshold == threshold
    assert threshold in [row.low for row in review.table()]
    assert review.estimate().pairs <= review.settings.pairs


def test_an_index_is_reviewed_by_its_own_scheme(tmp_path: Path) -> None:
    index = Index.create(tmp_path / "index", scheme=CHARS)
    index.add(DOCS[:6])
    review = Review.create(tmp_path / "review", index)
    assert review.settings.scheme == "chars | shingles:8 | minhash:105 | bands:35x3 | resemblance>=0.5"
    assert review.settings.threshold == "0.9"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"scheme": "fetterly"}, "a review takes one whose last pass has a number in its measure"),
        ({"scheme": "simhash", "floor": "2"}, "floor is 2; allowed are numbers above 0, from 3, the threshold of the"),
        (
            {"scheme": "simhash", "floor": "40"},
            "its pairs would be listed by words | shingles:3 | simhash:64 | blocks:40",
        ),
        ({"scheme": CHARS, "floor": "0.95"}, "floor is 0.95; allowed are numbers above 0, at most 0.9, the threshold"),
        ({"floor": 0}, "floor is 0; allowed are numbers above 0, at most 0.8"),
        ({"floor": "low"}, "floor is 'low'"),
        ({"floor": "0.01"}, "its pairs would be listed by words | shingles:5 | minhash:auto"),
        ({"width": "0.001"}, "width is 0.001; allowed are numbers from 0.01 to 1"),
        ({"each": 0}, "each is 0; allowed are 1 and more"),
        ({"seed": 2**64}, "seed is 18446744073709551616; allowed are whole numbers from 0, below 2^64"),
        ({"threshold": "0.8"}, "there is no option 'threshold'; there are csv, each"),
    ],
)
def test_options_are_checked_before_anything_is_read(tmp_path: Path, options: Any, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        Review.create(tmp_path / "review", tmp_path / "missing.jsonl", **options)
    assert words in str(caught.value)
    assert list(tmp_path.iterdir()) == []
