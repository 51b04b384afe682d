"""More pairs are drawn: the sample grows, labels stay, and an interruption leaves the review as before or as after."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from neardup import DataError, Document, Index, UsageError
from neardup.inputs.sources import Inputs
from neardup.review.advice import Tally, advise
from neardup.review.goal import Goal
from neardup.review.options import more_of
from neardup.review.review import Review
from records import write_records
from reviewed import DOCS, LINE


def write_docs(path: Path, docs: list[Document]) -> Path:
    return write_records(path, [{"key": doc.id, "text": doc.text, "url": doc.url} for doc in docs])


def create(folder: Path, docs: Path, each: int) -> Review:
    return Review.create(folder, docs, each=each, id_field="key", url_field="url")


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_docs(tmp_path_factory.mktemp("docs") / "docs.jsonl", DOCS)


@pytest.fixture(scope="module")
def made(docs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return create(tmp_path_factory.mktemp("reviews") / "two", docs, 2).folder


@pytest.fixture(scope="module")
def whole(docs: Path, tmp_path_factory: pytest.TempPathFactory) -> Review:
    """A review of the same documents of which all pairs are drawn."""
    return create(tmp_path_factory.mktemp("reviews") / "whole", docs, 1000)


@pytest.fixture
def review(made: Path, tmp_path: Path) -> Review:
    """A review with two drawn pairs of each stratum."""
    return Review.open(shutil.copytree(made, tmp_path / "review"))


def label(review: Review, who: str = "kim") -> str:
    """Label the next pair, and return the stratum of the pair."""
    pair = review.next_pair(who)
    assert pair is not None
    review.label(who, *pair.key, "duplicate" if pair.resemblance >= LINE else "not")
    return review.strata.name(pair.stratum)


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("several", [[3, 4, 9, 30], [30], [1000]])
def test_several_draws_are_one_larger_draw(review: Review, whole: Review, several: list[int]) -> None:
    """The sample is that of a review with the last number of pairs from the start, in the same order."""
    for each in several:
        before = review.sample
        added = review.draw(each=each)
        assert review.sample[: len(before)] == before
        assert len(review.sample) == len(before) + added
    strata = {stratum: [one for one in whole.sample if one.stratum == stratum] for stratum in range(len(review.strata))}
    for stratum, pairs in strata.items():
        drawn = [one for one in review.sample if one.stratum == stratum]
        assert [one._replace(number=0) for one in drawn] == [one._replace(number=0) for one in pairs[: several[-1]]]
    assert [one.number for one in review.sample] == list(range(1, len(review.sample) + 1))
    assert review.undrawn() == {
        stratum: len(pairs) - several[-1] for stratum, pairs in strata.items() if len(pairs) > several[-1]
    }
    assert Review.open(review.folder).sample == review.sample


def test_next_pairs_are_those_of_a_larger_draw(review: Review, docs: Path, tmp_path: Path) -> None:
    larger = create(tmp_path / "larger", docs, 40)
    assert review.sample == larger.sample[: len(review.sample)]
    for _ in range(20):
        label(review)
    for key, labels in review.labels().items():
        larger.label("kim", *key, labels["kim"])
    review.draw(each=40)
    assert review.sample == larger.sample
    for _ in range(40):
        assert review.next_pair("kim") == larger.next_pair("kim")
        assert review.outlook() == larger.outlook()
        label(review)
        pair = larger.next_pair("kim")
        assert pair is not None
        larger.label("kim", *pair.key, "duplicate" if pair.resemblance >= LINE else "not")


def test_a_review_says_when_more_should_be_drawn(review: Review) -> None:
    """It never ends for want of drawn pairs: it names a stratum, whose pairs are asked for after the draw."""
    assert review.outlook().draw is None
    while review.next_pair("kim") is not None:
        label(review)
    outlook = review.outlook()
    assert outlook.phase == "undrawn"
    assert outlook.draw is not None
    stratum = next(at for at in range(len(review.strata)) if review.strata.low(at) == outlook.draw)
    name, more = review.strata.name(stratum), review.undrawn()[stratum]
    assert f"The drawn pairs of stratum {name} are used up; {more} more pairs can be drawn." in outlook.words
    labels = review.labels()
    assert review.draw(each=4) > 0
    assert review.labels() == labels
    assert label(review) == review.strata.name(stratum)
    while review.outlook().draw is not None or review.next_pair("kim") is not None:
        if review.outlook().draw is not None:
            assert review.draw(each=review.settings.most + 4) > 0
        else:
            label(review)
    assert review.outlook().phase == "supported"
    assert review.outlook().supported == "0.7"


def test_a_person_who_is_unsure_needs_more_pairs(review: Review) -> None:
    while (pair := review.next_pair("kim")) is not None:
        review.label("kim", *pair.key, "unsure")
    assert review.outlook("kim").phase == "undrawn"
    # others can label them
    assert review.outlook().draw is None
    assert review.outlook("lee").draw is None


def test_a_stratum_that_decides_is_asked_for_though_others_have_pairs() -> None:
    tallies = [Tally(500, 3, 0), Tally(900, 40, 40), Tally(500, 25, 25)]
    advice = advise(tallies, Goal(), [0, 2], [1])
    assert (advice.phase, advice.stratum, advice.target, advice.draw) == ("support", 2, 1, 1)
    assert advise(tallies, Goal(), [0, 1, 2], [1]).draw is None
    # without a list of those that have more pairs, all that is left is drawn
    assert advise(tallies, Goal(), [0, 2]) == advice._replace(draw=None)
    assert advise(tallies, Goal(), [0], [1, 2])[:2] == ("undrawn", None)
    assert advise([Tally(500, 2, 2)], Goal(), [], [0]).draw == 0


def test_pairs_that_others_draw_are_there_at_once(review: Review) -> None:
    other = Review.open(review.folder)
    label(review)
    assert other.draw(each=5) > 0
    new = other.sample[-1]
    review.label("kim", *new.key, "not")
    assert review.sample == other.sample
    assert review.settings == other.settings
    assert review.settings.draws == [5]
    assert len(other.labels()) == 2
    shutil.rmtree(review.folder)
    with pytest.raises(UsageError, match=r"not a review of neardup \(it has no review\.json\)"):
        assert review.sample
    Review.create(review.folder, DOCS[:12])
    with pytest.raises(DataError, match="another review has replaced this one; open it anew"):
        review.next_pair("kim")


def test_labels_that_are_added_while_pairs_are_drawn_stay(review: Review, monkeypatch: pytest.MonkeyPatch) -> None:
    other = Review.open(review.folder)
    on_replacing(monkeypatch, lambda: label(other))
    assert review.draw(each=5) > 0
    assert len(review.labels()) == 1
    label(other)
    assert len(review.labels()) == 2


def on_replacing(monkeypatch: pytest.MonkeyPatch, action: Callable[[], Any]) -> None:
    """Do something before review.json is replaced."""
    replace = os.replace

    def act(self: Path, target: Path) -> Path:
        action()
        replace(self, target)
        return target

    monkeypatch.setattr(Path, "replace", act)


class Stopped(BaseException):
    """The process is killed."""


def test_an_interrupted_draw_changes_nothing(review: Review, monkeypatch: pytest.MonkeyPatch) -> None:
    before, sample = files_of(review.folder), review.sample

    def stop(*_: Any) -> None:
        raise Stopped

    for name in ("neardup.review.draw.write_sample", "neardup.review.draw.write_settings"):
        with monkeypatch.context() as patch:
            patch.setattr(name, stop)
            with pytest.raises(Stopped):
                review.draw(each=5)
        left = files_of(review.folder)
        assert {name: left[name] for name in before} == before
        assert left.keys() - before.keys() <= {"draws/5.jsonl"}
        assert Review.open(review.folder).sample == review.sample == sample
    assert review.draw(each=7) > 0
    # nothing remains of the draw that was stopped
    assert files_of(review.folder).keys() - before.keys() == {"draws/7.jsonl"}


def test_one_process_draws_at_a_time(review: Review, monkeypatch: pytest.MonkeyPatch) -> None:
    def draw_again() -> None:
        with pytest.raises(UsageError, match="another process draws pairs of this review"):
            Review.open(review.folder).draw(each=9)

    on_replacing(monkeypatch, draw_again)
    assert review.draw(each=5) > 0


def test_a_draw_doubles_the_number_of_pairs() -> None:
    assert [more_of(each) for each in (1, 99, 101, 200)] == [200, 200, 202, 400]


def test_the_number_of_pairs_grows_until_all_are_drawn(review: Review, whole: Review) -> None:
    for each in (1, 2):
        with pytest.raises(UsageError, match=f"each is {each}; 2 were drawn already, and allowed are larger numbers"):
            review.draw(each=each)
    with pytest.raises(UsageError, match="each is 0; allowed are"):
        review.draw(each=0)
    before = len(review.sample)
    assert review.draw(each=1000) == len(whole.sample) - before
    assert (review.sample, review.undrawn()) == (whole.sample, {})
    files = files_of(review.folder)
    assert review.draw(each=2000) == 0
    assert files_of(review.folder) == files


def test_inputs_that_moved_are_given(review: Review, docs: Path, tmp_path: Path, whole: Review) -> None:
    moved = Path(shutil.copy(docs, tmp_path / "elsewhere.jsonl"))
    given: list[Inputs] = [moved, [moved], DOCS]
    for each, inputs in enumerate(given, 3):
        assert review.draw(each=each, inputs=inputs) > 0
    run = review.folder / "run/run.json"
    run.write_text(run.read_text(encoding="utf-8").replace(str(docs), str(tmp_path / "gone.jsonl")), encoding="utf-8")
    with pytest.raises(
        DataError, match=r"gone\.jsonl: there is no such file or folder; if the inputs have moved, give th"
    ):
        review.draw()
    review.draw(each=1000, inputs=moved)
    assert review.sample == whole.sample
    in_memory = Review.create(tmp_path / "memory", DOCS, each=2)
    with pytest.raises(UsageError, match="did not come from files or from an index: give them as inputs"):
        in_memory.draw()
    assert in_memory.draw(inputs=DOCS) > 0


def test_documents_that_went_or_changed_are_named(made: Path, tmp_path: Path, docs: Path) -> None:
    review = Review.open(shutil.copytree(made, tmp_path / "review"))
    before = files_of(review.folder)
    known = {one.id for pair in review.sample for one in (pair.left, pair.right)}
    first = min(str(doc.id) for doc in DOCS if doc.id not in known)
    without = write_docs(tmp_path / "without.jsonl", [doc for doc in DOCS if doc.id != first])
    with pytest.raises(DataError, match=f"the document '{first}' is not in the inputs any more"):
        review.draw(each=1000, inputs=without)
    # the resemblance of its pairs stays
    changed = [doc._replace(text=doc.text.upper()) if doc.id == first else doc for doc in DOCS]
    with pytest.raises(DataError, match=f"the document '{first}' has another text than when its pairs were listed"):
        review.draw(each=1000, inputs=write_docs(tmp_path / "changed.jsonl", changed))
    assert files_of(review.folder) == before
    # others may be added
    review.draw(each=1000, inputs=write_docs(tmp_path / "more.jsonl", [Document("a new text", "new"), *DOCS]))


def test_more_pairs_of_an_index_are_drawn(tmp_path: Path, whole: Review) -> None:
    index = Index.create(tmp_path / "index")
    index.add(DOCS)
    review = Review.create(tmp_path / "review", index, each=2)
    assert review.settings.indexes == [str(tmp_path / "index")]
    index.add(Document("a new text", "new"))
    assert review.draw(each=3) > 0
    known = {one.id for pair in review.sample for one in (pair.left, pair.right)}
    first = min((doc for doc in DOCS if doc.id not in known), key=lambda doc: str(doc.id))
    index.remove(str(first.id))
    with pytest.raises(DataError, match=f"the document '{first.id}' is not in the inputs any more"):
        review.draw(each=1000)
    index.add(first)
    shutil.copytree(tmp_path / "index", tmp_path / "moved")
    index = Index.open(tmp_path / "moved")
    review.draw(each=1000, inputs=index)
    assert [pair.key for pair in review.sample] == [pair.key for pair in whole.sample]


def test_damaged_files_of_a_draw_are_named(review: Review) -> None:
    review.draw(each=5)
    drawn, settings = review.folder / "draws/5.jsonl", review.folder / "review.json"
    content, written = drawn.read_bytes(), settings.read_text(encoding="utf-8")
    for damaged, words in [
        (content[:-1], r"5\.jsonl, line \d+: not a pair of a sample"),
        (content.splitlines(keepends=True)[0], r"review\.json and sample\.jsonl and draws/5\.jsonl are not as they"),
        (content * 2, r"5\.jsonl, line \d+: the pair is there already"),
    ]:
        drawn.write_bytes(damaged)
        with pytest.raises(DataError, match=words):
            Review.open(review.folder)
    drawn.write_bytes(content)
    for draws in ([2], [5, 5], ["5"], [5, 4], 5):
        settings.write_text(json.dumps({**json.loads(written), "draws": draws}), encoding="utf-8")
        with pytest.raises(DataError, match="not the settings of a review"):
            Review.open(review.folder)
    settings.write_text(written, encoding="utf-8")
    assert Review.open(review.folder).sample == review.sample
    digests = review.folder / "digests.jsonl"
    first, *rest = digests.read_text(encoding="utf-8").splitlines(keepends=True)
    digests.write_text("".join([first, "{}\n", *rest]), encoding="utf-8")
    with pytest.raises(DataError, match=r"digests\.jsonl, line 2: not a digest of a document"):
        review.draw(each=1000)
    digests.write_text(first, encoding="utf-8")
    with pytest.raises(DataError, match=r"digests\.jsonl: the document '.*' is missing"):
        review.draw(each=1000)
    digests.unlink()
    with pytest.raises(UsageError, match="an earlier neardup made this review"):
        review.draw(each=1000)
