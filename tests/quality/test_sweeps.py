"""What became of pages from sweep to sweep, told from URLs, dates and texts, against the labels."""

from pathlib import Path

import pytest
import sweeps
from floors import Scores


@pytest.mark.parametrize("name", sweeps.SETS)
def test_kinds(name: str, data: Path, scores: Scores) -> None:
    """F1 of every kind with enough cases, and their mean; a step counts with both of its pages."""
    found = sweeps.score(data / name)
    scores.add("kinds", name, f"of kinds with {sweeps.ENOUGH} cases", mean=sweeps.mean(found))
    for kind, score in found.items():
        if score.labelled >= sweeps.ENOUGH:
            note = f"{score.right:,} right of {score.told:,} told and {score.labelled:,} labelled"
            scores.add(f"kind {kind}", name, note, f1=score.f1)
