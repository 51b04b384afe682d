"""What the commands of a review print: its outlook, its estimates, and its doubts."""

import sys
from fractions import Fraction
from shlex import quote
from typing import TYPE_CHECKING

import click

from neardup.cli.shown.summary import Row, print_rows
from neardup.cli.shown.table import print_table
from neardup.evaluation.intervals import Estimate
from neardup.output.json import write_json
from neardup.output.written import plural

if TYPE_CHECKING:
    from neardup.review.curve import ReviewPoint
    from neardup.review.review import Review

EVERY = Fraction(1, 20)
"""Step between the thresholds that a terminal shows; a pipe receives all."""
STYLES = {"undrawn": "yellow", "supported": "green", "hopeless": "yellow", "spent": "yellow", "exhausted": "yellow"}
"""Styles of the outlook of a review that has paused or ended."""


def print_outlook(review: "Review", *, who: str | None = None, as_json: bool) -> None:
    """Print what the labels support so far, and about how many are left; for a person, whether pairs are left."""
    outlook, drawn, undrawn = review.outlook(who), len(review.sample), sum(review.undrawn().values())
    if as_json:
        figures = {"settings": review.settings, "drawn": drawn, "undrawn": undrawn, "outlook": outlook}
        click.echo(write_json({"review": str(review.folder), **figures}))
        return
    settings, labelled = review.settings, len(review.labels())
    floor = f"{settings.measure} {settings.floor}"
    is_used_up = outlook.draw is not None or (undrawn and labelled == drawn)
    print_rows(
        [
            ("documents", f"{settings.documents:,}", ""),
            (
                "pairs",
                f"{settings.pairs:,} from {floor} on, {drawn:,} drawn",
                "",
            ),
            ("labels", f"{labelled:,} of at most {outlook.labels:,}", "bold"),
            ("outlook", outlook.words, STYLES.get(outlook.phase, "")),
            *([("more pairs", f"neardup review draw {quote(str(review.folder))}", "yellow")] if is_used_up else []),
            ("scheme", settings.scheme, "cyan"),
            ("review", str(review.folder), "bold"),
        ]
    )


def print_estimates(review: "Review", threshold: str | None, *, as_json: bool) -> None:
    """Print all figures of a review."""
    chosen = review.estimate(threshold)
    curve, doubts, agreement = review.curve(), review.doubts(), review.agreement()
    if as_json:
        listed = [
            {"number": one.pair.number, "a": one.pair.key[0], "b": one.pair.key[1]}
            | {"labels": one.labels, "reasons": one.reasons}
            for one in doubts
        ]
        figures = {
            "outlook": review.outlook(),
            "suggested": review.suggest(),
            "balanced": review.suggest_balanced(),
            "estimate": {"threshold": threshold or review.settings.threshold, **chosen._asdict()},
            "strata": review.table(),
            "curve": curve,
            "agreement": agreement,
            "doubts": listed,
        }
        click.echo(write_json(figures))
        return
    if not sys.stdout.isatty():
        names = [f"{name}{end}" for name in ("precision", "recall", "f1") for end in ("", "_low", "_high")]
        rows = [(one.threshold, one.pairs, *_ends(one)) for one in curve]
        print_table(("threshold", "pairs", *names), rows)
        return
    print_outlook(review, as_json=False)
    click.echo()
    suggested = review.suggest()
    own = {threshold or review.settings.threshold, *((suggested.threshold,) if suggested else ())}
    points = [one for one in curve if one.threshold in own or Fraction(one.threshold) % EVERY == 0]
    figures_of = [(one.threshold, f"{one.pairs:,}", *map(_write, one[5:])) for one in points]
    print_table(("threshold", "pairs", "precision", "recall", "F1"), figures_of, styles=("bold", "", "green", "", ""))
    rows_of: list[Row] = [
        (
            "agreement",
            f"{one.first} and {one.second}: {one.agreed:,} of {plural(one.pairs, 'pair')}; kappa {_line(one.kappa)}",
            "",
        )
        for one in agreement
    ]
    if doubts:
        several = "pair deserves" if len(doubts) == 1 else "pairs deserve"
        command = f"neardup review label {quote(str(review.folder))} --doubts --who NAME"
        more = f"{len(doubts):,} {several} a second look: {command}"
        rows_of.append(("doubts", more, "yellow"))
    if rows_of:
        click.echo()
        print_rows(rows_of)


def _ends(point: "ReviewPoint") -> list[float | None]:
    return [end for one in (point.precision, point.recall, point.f1) for end in (one.value, one.low, one.high)]


def _write(estimate: Estimate) -> tuple[str, ...]:
    if estimate.value is None:
        return ("not known",)
    return f"{estimate.value:.3f}", f"{estimate.low:.3f} to {estimate.high:.3f}"


def _line(estimate: Estimate) -> str:
    return ", ".join(_write(estimate))
