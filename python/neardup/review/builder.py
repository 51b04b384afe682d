"""Creation of the folder of a review."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, cast

from neardup import _core
from neardup.errors import DataError, UsageError
from neardup.evaluation.trial import STARS
from neardup.inputs.document import Document
from neardup.inputs.sources import Gathered, Inputs, gather, is_frame
from neardup.jobs.run import run_verb
from neardup.options.values import translate
from neardup.output.folders import REVIEW, output_folder
from neardup.output.written import write_now
from neardup.results.outcomes import PairList
from neardup.review.decimals import write_decimal
from neardup.review.estimate import read_pairs
from neardup.review.goal import FILE as GOAL
from neardup.review.options import OWN, plan_draw
from neardup.review.sample import draw_sample, write_sample
from neardup.review.settings import FILE, VERSION, Settings, write_settings


def fetch_documents(gathered: Gathered, options: dict[str, Any], ids: set[str]) -> dict[str, Document]:
    """Return the documents of these ids, read from the inputs of a run with its options.

    A single index is asked for each document; other inputs are read once more. Raises `DataError` if a document is not
    there any more.
    """
    documents = {str(document.id): document for document in _documents(gathered, options, ids)}
    if gone := ids - documents.keys():
        raise DataError(f"the document {min(gone)!r} went while the review was made; make the review once more")
    return documents


def _documents(gathered: Gathered, options: dict[str, Any], ids: Iterable[str]) -> Iterator[Document]:
    if len(gathered.inputs) == 1 and isinstance(index := gathered.inputs[0], _core.Index):
        for row in filter(None, map(index.get, ids)):
            _, key, text, url, time, _ = row
            yield Document(text, key, url, time)
        return
    core = {**gathered.options, **translate(options)}
    core.pop("scheme", None)
    for key, text, url, time, _, _ in _core.read(gathered.inputs, cast(Any, core)):
        if key in ids:
            yield Document(text, key, url, time)


RUN = "run"
SAMPLE = "sample.jsonl"
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
    with output_folder(folder, (FILE, SAMPLE, LOG, GOAL, f"{RUN}/"), kind=REVIEW) as partial:
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
        )
        sample = draw_sample(read_pairs(run, measure), strata, each, seed)
        names = {name for pair, _ in sample for name in (pair.left, pair.right)}
        write_sample(partial / SAMPLE, sample, fetch_documents(gathered, reading, names))
        (partial / LOG).touch()
        write_settings(partial, settings.checked((partial / SAMPLE).read_bytes()))
        _sync(partial)


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


def _sync(folder: Path) -> None:
    """Write all files through to the disk before the folder gets its name."""
    for path in folder.rglob("*"):
        if path.is_file():
            with open(path, "rb") as file:
                os.fsync(file.fileno())
