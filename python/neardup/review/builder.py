"""Creation of the folder of a review."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from neardup import _core
from neardup.errors import UsageError
from neardup.evaluation.trial import STARS
from neardup.inputs.sources import Gathered, Inputs, gather, is_frame
from neardup.jobs.run import run_verb
from neardup.options.values import translate
from neardup.output.durable import sync
from neardup.output.folders import REVIEW, output_folder
from neardup.output.written import write_now
from neardup.results.outcomes import PairList
from neardup.review.decimals import write_decimal
from neardup.review.digests import FILE as DIGESTS
from neardup.review.documents import fetch_documents, find_indexes
from neardup.review.drawn import DRAWS, RUN, SAMPLE
from neardup.review.estimate import read_pairs
from neardup.review.goal import FILE as GOAL
from neardup.review.options import OWN, plan_draw
from neardup.review.sample import Scored, draw_sample, write_sample
from neardup.review.settings import FILE, VERSION, Settings, write_settings

LOG = "labels.jsonl"


def make_review(folder: Path, inputs: Inputs, options: dict[str, Any]) -> None:
    """List the pairs, draw the sample and write the folder, which appears when it is complete.

    `options` are those of `Review.create`. Raises `UsageError` if there is something at `folder` already, `DataError`,
    `EnvironmentFault`.
    """
    _refuse_existing(folder)
    gathered = _gather_twice(inputs)
    comparison, strata, width, each, seed = plan_draw(gathered.options.get("scheme"), options)
    measure = comparison.measure
    reading = {name: value for name, value in options.items() if name not in OWN}
    names = (FILE, SAMPLE, f"{DRAWS}/", DIGESTS, LOG, GOAL, f"{RUN}/")
    with output_folder(folder, names, kind=REVIEW) as partial:
        # another process may have finished this folder since the first check; from here on no other process writes it
        _refuse_existing(folder)
        run = partial / RUN
        result = run_verb("pairs", gathered, reading | {"scheme": comparison.scheme, "output": str(run)})
        summary = PairList(result, None).summary
        settings = Settings(
            version=VERSION,
            neardup=_core.__version__,
            created=write_now(),
            scheme=comparison.scheme,
            threshold=measure.write(comparison.threshold),
            floor=measure.write(comparison.floor),
            width=write_decimal(width),
            each=each,
            seed=seed,
            documents=summary["counts"]["documents"],
            pairs=summary["counts"]["pairs"],
            measure=measure.name,
            limit=write_decimal(measure.limit),
            notes=[*summary["notes"], *([STARS] if summary["stars"] or summary["starred_keys"] else [])],
            indexes=find_indexes(inputs),
        )
        listed = set[str]()

        def list_ids() -> Iterator[Scored]:
            for pair, score in read_pairs(run, measure):
                listed.update((pair.left, pair.right))
                yield pair, score

        sample = draw_sample(list_ids(), strata, each, seed)
        drawn = {name for pair, _ in sample for name in (pair.left, pair.right)}
        core = {**gathered.options, **translate(reading)}
        write_sample(partial / SAMPLE, sample, fetch_documents(gathered.inputs, core, listed, drawn, partial))
        (partial / LOG).touch()
        write_settings(partial, settings.checked((partial / SAMPLE).read_bytes()))
        _sync_files(partial)


def _refuse_existing(folder: Path) -> None:
    if folder.exists():
        raise UsageError(f"{folder}: there is something already; a review is made in a new folder")


def _gather_twice(inputs: Inputs) -> Gathered:
    """Gather inputs that are read twice: for the pairs, and for the texts of the sample."""
    if is_frame(inputs):
        raise UsageError("a review is made on this machine, and a Spark DataFrame is on others: give files or a table")
    gathered = gather(inputs)
    if any(isinstance(one, str) and one == "-" for one in gathered.inputs):
        raise UsageError("a review reads its documents twice, and stdin (-) can be read once: give a file")
    return gathered


def _sync_files(folder: Path) -> None:
    """Write all files through to the disk before the folder gets its name."""
    for path in folder.rglob("*"):
        if path.is_file():
            sync(path)
