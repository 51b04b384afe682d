"""No scheme that the grammar accepts breaks a run, whatever the texts."""

from random import Random

import pytest

import neardup
from any_scheme import draw_scheme
from neardup import Document, UsageError

WORDS = ("quay", "fog", "ship", "배", "안개", "등대", "船", "灯台", "salt", "oven", "and", "the", "is", "of")


def draw_texts(random: Random) -> list[Document]:
    """Draw a small corpus: copies, near copies, short and blank texts."""
    texts: list[str] = []
    for _ in range(random.choice((0, 1, 2, 12, 30))):
        words = [random.choice(WORDS) for _ in range(random.choice((0, 1, 3, 40, 200)))]
        if texts and random.random() < 0.5:
            words = random.choice(texts).split()
            if words and random.random() < 0.7:
                words[random.randrange(len(words))] = "edit"
        texts.append(random.choice((" ", "\n", ". ")).join(words))
    return [Document(text, url=f"http://h{random.randrange(3)}.org/{number}") for number, text in enumerate(texts)]


def run_schemes(seed: int, count: int) -> int:
    """Run `count` valid schemes over random corpora; return the number of runs."""
    random, runs = Random(seed), 0
    while runs < count:
        line = draw_scheme(random)
        try:
            neardup.Scheme(line)
        except UsageError:
            continue
        runs += 1
        verb = random.choice((neardup.dedup, neardup.cluster, neardup.find_pairs))
        try:
            verb(draw_texts(random), scheme=line, threads=random.choice((1, 2)))
        except UsageError:
            # the scheme needs a field, an option or a verb that this run does not have
            pass
        except BaseException as error:
            raise AssertionError(f"{verb.__name__} by {line!r} (seed {seed})") from error
    return runs


@pytest.mark.parametrize("seed", range(4))
def test_a_scheme_that_is_accepted_runs(seed: int) -> None:
    assert run_schemes(seed, 50) == 50


@pytest.mark.deep("ten thousand schemes")
@pytest.mark.parametrize("seed", range(100, 140))
def test_many_schemes_run(seed: int) -> None:
    assert run_schemes(seed, 250) == 250


def test_keys_that_find_hardly_any_pair_have_a_certificate() -> None:
    for line in ("3x32", "1x96", "96x1"):
        scheme = f"words | shingles:5 | minhash:96 | bands:{line} | resemblance>=0.000001"
        found = neardup.find_pairs([f"{number} quay fog ship salt oven" for number in range(20)], scheme=scheme)
        certificate = found.summary["certificate"]
        assert certificate["low"] is None or 0 <= certificate["low"] <= certificate["high"] <= 1
