"""An evaluation: tables on a terminal, tab-separated lines in a pipe."""

import sys
from collections.abc import Iterator

import click

from neardup.evaluation.evaluation import Evaluation
from neardup.evaluation.intervals import Estimate
from neardup.evaluation.scores import BCubed, PairScore
from neardup.evaluation.trial import SchemeEvaluation
from neardup.output.written import plural

MEASURES = ("precision", "recall", "f1")
COLUMNS = (
    "scheme",
    "measure",
    *(f"{measure}{end}" for measure in MEASURES for end in ("", "_low", "_high")),
    "tp",
    "fp",
    "fn",
    "documents",
    "average_precision",
    "best_threshold",
    "seconds",
    "documents_per_second",
    "megabytes_per_second",
    "sketch_bytes_per_document",
    "note",
)


def print_scores(evaluation: Evaluation, output: str | None) -> None:
    """Print an evaluation to stdout, and on a terminal its folder, too."""
    if sys.stdout.isatty():
        _print_tables(evaluation, output)
        return
    click.echo("\t".join(COLUMNS))
    for scheme in evaluation.schemes:
        for line in _list_lines(scheme):
            click.echo("\t".join(line))


def _list_lines(scheme: SchemeEvaluation) -> Iterator[list[str]]:
    """Yield a line for each measure of a scheme, in the order of `COLUMNS`; an unknown value is empty."""
    curve, cost = scheme.curve, scheme.cost
    rates = (cost.documents_per_second, cost.megabytes_per_second, cost.sketch_bytes_per_document)
    best = None if curve.best is None else curve.best.score
    for name, score in _scores(scheme):
        estimates = (score.precision, score.recall, score.f1)
        counts = [getattr(score, count, None) for count in ("tp", "fp", "fn", "documents")]
        rest = {
            "pairs": (curve.average_precision, best, cost.seconds, *rates),
            "clusters": (None, None, cost.cluster_seconds, None, None, None),
        }
        reasons = dict.fromkeys(estimate.reason for estimate in estimates if estimate.reason)
        yield [
            scheme.scheme,
            name,
            *(_write(part) for estimate in estimates for part in estimate[:3]),
            *("" if count is None else str(count) for count in counts),
            *(_write(part) for part in rest.get(name, (None,) * 6)),
            "; ".join(reasons),
        ]


def _scores(scheme: SchemeEvaluation) -> list[tuple[str, PairScore | BCubed]]:
    return [("pairs", scheme.pairs), ("clusters", scheme.clusters), ("b_cubed", scheme.b_cubed)]


def _write(value: float | None) -> str:
    return "" if value is None else f"{value:.6f}"


def _print_tables(evaluation: Evaluation, output: str | None) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console()
    truth = evaluation.truth
    console.print(
        Text(
            f"{plural(truth.positives, 'pair')} of duplicates, {truth.negatives:,} of others, "
            f"{truth.left_out:,} left out; "
            f"{truth.documents:,} of {plural(evaluation.documents, 'document')} labelled\n"
        )
    )
    quality = Table("", "", "precision", "recall", "F1", box=None, header_style="bold", pad_edge=False)
    details = Table(box=None, header_style="bold", pad_edge=False)
    for column in ("", "right", "wrong", "missed", "avg. prec.", "best at", "seconds", "documents/s", "MB/s"):
        details.add_column(column, justify="right")
    for number, scheme in enumerate(evaluation.schemes, 1):
        for at, (name, score) in enumerate(_scores(scheme)):
            estimates = (score.precision, score.recall, score.f1)
            quality.add_row(
                Text("" if at else str(number), style="cyan"), name.replace("_", "-"), *map(_write_estimate, estimates)
            )
        quality.add_section()
        details.add_row(Text(str(number), style="cyan"), *_list_details(scheme))
    console.print(quality)
    console.print()
    console.print(details)
    console.print()
    lines = Table(show_header=False, box=None, pad_edge=False)
    for number, scheme in enumerate(evaluation.schemes, 1):
        lines.add_row(Text(str(number), style="cyan"), Text(scheme.scheme))
        if not scheme.verified:
            lines.add_row("", Text("not verified: pairs were decided by a sketch alone", style="yellow"))
        for note in scheme.notes:
            lines.add_row("", Text(note, style="dim"))
    console.print(lines)
    for reason in _list_reasons(evaluation):
        console.print(Text(f"not known: {reason}", style="yellow"))
    if output is not None:
        console.print(Text(f"results {output}", style="bold"))


def _write_estimate(estimate: Estimate) -> str:
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return "-"
    return f"{_cut(estimate.value)}  [dim]{_cut(estimate.low)}-{_cut(estimate.high)}[/dim]"


def _cut(value: float) -> str:
    """Write four decimals, cut and not rounded, so that 1.0000 means all; `value` is exact to six decimals."""
    return f"{round(value * 1e6) // 100 / 1e4:.4f}"


def _list_details(scheme: SchemeEvaluation) -> list[str]:
    curve, cost = scheme.curve, scheme.cost
    rates = (cost.documents_per_second, cost.megabytes_per_second)
    return [
        f"{scheme.pairs.tp:,}",
        "-" if scheme.pairs.fp is None else f"{scheme.pairs.fp:,}",
        f"{scheme.pairs.fn:,}",
        "-" if curve.average_precision is None else _cut(curve.average_precision),
        "-" if curve.best is None else _cut(curve.best.score),
        f"{cost.seconds:.2f}",
        *("-" if rate is None else f"{rate:,.0f}" for rate in rates),
    ]


def _list_reasons(evaluation: Evaluation) -> list[str]:
    """Return each reason for an unknown value, once."""
    reasons: dict[str, None] = {}
    for scheme in evaluation.schemes:
        for _, score in _scores(scheme):
            for estimate in (score.precision, score.recall, score.f1):
                if estimate.reason is not None:
                    reasons[estimate.reason] = None
    return list(reasons)
