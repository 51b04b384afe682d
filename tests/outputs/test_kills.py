"""A run that is killed at random moments, however often, has the results of an undisturbed run."""

from pathlib import Path
from random import Random

import pytest

import kills


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory, deep: bool) -> Path:
    folder = tmp_path_factory.mktemp("kills")
    kills.write_corpus(folder, 15_000 if deep else 3_000, seed=1)
    return folder


@pytest.mark.parametrize("trial", kills.TRIALS, ids=lambda trial: trial.name)
def test_a_killed_run_ends_in_the_same_results(trial: kills.Trial, corpus: Path, deep: bool) -> None:
    for count, differing in kills.try_out(trial, corpus, 5 if deep else 1, Random(trial.name)):
        assert differing == [], f"after {count} kills"
