"""A review: a folder in which people judge a sample of pairs, and from which precision and recall follow."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, Literal

from neardup._core import Scheme
from neardup.allowed import allow_all
from neardup.errors import DataError, UsageError
from neardup.evaluation.listed_pair import Key
from neardup.inputs.sources import Inputs
from neardup.jobs.recluster import AtThreshold, at_thresholds
from neardup.options.values import ProgressCallback, given
from neardup.review.agreement import (
    Agreement,
    Progress,
    Reviewer,
    compare_reviewers,
    export_rows,
    judge,
    tell_progress,
    tell_reviewers,
)
from neardup.review.builder import LOG, RUN, SAMPLE, make_review
from neardup.review.curve import (
    ReviewPoint,
    StratumRow,
    choose_thresholds,
    suggest_balanced,
    suggest_precise,
    tell_strata,
)
from neardup.review.estimate import Cell, Figures, Judged, PairCounts, divide, estimate, read_ratios
from neardup.review.label_log import LABELS, Label, LabelLog, Labels
from neardup.review.sample import SampledPair, parse_sample, read_file
from neardup.review.settings import read_settings
from neardup.review.strata import write_decimal
from neardup.schemes.number import Number, read_number

MOST_WHO = 64
"""Characters of the name of a reviewer at most."""


@allow_all
class Review:
    """A review in its folder, for many threads and processes; what others label is seen at once.

    In the folder are review.json, run (what `find_pairs` left), sample.jsonl and labels.jsonl. The figures are of the
    listed pairs, and recall is relative to those from the floor on. Their intervals hold for how the sample was
    drawn; that people may be wrong is not in them.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.settings = read_settings(folder)
        """How it was made."""
        self.strata = self.settings.strata()
        """The stretches of resemblance from which pairs were drawn."""
        content = read_file(folder / SAMPLE)
        self.sample = parse_sample(folder / SAMPLE, content, self.strata)
        """The drawn pairs, in the order in which they are judged."""
        if self.settings.check not in (None, self.settings.checked(content).check):
            raise DataError(f"{folder}: review.json and {SAMPLE} are not as they were written")
        if not self.sample and self.settings.pairs:
            raise DataError(f"{folder / SAMPLE}: no pairs, of {self.settings.pairs:,} that were listed")
        self._keys = {pair.key for pair in self.sample}
        self._log = LabelLog(folder / LOG)

    @classmethod
    def create(
        cls,
        folder: str | PathLike[str],
        inputs: Inputs,
        *,
        scheme: str | Scheme | None = None,
        floor: Number = "0.5",
        width: Number = "0.1",
        each: int = 20,
        seed: int = 0,
        text_field: str | None = None,
        html_field: str | None = None,
        main_content: bool = False,
        quoted_tsv: bool = False,
        id_field: str | None = None,
        url_field: str | None = None,
        time_field: str | None = None,
        on_error: Literal["stop", "skip"] = "stop",
        threads: int | None = None,
        memory: int | str | None = None,
        progress: ProgressCallback | None = None,
    ) -> "Review":
        """List the pairs of documents, draw a sample of them and make the folder, which appears when all is there.

        All pairs from the `floor` on are listed, also those that miss the threshold of the scheme.

        Args:
            folder: The folder, where nothing may be yet.
            inputs: As for `find_pairs`; they are read twice.
            scheme: The scheme whose tokens and features are compared, and whose threshold is judged; its measure is
                resemblance alone. By default that of the index, or the default one.
            floor: Resemblance from which pairs are listed, at most the threshold of the scheme.
            width: Width of a stratum of resemblance, from 0.01 to 1.
            each: Largest number of pairs drawn from a stratum.
            seed: Seed of the draw, beside the ids: a whole number below 2^64.
            text_field: Field with the text. By default text.
            html_field: Field with HTML, from which the text is taken instead.
            main_content: Take the main content of HTML only, without navigation and the like.
            quoted_tsv: Fields of TSV may be in double quotes, as those of CSV.
            id_field: Field with the id. By default none; an id is source and row.
            url_field: Field with the URL.
            time_field: Field with the time: RFC 3339, YYYY[-MM[-DD]] or integer Unix seconds.
            on_error: At a record that cannot be used: stop, or skip it and list it in rejects.jsonl.
            threads: Worker threads; results do not depend on them. By default the cores there are.
            memory: Memory of a run, in bytes or as 512M or 4G; results do not depend on it. By default half of what
                there is.
            progress: A function `progress(phase, done, total, documents)`, called about ten times a second and at the
                end.

        Returns:
            The review, opened.

        Raises:
            UsageError: An option or its value is not allowed, or there is something at `folder`.
            DataError: A record cannot be used.
            EnvironmentFault: A file cannot be read or written.
        """
        options = given("review", locals())
        make_review(Path(folder), inputs, options)
        return cls.open(folder)

    @classmethod
    def open(cls, folder: str | PathLike[str]) -> "Review":
        """Open a review; `UsageError` where there is none, `DataError` names a file that is broken."""
        return cls(Path(folder))

    def label(self, who: str, left: str, right: str, label: Label) -> None:
        """Say what a person takes a pair of the sample for; it is on the disk when this returns.

        A later label of the same person counts instead. Raises `UsageError` for a label, a name or a pair that is not
        allowed.
        """
        if label not in LABELS:
            raise UsageError(f"label is {label!r}; allowed are {', '.join(LABELS)}")
        self._log.add(check_who(who), self._check_pair(left, right), label)

    def undo(self, who: str) -> Key | None:
        """Take back the last valid label of a person, and return its pair; None when there is none."""
        return self._log.undo(check_who(who))

    def undo_pair(self, who: str, left: str, right: str) -> bool:
        """Take back the last label of a person on a pair, so that the one before is valid; False when there is none."""
        return self._log.undo(check_who(who), self._check_pair(left, right)) is not None

    def labels(self) -> Labels:
        """Return the valid labels: of each pair that has any, what each person says."""
        return self._log.labels()

    def next_pair(self, who: str, after: int = 0) -> SampledPair | None:
        """Return the first pair that a person has not labelled, of those with a number above `after`."""
        labels = self.labels()
        return next((pair for pair in self.sample[after:] if who not in labels.get(pair.key, {})), None)

    def progress(self, who: str) -> Progress:
        """Return how many pairs a person has labelled."""
        return tell_progress(self.strata, self.sample, {key for key, said in self.labels().items() if who in said})

    def reviewers(self) -> list[Reviewer]:
        """Return who has labelled how many pairs, by name."""
        return tell_reviewers(self.labels())

    def verdicts(self) -> dict[Key, bool | None]:
        """Return of each labelled pair whether it is a duplicate by most of those who are sure; None for a tie."""
        return {key: judge(said.values()) for key, said in self.labels().items()}

    def estimate(self, threshold: Number | None = None) -> Figures:
        """Estimate precision, recall and F1 from a threshold on: that of the scheme, or one from the floor to 1."""
        at = read_number(self.settings.threshold if threshold is None else threshold, "threshold")
        if not self.strata.edges[0] <= at <= 1:
            raise UsageError(f"threshold is {threshold}; allowed are numbers from {self.settings.floor} to 1")
        return estimate(self._divide(self._judged(self.verdicts()), at), self.strata)

    def table(self) -> list[StratumRow]:
        """Return of each stratum how many pairs it has, how they were judged, and the share of duplicates."""
        verdicts = self.verdicts()
        cells = self._divide(self._judged(verdicts), self.strata.edges[0])
        return tell_strata(self.strata, self.sample, verdicts, cells)

    def curve(self) -> list[ReviewPoint]:
        """Return the figures and the clusters at thresholds from the floor to 1, in steps of 0.01."""
        judged = self._judged(self.verdicts())
        figures = (estimate(self._divide(judged, at), self.strata) for at in self._thresholds)
        return [
            ReviewPoint(write_decimal(at), pairs, *clusters[1:], *ratios)
            for at, (pairs, *ratios), clusters in zip(self._thresholds, figures, self._clusters, strict=True)
        ]

    def suggest(self, precision: Number) -> ReviewPoint | None:
        """Return the lowest threshold of the curve with at least this precision by the low end of its interval."""
        wanted = read_number(precision, "precision")
        if not 0 < wanted <= 1:
            raise UsageError(f"precision is {precision}; allowed are numbers above 0, at most 1")
        return suggest_precise(self.curve(), wanted)

    def suggest_balanced(self) -> ReviewPoint | None:
        """Return the threshold of the curve with the largest F1; None while it is known of none, or 0."""
        return suggest_balanced(self.curve())

    def agreement(self) -> list[Agreement]:
        """Return of each two reviewers how far they agree."""
        return compare_reviewers(self.labels().values())

    def export(self) -> Iterator[dict[str, Any]]:
        """Return the decided pairs as labels that `evaluate` reads."""
        return export_rows(self.sample, self.labels())

    @cached_property
    def _counts(self) -> PairCounts:
        return PairCounts(read_ratios(self.folder / RUN))

    @cached_property
    def _thresholds(self) -> list[Fraction]:
        return choose_thresholds(self.strata.edges[0], Fraction(self.settings.threshold))

    @cached_property
    def _clusters(self) -> list[AtThreshold]:
        return at_thresholds(self.folder / RUN, self._thresholds)

    def _judged(self, verdicts: dict[Key, bool | None]) -> list[Judged]:
        decided = ((pair, verdicts.get(pair.key)) for pair in self.sample)
        return [Judged(pair.stratum, pair.resemblance, told) for pair, told in decided if told is not None]

    def _divide(self, judged: list[Judged], at: Fraction) -> list[Cell]:
        return divide(self.strata, self._counts, judged, at)

    def _check_pair(self, left: str, right: str) -> Key:
        if (left, right) not in self._keys:
            raise UsageError(f"the pair {left!r}, {right!r} is not in the sample of {self.folder}")
        return left, right


def check_who(who: str) -> str:
    """Return the name of a reviewer back; `UsageError` when it is not 1 to 64 printable characters."""
    if not who.strip() or len(who) > MOST_WHO or not who.isprintable():
        raise UsageError(f"the reviewer is {who!r}; allowed are 1 to {MOST_WHO} printable characters")
    return who
