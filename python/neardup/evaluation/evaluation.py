"""Schemes compared with labels."""

from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from os import PathLike, fspath
from typing import Any, Literal, NamedTuple, cast

from neardup import _core
from neardup.allowed import allow
from neardup.errors import UsageError
from neardup.evaluation.labels import Labels, read_labels
from neardup.evaluation.rows import LabelRows
from neardup.evaluation.trial import SchemeEvaluation, try_scheme
from neardup.inputs.document import ArrowStream
from neardup.inputs.sources import Engine, Inputs
from neardup.options.values import ProgressCallback, given
from neardup.output.folders import output_folder, refuse_inputs
from neardup.output.json import write_json
from neardup.schemes.line import write_scheme
from neardup.schemes.number import Number
from neardup.schemes.plan import plan_scheme

CONTENT = "evaluation.json"
PAGE = "report.html"
OWN = ("at", "margin", "complete", "output", "overwrite", "command")
"""Options of an evaluation that its runs do not have."""


class Truth(NamedTuple):
    """Summary of the labels.

    These are the numbers of documents that they decide on, of pairs that are duplicates, and of pairs that are not.
    """

    source: str
    kind: str
    complete: bool
    documents: int
    positives: int
    negatives: int
    left_out: int


class Evaluation(NamedTuple):
    """The result of `evaluate`. Counts are exact; the ratios are rounded to six places, for display only."""

    neardup: str
    command: str | None
    truth: Truth
    documents: int
    schemes: list[SchemeEvaluation]
    files: dict[str, Any]
    """Account of the files, as in run.json."""
    records: dict[str, Any]
    """Account of the records, as in run.json."""

    @property
    def json(self) -> str:
        """The text of evaluation.json."""
        return write_json(self)


@allow
def evaluate(
    truth: LabelRows,
    inputs: Inputs,
    schemes: str | _core.Scheme | Iterable[str | _core.Scheme] = (),
    *,
    output: str | PathLike[str] | None = None,
    complete: bool = False,
    at: Number | None = None,
    margin: Number | None = None,
    text_field: str | None = None,
    html_field: str | None = None,
    main_content: bool = False,
    extractor: Literal["auto", "resiliparse", "trafilatura"] | None = None,
    quoted_tsv: bool = False,
    csv: str | None = None,
    encoding: str | None = None,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    id_field: str | None = "id",
    url_field: str | None = None,
    time_field: str | None = None,
    time_unit: Literal["s", "ms", "us", "ns"] = "s",
    threads: int | None = None,
    memory: int | str | None = None,
    engine: Engine | None = None,
    overwrite: bool = False,
    progress: ProgressCallback | None = None,
    command: str | None = None,
) -> Evaluation:
    """Run schemes over documents and score what they find against labels.

    Args:
        truth: A file (JSON lines, CSV or Parquet) or a list of mappings: with a, b and label (0 or 1), or with a, b and
            jaccard (see `at`), or with id and cluster.
        inputs: As for `find_pairs`, with the ids that the labels name; they are read twice for each scheme.
        schemes: Schemes or their lines; the default scheme when there are none.
        output: Folder for evaluation.json and report.html. By default none; the scores are printed or returned.
        complete: Pairs that the labels do not list are no duplicates. By default they do not count.
        at: In labels with a jaccard: the value from which a pair is a duplicate.
        margin: Pairs whose jaccard is closer to `at` than this are left out. By default 0.05.
        text_field: Field with the text. By default text.
        html_field: Field with HTML, from which the text is taken instead.
        main_content: Take the main content of HTML only, without navigation and the like.
        extractor: What takes the main content: auto, by the structure of the page; resiliparse; or trafilatura. By
            default auto; in an index or a store the one that it was made with.
        quoted_tsv: Fields of TSV may be in double quotes, as those of CSV.
        csv: How CSV and TSV are written: delimiter=CHARACTER (or tab), quotes=yes|no, or both with a space between. By
            default found out: , ; tab or |.
        encoding: Encoding of text files without a byte order mark, such as windows-1251 or shift_jis; detect guesses
            it. By default utf-8.
        include: Read only files that match a pattern, by name or by path below the folder: '*.jsonl', 'a/**'.
        exclude: Do not read files that match a pattern, by name or by path below the folder.
        id_field: Field with the id that the labels name; empty for ids that are source and row.
        url_field: Field with the URL.
        time_field: Field with the time: a date-time, a date or a number of Unix seconds.
        time_unit: Unit of times that are numbers, counted from 1970.
        threads: Worker threads; results do not depend on them. By default the cores there are.
        memory: Memory of a run, in bytes or as 512M or 4G; results do not depend on it. By default half of what there
            is.
        engine: What runs the job: a `SparkEngine` or a `RayEngine`. By default this machine, or the session of a Spark
            DataFrame.
        overwrite: Replace a result that is already in the output folder.
        progress: A function `progress(phase, done, total, documents)`, called about ten times a second and at the end.
        command: How the run was started, as run.json and the report show it.

    Returns:
        The scores of each scheme.

    Raises:
        UsageError: An option or its value is not allowed.
        DataError: A record cannot be used, or no input has the document of a label.
        EnvironmentFault: A file cannot be read or written.

    Example:
        >>> text = "the quay was empty when the last ferry left for the islands that night"
        >>> documents = [neardup.Document(text, "a"), neardup.Document(text.upper(), "b")]
        >>> found = neardup.evaluation.evaluate([{"a": "a", "b": "b", "label": 1}], documents)
        >>> found.schemes[0].pairs.tp
        1
    """
    options = given("evaluate", locals())
    lines = _write_schemes(schemes)
    refuse_inputs(output, inputs, truth)
    folder = output_folder(output, (CONTENT, PAGE), overwrite=bool(overwrite)) if output else nullcontext()
    with folder as target:
        evaluation = _evaluate(truth, _keep(inputs), lines, options | {"id_field": id_field})
        if target is not None:
            (target / CONTENT).write_text(f"{evaluation.json}\n", encoding="utf-8")
            (target / PAGE).write_text(_core.evaluation_page(evaluation.json), encoding="utf-8")
    return evaluation


