"""The tasks of a child process, which reads frames of JSON and writes a frame of JSON for each, one after another.

A frame is a length of four bytes, the highest first, and that number of bytes: JSON, which in an answer follows a byte
that says whether the task was done or refused.
"""

import json
import resource
import signal
import sys
from collections.abc import Callable
from typing import Any

from pydantic import ValidationError

from neardup import _core, errors
from neardup.corpus.extractors import AUTO
from neardup.corpus.markup import extract_texts
from neardup.inputs.document import Document
from neardup.jobs.explanation import Explanation, Passage, explain
from neardup.jobs.fold import fold
from neardup.output.json import write_json
from neardup.service.answers import name_faults
from neardup.service.models import requests as sent
from neardup.service.models.requests import refuse_repeats

LENGTH = 4
"""Number of bytes of the length before every frame."""
DONE, REFUSED = b"+", b"-"
"""First byte of an answer: before the result, and before the name of an error and its message."""
MEMORY = 2 << 30
"""Largest number of bytes of address space of a child."""


def read_json(body: str, model: str) -> None:
    """Raise `DataError` for JSON that does not fit a model of requests."""
    try:
        getattr(sent, model).model_validate_json(body)
        refuse_repeats(body)
    except ValidationError as error:
        raise errors.DataError(name_faults(error.errors(include_url=False, include_input=False))) from None
    except ValueError as error:
        raise errors.DataError(str(error)) from None


def read_form(body: str, charset: str | None, kind: str, extractor: str) -> str:
    """Return the text of a page or a text as it is; each character of `body` is a byte."""
    is_page = kind == "text/html"
    text, _ = _core.decode_page(body.encode("latin-1"), charset, is_markup=is_page)
    return extract(text, extractor) if is_page else text


def extract(html: str, extractor: str = AUTO) -> str:
    """Return the main text of a page. Raises `DataError` if none can be read."""
    [(text, reason, _)] = extract_texts([html], extractor)
    if text is None:
        raise errors.DataError(str(reason))
    return text


def fold_texts(texts: list[str], threshold: str | float | None, scheme: str | None) -> list[list[int]]:
    """Fold a ranked list: the ranks of each group from 1, the best first."""
    # their ids are ranks, because a list of results may contain one document twice
    ranked = [Document(text, str(rank)) for rank, text in enumerate(texts, 1)]
    return [[int(str(one.id)) for one in (group.best, *group.others)] for group in fold(ranked, threshold, scheme)]


def find_passages(left: str, right: str, scheme: str) -> list[Passage]:
    """Return the passages that occur in both texts."""
    return explain(left, right, scheme=scheme).passages


def score_texts(left: str, right: str, scheme: str) -> Explanation:
    """Explain a pair without its passages and changes."""
    return explain(left, right, scheme=scheme)._replace(passages=[], changes=[])


def draw_sides(left: str, right: str, scheme: str, limit: int) -> str:
    """Draw two texts side by side, as HTML, with at most `limit` characters of each."""
    return _core.compare_texts(left, right, scheme, limit)


TASKS: dict[str, Callable[..., Any]] = {
    "read_json": read_json,
    "read_form": read_form,
    "extract": extract,
    "explain": explain,
    "find_passages": find_passages,
    "score_texts": score_texts,
    "draw_sides": draw_sides,
    "fold": fold_texts,
}


def run(seconds: float) -> None:
    """Run tasks from the standard input to its end; one that takes too long ends the process."""
    source, target = sys.stdin.buffer, sys.stdout.buffer
    while length := source.read(LENGTH):
        asked = json.loads(source.read(int.from_bytes(length, "big")))
        signal.setitimer(signal.ITIMER_REAL, seconds)
        answer = _do(**asked)
        signal.setitimer(signal.ITIMER_REAL, 0)
        target.write(len(answer).to_bytes(LENGTH, "big") + answer)
        target.flush()


def _do(task: str, given: dict[str, Any]) -> bytes:
    try:
        return DONE + write_json(TASKS[task](**given)).encode()
    except errors.NeardupError as error:
        return REFUSED + write_json([type(error).__name__, str(error)]).encode()


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    run(float(sys.argv[1]))
