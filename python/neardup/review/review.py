"""A review: a folder in which people label a sample of pairs, and from which precision and recall are estimated."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from os import PathLike
from pathlib import Path
from typing import Any, Literal

from neardup._core import Scheme
from neardup.allowed import allow_all
from neardup.errors import UsageError
from neardup.evaluation.listed_pair import Key
from neardup.inputs.sources import Inputs
from neardup.jobs.recluster import AtThreshold, compare_thresholds
from neardup.options.values import ProgressCallback, given
from neardup.review.advice import Outlook, Tally, advise, advise_recall, describe_advice
from neardup.review.agreement import (
    Agreement,
    Progress,
    Reviewer,
    compare_reviewers,
    export_rows,
    judge,
    list_reviewers,
    measure_progress,
)
from neardup.review.builder import LOG, make_review
from neardup.review.clusters import count_clusters
from neardup.review.curve import (
    STEP,
    ReviewPoint,
    StratumRow,
    choose_thresholds,
    suggest_balanced,
    suggest_precise,
    summarise_strata,
)
from neardup.review.draw import draw_more
from neardup.review.drawn import RUN, GrowingSample
from neardup.review.estimate import Cell, Figures, Judged, PairCounts, divide, estimate, read_pairs, read_scores
from neardup.review.goal import Goal, read_goal, write_goal
from neardup.review.label_log import LABELS, Label, LabelLog, Labels
from neardup.review.options import HALF
from neardup.review.sample import SampledPair
from neardup.review.second_look import Doubt, list_doubts
from neardup.review.settings import Settings
from neardup.schemes.number import Number, read_number

SHARED = 5
"""Of so many pairs of a person, one is a pair that others have labelled, if there is any."""
MOST_WHO = 64
"""Largest number of characters in the name of a reviewer."""


@allow_all
class Review:
    """A review in its folder, for many threads and processes; labels of others are visible at once.

    So are pairs that others draw. The folder contains review.json, run (the result of `find_pairs`), sample.jsonl,
    labels.jsonl and digests.jsonl, and draws if more pairs were drawn. The figures are those of the listed pairs, and
    recall is relative to those at or above the floor. Their intervals cover the chance of the draw, and not the errors
    of people.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._drawn = GrowingSample(folder)
        self.measure = self.settings.measured()
        """The measure whose threshold is under review."""
        self.strata = self.settings.strata()
        """The ranges of the score from which pairs were drawn."""
        self._log = LabelLog(folder / LOG)

    @property
    def settings(self) -> Settings:
        """How the review was made, and how many pairs are drawn."""
        return self._drawn.now().settings

    @property
    def sample(self) -> list[SampledPair]:
        """The drawn pairs, in the order in which they are labelled."""
        return self._drawn.now().sample

    @classmethod
    def create(
        cls,
        folder: str | PathLike[str],
        inputs: Inputs,
        *,
        scheme: str | Scheme | None = None,
        floor: Number | None = None,
        width: Number = "0.05",
        each: int = 200,
        seed: int = 0,
        text_field: str | None = None,
        html_field: str | None = None,
        main_content: bool = False,
        extractor: Literal["auto", "resiliparse", "trafilatura"] | None = None,
        quoted_tsv: bool = False,
        csv: str | None = None,
        encoding: str | None = None,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        id_field: str | None = None,
        url_field: str | None = None,
        time_field: str | None = None,
        time_unit: Literal["s", "ms", "us", "ns"] = "s",
        on_error: Literal["stop", "skip"] = "stop",
        threads: int | None = None,
        memory: int | str | None = None,
        progress: ProgressCallback | None = None,
    ) -> "Review":
        """List the pairs of documents, draw a sample of them and create the folder, which appears when it is complete.

        All pairs at or above `floor` are listed, including those below the threshold of the scheme.

        Args:
            folder: The folder, which must not exist yet.
            inputs: As for `find_pairs`; they are read twice.
            scheme: The scheme whose tokens and features are compared, and whose threshold is judged: of one pass, with
                a number. By default that of the index, or the default one.
            floor: Value of the measure from which pairs are listed: at most the threshold of the scheme; a distance, at
                least. By default 0.5, or one that leaves room for near-misses.
            width: Width of a stratum, from 0.01 to 1; distances are cut into as many strata as shares from 0.5 on.
            each: Largest number of pairs drawn from a stratum.
            seed: Seed of the draw, beside the ids: a whole number below 2^64.
            text_field: Field with the text. By default text.
            html_field: Field with HTML, from which the text is taken instead.
            main_content: Take the main content of HTML only, without navigation and the like.
            extractor: What takes the main content: auto, by the structure of the page; resiliparse; or trafilatura. By
                default auto; in an index or a store the one that it was made with.
            quoted_tsv: Fields of TSV may be in double quotes, as those of CSV.
            csv: How CSV and TSV are written: delimiter=CHARACTER (or tab), quotes=yes|no, or both with a space between.
                By default found out: , ; tab or |.
            encoding: Encoding of text files without a byte order mark, such as windows-1251 or shift_jis; detect
                guesses it. By default utf-8.
            include: Read only files that match a pattern, by name or by path below the folder: '*.jsonl', 'a/**'.
            exclude: Do not read files that match a pattern, by name or by path below the folder.
            id_field: Field with the id. By default none; an id is source and row.
            url_field: Field with the URL.
            time_field: Field with the time: a date-time, a date or a number of Unix seconds.
            time_unit: Unit of times that are numbers, counted from 1970.
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
        options = given("review new", locals())
        make_review(Path(folder), inputs, options)
        return cls.open(folder)

    @classmethod
    def open(cls, folder: str | PathLike[str]) -> "Review":
        """Open a review. Raises `UsageError` if there is none, `DataError` if a file of it is damaged."""
        return cls(Path(folder))

    def draw(self, *, each: int | None = None, inputs: Inputs | None = None) -> int:
        """Draw more pairs, which are labelled after those that were drawn before; all labels stay.

        The list of pairs is that of the review. Their texts are read again, from the inputs of the review.

        Args:
            each: Largest number of pairs drawn from a stratum, all draws together. By default twice as many as
                before, and at least 200.
            inputs: The documents of the review, if they have moved, or came from neither files nor a folder.

        Returns:
            The number of new pairs; 0 if all listed pairs are drawn.

        Raises:
            UsageError: As many pairs were drawn before, or the inputs are not known, or another process draws pairs.
            DataError: A document is not in the inputs any more or has another text; or a record cannot be used.
            EnvironmentFault: A file cannot be read or written.
        """
        return draw_more(self.folder, each, inputs)

    def label(self, who: str, left: str, right: str, label: Label) -> None:
        """Label a pair of the sample for a person; the label is on the disk when this returns.

        It replaces an earlier label of the same person. Raises `UsageError` for a label, a name or a pair that is not
        allowed.
        """
        if label not in LABELS:
            raise UsageError(f"label is {label!r}; allowed are {', '.join(LABELS)}")
        self._log.add(check_who(who), self._check_pair(left, right), label)

    def undo(self, who: str) -> Key | None:
        """Undo the last valid label of a person, and return its pair; None if there is none."""
        return self._log.undo(check_who(who))

    def undo_pair(self, who: str, left: str, right: str) -> bool:
        """Undo the last label of a person on a pair, so that the previous one is valid; False if there is none."""
        return self._log.undo(check_who(who), self._check_pair(left, right)) is not None

    def labels(self) -> Labels:
        """Return the valid labels of each pair that has any, by person."""
        return self._log.labels()

    def next_pair(self, who: str, *, beyond: bool = False) -> SampledPair | None:
        """Return the pair that a person labels next; None if the review has ended or the person has no pair left.

        It is the first undecided pair of the stratum that decides most (docs/concepts/reviews.md). Every fifth pair is
        one that others have labelled, which shows whether they agree. With `beyond`, a review that has ended continues
        with pairs that make the interval of recall narrower. After the same labels, the same pair is next.
        """
        check_who(who)
        labels, verdicts, sample = self.labels(), self.verdicts(), self.sample
        new = [pair for pair in sample if who not in labels.get(pair.key, {})]
        own = len(sample) - len(new)
        if own % SHARED == SHARED - 1 and (shared := next((pair for pair in new if pair.key in labels), None)):
            return shared
        first = {pair.stratum: pair for pair in reversed(new) if verdicts.get(pair.key) is None}
        tallies = self._tally(verdicts)
        stratum = advise(tallies, self.goal, first.keys(), self.undrawn().keys()).stratum
        if stratum is None and beyond:
            stratum = advise_recall(tallies, first.keys())
        return None if stratum is None else first[stratum]

    def undrawn(self) -> dict[int, int]:
        """Return the number of listed pairs that are not drawn, of each stratum that has any, numbered from 0."""
        drawn = Counter(pair.stratum for pair in self.sample)
        return {stratum: size - drawn[stratum] for stratum, size in enumerate(self._sizes) if size > drawn[stratum]}

    @property
    def goal(self) -> Goal:
        """The wanted precision, and the largest number of decided pairs."""
        return read_goal(self.folder)

    def aim(self, *, precision: Number | None = None, labels: int | None = None) -> Goal:
        """Change the goal: the precision, from 0.5 to 0.999, or the number of decided pairs at which the review ends.

        More labels make the review continue that ended because they were used up.
        """
        goal = self.goal.change(precision, labels)
        write_goal(self.folder, goal)
        return goal

    def outlook(self, who: str | None = None) -> Outlook:
        """Return what the labels support so far, and about how many more the goal needs.

        For a person, `who`, drawn pairs are used up if this person has labelled them.
        """
        labels, verdicts, undrawn = self.labels(), self.verdicts(), self.undrawn()
        open_ = (pair for pair in self.sample if verdicts.get(pair.key) is None)
        available = {pair.stratum for pair in open_ if who is None or who not in labels.get(pair.key, {})}
        advice = advise(self._tally(verdicts), self.goal, available, undrawn.keys())
        return describe_advice(advice, self.strata, self.goal, undrawn)

    def doubts(self) -> list[Doubt]:
        """Return the pairs for a second look, in the order of the sample, with the reasons."""
        return list_doubts(self.sample, self._log.history())

    def progress(self, who: str) -> Progress:
        """Return the number of pairs that a person has labelled, of all and by stratum."""
        return measure_progress(
            self.strata, self.sample, {key for key, by_person in self.labels().items() if who in by_person}
        )

    def reviewers(self) -> list[Reviewer]:
        """Return the reviewers by name, each with the number of labelled pairs."""
        return list_reviewers(self.labels())

    def verdicts(self) -> dict[Key, bool | None]:
        """Return whether each labelled pair is a duplicate, by most of the reviewers who are sure; None for a tie."""
        return {key: judge(by_person.values()) for key, by_person in self.labels().items()}

    def estimate(self, threshold: Number | None = None) -> Figures:
        """Estimate precision, recall and F1 at a threshold from the floor to 1; by default that of the scheme."""
        written = read_number(self.settings.threshold if threshold is None else threshold, "threshold")
        at = self.measure.score(written)
        if not self.strata.edges[0] <= at <= 1:
            ends = f"{self.settings.floor} to {self.measure.write(Fraction(1))}"
            raise UsageError(f"threshold is {threshold}; allowed are numbers from {ends}")
        return estimate(self._divide(self._judged(self.verdicts()), at), self.strata)

    def table(self) -> list[StratumRow]:
        """Return the number of pairs, the labels and the share of duplicates of each stratum."""
        verdicts = self.verdicts()
        cells = self._divide(self._judged(verdicts), self.strata.edges[0])
        return summarise_strata(self.strata, self.sample, verdicts, cells)

    def curve(self) -> list[ReviewPoint]:
        """Return the figures and the clusters at thresholds from the floor to 1, in steps of 0.01."""
        judged = self._judged(self.verdicts())
        figures = (estimate(self._divide(judged, at), self.strata) for at in self._thresholds)
        return [
            ReviewPoint(self.measure.write(at), pairs, *clusters[1:], *ratios)
            for at, (pairs, *ratios), clusters in zip(self._thresholds, figures, self._clusters, strict=True)
        ]

    def suggest(self, precision: Number | None = None) -> ReviewPoint | None:
        """Return the point of the lowest threshold where the low end of the precision is at least `precision`.

        By default the precision is that of the goal.
        """
        wanted = read_number(self.goal.precision if precision is None else precision, "precision")
        if not 0 < wanted <= 1:
            raise UsageError(f"precision is {precision}; allowed are numbers above 0, at most 1")
        return suggest_precise(self.curve(), wanted)

    def suggest_balanced(self) -> ReviewPoint | None:
        """Return the point of the curve with the largest F1; None while no F1 above 0 is known."""
        return suggest_balanced(self.curve())

    def agreement(self) -> list[Agreement]:
        """Return the agreement of every two reviewers."""
        return compare_reviewers(self.labels().values())

    def export(self) -> Iterator[dict[str, Any]]:
        """Return the decided pairs as labels that `evaluate` reads."""
        return export_rows(self.sample, self.labels())

    @cached_property
    def _counts(self) -> PairCounts:
        return PairCounts(read_scores(self.folder / RUN, self.measure))

    @cached_property
    def _thresholds(self) -> list[Fraction]:
        edges = self.strata.edges
        # a share has steps of 0.01; a distance as many as a share from 0.5 on
        step = self.measure.widen((1 - edges[0]) * STEP / HALF) if self.measure.is_scaled else STEP
        return choose_thresholds(edges, step)

    @cached_property
    def _clusters(self) -> list[AtThreshold]:
        if self.measure.name == "resemblance":
            return compare_thresholds(self.folder / RUN, self._thresholds, "resemblance", words_alone=True)[0]
        return count_clusters(read_pairs(self.folder / RUN, self.measure), self._thresholds)

    @cached_property
    def _sizes(self) -> list[int]:
        """The number of listed pairs of each stratum."""
        counts = [*map(self._counts.at_least, self.strata.edges), 0]
        return [here - above for here, above in pairwise(counts)]

    def _tally(self, verdicts: dict[Key, bool | None]) -> list[Tally]:
        judged = self._judged(verdicts)
        decided = Counter(one.stratum for one in judged)
        duplicates = Counter(one.stratum for one in judged if one.duplicate)
        return [Tally(size, decided[stratum], duplicates[stratum]) for stratum, size in enumerate(self._sizes)]

    def _judged(self, verdicts: dict[Key, bool | None]) -> list[Judged]:
        decided = ((pair, verdicts.get(pair.key)) for pair in self.sample)
        return [Judged(pair.stratum, pair.score, verdict) for pair, verdict in decided if verdict is not None]

    def _divide(self, judged: list[Judged], at: Fraction) -> list[Cell]:
        return divide(self.strata, self._counts, judged, at)

    def _check_pair(self, left: str, right: str) -> Key:
        if (left, right) not in self._drawn.now().keys:
            raise UsageError(f"the pair {left!r}, {right!r} is not in the sample of {self.folder}")
        return left, right


def check_who(who: str) -> str:
    """Return `who` unchanged. Raises `UsageError` unless it is 1 to 64 printable characters."""
    if not who.strip() or len(who) > MOST_WHO or not who.isprintable():
        raise UsageError(f"the reviewer is {who!r}; allowed are 1 to {MOST_WHO} printable characters")
    return who