def _evaluate(truth: LabelRows, inputs: Inputs, lines: list[str], options: dict[str, Any]) -> Evaluation:
    labels = read_labels(
        truth, at=options.get("at"), margin=options.get("margin"), complete=bool(options.get("complete"))
    )
    reading = {name: value for name, value in options.items() if name not in OWN}
    tried = [try_scheme(line, labels, inputs, reading) for line in lines]
    _, documents, account = tried[0]
    return Evaluation(
        neardup=_core.__version__,
        command=options.get("command"),
        truth=_describe_truth(fspath(truth) if isinstance(truth, str | PathLike) else "a list", labels, documents),
        documents=documents,
        schemes=[scheme for scheme, _, _ in tried],
        files=account.files,
        records=account.records,
    )


def _write_schemes(schemes: str | _core.Scheme | Iterable[str | _core.Scheme]) -> list[str]:
    """Return the canonical lines of the schemes, each once. A wrong one raises an error before the first one runs."""
    several = [schemes] if isinstance(schemes, str | _core.Scheme) else schemes
    return list(dict.fromkeys(str(_core.Scheme(write_scheme(scheme))) for scheme in several)) or [str(plan_scheme())]


def _keep(inputs: Inputs) -> Inputs:
    """Return inputs that can be read several times."""
    is_single = isinstance(inputs, str | PathLike | ArrowStream) or not isinstance(inputs, Iterable)
    kept = inputs if is_single else list(cast(Iterable[Any], inputs))
    if kept == "-" or any(isinstance(one, PathLike) and fspath(one) == "-" for one in _each(kept)):
        raise UsageError("an evaluation reads its inputs several times, and stdin (-) can be read once: give a file")
    return kept


def _each(inputs: Inputs) -> list[Any]:
    return inputs if isinstance(inputs, list) else [inputs]


def _describe_truth(source: str, labels: Labels, documents: int) -> Truth:
    return Truth(
        source=source,
        kind=labels.kind,
        complete=labels.complete,
        documents=labels.count_documents(documents),
        positives=sum(pairs for _, pairs in labels.positives()),
        negatives=labels.count_negatives(documents),
        left_out=labels.left_out,
    )
