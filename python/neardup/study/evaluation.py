"""Schemes held against labels."""

from collections.abc import Iterable
from contextlib import nullcontext
from os import PathLike, fspath
from typing import Any, NamedTuple, Unpack, cast

from neardup import _core
from neardup.allowed import allow, check_options
from neardup.document import ArrowStream
from neardup.errors import UsageError
from neardup.outputs import output_folder, refuse_inputs
from neardup.plain import write_json
from neardup.scheme import plan_scheme, write_scheme
from neardup.sources import Inputs
from neardup.study.labels import Labels, read_labels
from neardup.study.options import EvaluateOptions
from neardup.study.rows import LabelRows
from neardup.study.trial import SchemeEvaluation, try_scheme

CONTENT = "evaluation.json"
PAGE = "report.html"
OWN = ("at", "margin", "complete", "output", "overwrite", "command")
"""Options that are not those of the runs."""


class Truth(NamedTuple):
    """What the labels say: how many documents they decide on, how many pairs are duplicates, and how many are none."""

    source: str
    kind: str
    complete: bool
    documents: int
    positives: int
    negatives: int
    left_out: int


class Evaluation(NamedTuple):
    """What `evaluate` found. Counts are exact; the ratios are rounded to six places, for display only."""

    neardup: str
    command: str | None
    truth: Truth
    documents: int
    schemes: list[SchemeEvaluation]

    @property
    def json(self) -> str:
        """The text of evaluation.json."""
        return write_json(self)


@allow
def evaluate(
    truth: LabelRows,
    inputs: Inputs,
    schemes: str | _core.Scheme | Iterable[str | _core.Scheme] = (),
    **options: Unpack[EvaluateOptions],
) -> Evaluation:
    """Run schemes over documents and score what they find against labels.

    `truth` is a file (JSON lines, CSV or Parquet) or a list of mappings: with a, b and label (0 or 1), or with a, b and
    jaccard (see `at`), or with id and cluster. `inputs` as in `find_pairs`, with the ids that the labels name; they are
    read twice for each scheme. Without `schemes` the default one is taken. `options` are those of
    `neardup.EvaluateOptions`. Raises `UsageError`, `DataError` (also for a label whose document no input has),
    `EnvironmentFault`.
    """
    given = cast(dict[str, Any], options)
    check_options(given, EvaluateOptions)
    lines = _write_schemes(schemes)
    output = given.get("output")
    refuse_inputs(output, inputs, truth)
    overwrite = bool(given.get("overwrite"))
    folder = output_folder(output, (CONTENT, PAGE), overwrite=overwrite) if output else nullcontext()
    with folder as target:
        evaluation = _evaluate(truth, _keep(inputs), lines, given)
        if target is not None:
            (target / CONTENT).write_text(f"{evaluation.json}\n", encoding="utf-8")
            (target / PAGE).write_text(_core.evaluation_page(evaluation.json), encoding="utf-8")
    return evaluation


def _evaluate(truth: LabelRows, inputs: Inputs, lines: list[str], given: dict[str, Any]) -> Evaluation:
    labels = read_labels(truth, at=given.get("at"), margin=given.get("margin"), complete=bool(given.get("complete")))
    reading = {"id_field": "id"} | {name: value for name, value in given.items() if name not in OWN}
    tried = [try_scheme(line, labels, inputs, reading) for line in lines]
    documents = tried[0][1]
    return Evaluation(
        neardup=_core.__version__,
        command=given.get("command"),
        truth=_tell_truth(fspath(truth) if isinstance(truth, str | PathLike) else "a list", labels, documents),
        documents=documents,
        schemes=[scheme for scheme, _ in tried],
    )


def _write_schemes(schemes: str | _core.Scheme | Iterable[str | _core.Scheme]) -> list[str]:
    """Give the canonical lines, each once; a wrong one is told before the first one runs."""
    several = [schemes] if isinstance(schemes, str | _core.Scheme) else schemes
    return list(dict.fromkeys(str(_core.Scheme(write_scheme(scheme))) for scheme in several)) or [str(plan_scheme())]


def _keep(inputs: Inputs) -> Inputs:
    """Give inputs that can be read several times."""
    once = isinstance(inputs, str | PathLike | ArrowStream) or not isinstance(inputs, Iterable)
    kept = inputs if once else list(cast(Iterable[Any], inputs))
    if kept == "-" or any(isinstance(one, PathLike) and fspath(one) == "-" for one in _each(kept)):
        raise UsageError("an evaluation reads its inputs several times, and stdin (-) can be read once: give a file")
    return kept


def _each(inputs: Inputs) -> list[Any]:
    return inputs if isinstance(inputs, list) else [inputs]


def _tell_truth(source: str, labels: Labels, documents: int) -> Truth:
    return Truth(
        source=source,
        kind=labels.kind,
        complete=labels.complete,
        documents=labels.count_documents(documents),
        positives=sum(pairs for _, pairs in labels.positives()),
        negatives=labels.count_negatives(documents),
        left_out=labels.left_out,
    )
