"""More pairs are drawn of a review: its sample grows, and nothing else changes."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from neardup import _core
from neardup.allowed import check_count
from neardup.errors import DataError, EnvironmentFault, UsageError
from neardup.inputs.document import Document
from neardup.inputs.sources import Inputs, Streams, gather_paths
from neardup.jobs.reread import gather_again, reading_options
from neardup.options.values import translate
from neardup.output.durable import sync
from neardup.review.digests import digest_text, read_digests
from neardup.review.documents import read_documents
from neardup.review.drawn import DRAWS, RUN, Drawn, draw_file, read_drawn, sample_files
from neardup.review.estimate import read_pairs
from neardup.review.label_log import try_lock
from neardup.review.options import more_of
from neardup.review.sample import Scored, draw_sample, read_file, write_sample
from neardup.review.settings import Settings, write_settings


def draw_more(folder: Path, each: int | None, inputs: Inputs | None) -> int:
    """Draw up to `each` pairs of every stratum, all draws together, and return the number of new pairs.

    The pairs that were drawn before are the first ones of the larger sample. The new ones are drawn at the moment in
    which review.json is replaced: whenever this stops, the review is as before or as after.
    """
    with _lock(folder):
        drawn = read_drawn(folder)
        settings = drawn.settings
        number = more_of(settings.most) if each is None else each
        check_count("each", number, 1)
        if number <= settings.most:
            raise UsageError(f"each is {number}; {settings.most:,} were drawn already, and allowed are larger numbers")
        if more := _choose(folder, drawn, number):
            known = {str(one.id): one for pair in drawn.sample for one in (pair.left, pair.right)}
            missing = {name for pair, _ in more for name in (pair.left, pair.right)} - known.keys()
            _add(folder, settings, number, more, known | _fetch(folder, settings, inputs, missing))
        return len(more)


def _choose(folder: Path, drawn: Drawn, each: int) -> list[Scored]:
    """Return the pairs that a sample of `each` pairs of a stratum has after those that are drawn."""
    settings, before = drawn.settings, len(drawn.sample)
    listed = read_pairs(folder / RUN, settings.measured())
    pairs = draw_sample(listed, settings.strata(), each, settings.seed)
    if [pair.key for pair in drawn.sample] != [(pair.left, pair.right) for pair, _ in pairs[:before]]:
        raise DataError(f"{folder / RUN}: not the pairs from which the sample was drawn")
    return pairs[before:]


def _add(folder: Path, settings: Settings, each: int, more: list[Scored], documents: dict[str, Document]) -> None:
    """Write the new pairs to a file of their own, and then the settings that name it."""
    _remove_unfinished(folder, settings)
    path = draw_file(folder, each)
    path.parent.mkdir(exist_ok=True)
    try:
        write_sample(path, more, documents)
    except OSError:
        path.unlink(missing_ok=True)
        raise
    for one in (path, path.parent, folder):
        sync(one)
    grown = settings._replace(draws=[*settings.draws, each])
    content = b"".join(map(read_file, sample_files(folder, grown)))
    write_settings(folder, grown.checked(content))
    sync(folder)


@contextmanager
def _lock(folder: Path) -> Iterator[None]:
    """Let one process at a time draw pairs. Raises `UsageError` while another one does, or if there is no folder."""
    try:
        opened = os.open(folder, os.O_RDONLY)
    except OSError as error:
        raise UsageError(f"{folder}: not a review of neardup ({error.strerror})") from error
    try:
        if not try_lock(opened):
            raise UsageError("another process draws pairs of this review")
        yield
    except OSError as error:
        raise EnvironmentFault(f"{error.filename or folder} cannot be written: {error.strerror}") from error
    finally:
        os.close(opened)


def _fetch(folder: Path, settings: Settings, inputs: Inputs | None, ids: set[str]) -> dict[str, Document]:
    """Return documents of the inputs, whose texts must be those of which the pairs were listed."""
    digests = read_digests(folder, ids)
    try:
        documents = {str(one.id): one for one in read_documents(*_gather(folder, settings, inputs), ids)}
    except DataError as error:
        if inputs is not None:
            raise
        raise DataError(f"{error}; if the inputs have moved, give them") from error
    advice = "give the inputs as they were, or make a new review"
    if gone := ids - documents.keys():
        raise DataError(f"the document {min(gone)!r} is not in the inputs any more; {advice}")
    if changed := {key for key, one in documents.items() if digest_text(one.text) != digests[key]}:
        raise DataError(f"the document {min(changed)!r} has another text than when its pairs were listed; {advice}")
    return documents


def _gather(folder: Path, settings: Settings, inputs: Inputs | None) -> tuple[Streams, dict[str, Any]]:
    """Return the inputs, by default those of which the review was made, and the options of the core that read them."""
    run = str(folder / RUN)
    scheme, reading = json.loads(_core.reading(run))
    if inputs is None and settings.indexes:
        return gather_paths(settings.indexes).inputs, {}
    streams, fields = gather_again(inputs, reading)
    if streams is None:
        raise UsageError("the documents of this review did not come from files or from an index: give them as inputs")
    return streams, translate({"scheme": scheme}) | reading_options(run, reading) | fields


def _remove_unfinished(folder: Path, settings: Settings) -> None:
    """Remove the file of a draw that was stopped before its pairs were drawn."""
    for path in {*(folder / DRAWS).glob("*.jsonl")} - {*sample_files(folder, settings)}:
        path.unlink()
