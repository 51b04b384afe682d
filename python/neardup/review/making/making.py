"""Making the folder of a review."""

import os
from pathlib import Path
from typing import Any

from neardup import _core
from neardup.errors import UsageError
from neardup.evaluation.trial import STARS
from neardup.inputs.sources import Gathered, Inputs, gather, is_frame
from neardup.jobs.run import run_verb
from neardup.output.folders import REVIEW, output_folder
from neardup.output.times import write_now
from neardup.results.outcomes import PairList
from neardup.review.figures.pair_counts import read_pairs
from neardup.review.making.options import OWN, plan_draw
from neardup.review.making.settings import FILE, VERSION, Settings, write_settings
from neardup.review.making.texts import fetch_documents
from neardup.review.sampling.decimals import write_decimal
from neardup.review.sampling.sample import draw_sample
from neardup.review.sampling.sampled_pair import write_sample

RUN = "run"
SAMPLE = "sample.jsonl"
LOG = "labels.jsonl"


def make_review(folder: Path, inputs: Inputs, options: dict[str, Any]) -> None:
    """List the pairs, draw the sample and write the folder, which appears when all is there.

    `options` are those of `Review.create`. Raises `UsageError` where something stands at `folder` already, `DataError`,
    `EnvironmentFault`.
    """
    _refuse_standing(folder)
    gathered = _gather_twice(inputs)
    comparison, strata, width, each, seed = plan_draw(gathered.options.get("scheme"), options)
    reading = {name: value for name, value in options.items() if name not in OWN}
    with output_folder(folder, (FILE, SAMPLE, LOG, f"{RUN}/"), kind=REVIEW) as partial:
        # another may have come to its end between that question and our turn; from here on nobody else writes
        _refuse_standing(folder)
        run = partial / RUN
        result = run_verb("pairs", gathered, reading | {"scheme": comparison.scheme, "output": str(run)})
        summary = PairList(result, None).summary
        settings = Settings(
            version=VERSION,
            neardup=_core.__version__,
            created=write_now(),
            scheme=comparison.scheme,
            threshold=write_decimal(comparison.threshold),
            floor=write_decimal(comparison.floor),
            width=write_decimal(width),
            each=each,
            seed=seed,
            documents=summary["counts"]["documents"],
            pairs=summary["counts"]["pairs"],
            notes=[*summary["notes"], *([STARS] if summary["stars"] or summary["starred_keys"] else [])],
        )
        sample = draw_sample(read_pairs(run), strata, each, seed)
        names = {name for pair in sample for name in (pair.left, pair.right)}
        write_sample(partial / SAMPLE, sample, fetch_documents(gathered, reading, names))
        (partial / LOG).touch()
        write_settings(partial, settings.checked((partial / SAMPLE).read_bytes()))
        _sync(partial)


def _refuse_standing(folder: Path) -> None:
    if folder.exists():
        raise UsageError(f"{folder}: there is something already; a review is made in a new folder")


def _gather_twice(inputs: Inputs) -> Gathered:
    """Gather what is read once for the pairs, and once more for the texts of the sample."""
    if is_frame(inputs):
        raise UsageError("a review is made on this machine, and a Spark DataFrame is on others: give files or a table")
    gathered = gather(inputs)
    if any(isinstance(one, str) and one == "-" for one in gathered.inputs):
        raise UsageError("a review reads its documents twice, and stdin (-) can be read once: give a file")
    return gathered


def _sync(folder: Path) -> None:
    """Have all files on the disk before the folder gets its name."""
    for path in folder.rglob("*"):
        if path.is_file():
            with open(path, "rb") as file:
                os.fsync(file.fileno())
