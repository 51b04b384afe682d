"""Advice to reviewers: from which stratum the next pair comes, and about how many labels are left."""

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from math import ceil, inf, log
from typing import Literal, NamedTuple

from neardup.output.written import plural
from neardup.review.goal import Goal
from neardup.review.region import LIMIT, describe_share, find_least
from neardup.review.strata import Strata

FIRST = 3
"""Number of labels that every stratum gets first."""
HOPE = 1.35
"""Limit of the statistic for hope: a threshold is given up when no precision in the smaller region would be enough. The
half of 1.64 squared, so that a threshold is given up wrongly with a probability of about 0.05."""

Phase = Literal["survey", "support", "lower", "undrawn", "supported", "hopeless", "spent", "exhausted"]
ENDED: tuple[Phase, ...] = ("supported", "hopeless", "spent", "exhausted")
"""Phases of a review that has ended."""


class Tally(NamedTuple):
    """A stratum: its listed pairs, those that are decided, and the duplicates among these."""

    pairs: int
    decided: int
    duplicates: int


class Advice(NamedTuple):
    """What the labels say about the next one.

    The phases: `survey`, a few labels in every stratum; `support`, labels for a first threshold; `lower`, labels for a
    lower threshold than the supported one. A review pauses `undrawn` if all drawn pairs that decide are labelled, and
    more are listed. It ends `supported`; `hopeless`, if the labels of the goal would hardly suffice; `spent`, if they
    are used up; or `exhausted`, if all listed pairs are labelled.

    Strata are numbered from 0, and None if there is none. `stratum` has the next pair. Precision is to be supported for
    the pairs from `target` on, and is for those from `supported` on. It takes about `left` labels until the target is.
    More pairs of the stratum `draw` would decide most, and have to be drawn first.
    """

    phase: Phase
    stratum: int | None
    target: int | None
    supported: int | None
    left: int
    draw: int | None = None


class Outlook(NamedTuple):
    """What the labels support so far: the phase as in `Advice`, and the precision and the labels of the goal.

    `supported` is the lowest edge of a stratum whose precision is supported, and `target` the one that is next; None if
    there is none. About `left` more labels support the target. `draw` is the lowest edge of a stratum whose drawn pairs
    are used up, and of which more would decide most; None if there is none. `words` say it in a few sentences.
    """

    phase: Phase
    precision: str
    labels: int
    target: str | None
    supported: str | None
    left: int
    draw: str | None
    words: str


def describe_advice(advice: Advice, strata: Strata, goal: Goal, undrawn: Mapping[int, int]) -> Outlook:
    """Return the outlook of an advice; `undrawn` has the number of listed pairs that are not drawn, by stratum."""
    target, supported, draw = (
        None if one is None else strata.low(one) for one in (advice.target, advice.supported, advice.draw)
    )
    words = _describe_phase(advice, target, supported, goal)
    if advice.draw is not None:
        stratum, more = strata.name(advice.draw), plural(undrawn[advice.draw], "more pair")
        words += f" The drawn pairs of stratum {stratum} are used up; {more} can be drawn."
    return Outlook(advice.phase, goal.precision, goal.labels, target, supported, advice.left, draw, words)


def _describe_phase(advice: Advice, target: str | None, supported: str | None, goal: Goal) -> str:
    precision, about = goal.precision, f"About {plural(advice.left, 'more label')}"
    found = f"Threshold {supported} is supported for precision {precision}"
    if advice.phase == "supported":
        return f"{found}; no lower one is within reach."
    if advice.phase == "hopeless":
        return f"No threshold is likely to be supported for precision {precision} by {goal.labels:,} labels."
    if advice.phase == "spent":
        return f"No threshold is supported for precision {precision} by the {goal.labels:,} labels of the goal."
    if advice.phase == "exhausted":
        return f"No threshold is supported for precision {precision} by all listed pairs."
    if target is None and supported is None:
        return f"{about} until a threshold is supported for precision {precision}, if hardly a pair is wrong."
    if target is None:
        return f"{found}. {about} in strata that have few."
    if supported is None:
        return f"{about} until threshold {target} is supported for precision {precision}."
    return f"{found}. {about} until {target} is, too."


class Candidate(NamedTuple):
    """A threshold, the lower edge of a stratum, and about the number of labels until it is supported."""

    left: float
    stratum: int


def advise(tallies: Sequence[Tally], goal: Goal, available: Collection[int], undrawn: Collection[int] = ()) -> Advice:
    """Return the advice for a reviewer who may label drawn pairs of the strata `available`.

    The strata `undrawn` have more pairs, which are listed and not drawn. A threshold is supported if the low end of the
    precision above it is at least that of the goal. The threshold that takes the fewest labels comes first, then lower
    ones as long as the labels of the goal suffice. Above the target, the stratum comes next of which the least share is
    decided, so that the decided pairs represent all pairs there.
    """
    left = goal.labels - sum(one.decided for one in tallies)
    filled = [stratum for stratum, one in enumerate(tallies) if one.pairs]
    supported, candidates = _rank(tallies, filled, goal)
    if not filled or left <= 0:
        return _end("spent" if filled else "exhausted", supported)
    reachable = [one for one in filled if tallies[one].decided < tallies[one].pairs and one in {*available, *undrawn}]
    if survey := [one for one in reachable if tallies[one].decided < FIRST]:
        missing = sum(min(FIRST, tallies[one].pairs) - tallies[one].decided for one in survey)
        enough = [LIMIT / -log(goal.share), *(one.left for one in candidates)]
        more = missing + (0 if supported is not None else ceil(min(enough)))
        undecided = sum(tallies[one].pairs - tallies[one].decided for one in filled)
        # the highest of the strata with the fewest labels
        ranked = sorted(survey, key=lambda one: (tallies[one].decided, -one))
        return _ask(Advice("survey", None, None, supported, min(more, undecided)), ranked, available)
    near = [one for one in candidates if one.left <= left]
    if not near and supported is None:
        near = [one for one in _hope(tallies, filled, goal) if one.left <= left]
    for candidate in sorted(near):
        if several := [one for one in reachable if one >= candidate.stratum]:
            ranked = sorted(several, key=lambda one: (Fraction(tallies[one].decided, tallies[one].pairs), -one))
            phase: Phase = "support" if supported is None else "lower"
            advice = Advice(phase, None, candidate.stratum, supported, ceil(candidate.left))
            return _ask(advice, ranked, available)
    return _end("hopeless" if not near else "exhausted", supported)


def _ask(advice: Advice, ranked: Sequence[int], available: Collection[int]) -> Advice:
    """Return the advice with the first of the ranked strata that is available, and the first one if that is not."""
    stratum = next((one for one in ranked if one in available), None)
    phase: Phase = "undrawn" if stratum is None else advice.phase
    return advice._replace(phase=phase, stratum=stratum, draw=None if stratum == ranked[0] else ranked[0])


def advise_recall(tallies: Sequence[Tally], available: Collection[int]) -> int | None:
    """Return the stratum of which one more label makes the variance of recall smaller by most; None if there is none.

    The variance of the number of duplicates in a stratum is N^2 p (1 - p) / n, which one more label makes smaller by
    N^2 p (1 - p) / (n (n + 1)) (Neyman 1934). p is (x + 1) / (n + 2), which is never 0 or 1.
    """

    def gain(stratum: int) -> tuple[Fraction, int]:
        pairs, decided, duplicates = tallies[stratum]
        share = Fraction(duplicates + 1, decided + 2)
        return pairs**2 * share * (1 - share) / Fraction((decided or 1) * (decided + 1)), stratum

    several = [one for one in available if tallies[one].decided < tallies[one].pairs]
    return max(several, key=gain, default=None)


def _end(phase: Phase, supported: int | None) -> Advice:
    return Advice("supported" if supported is not None else phase, None, None, supported, 0)


def _rank(tallies: Sequence[Tally], filled: Sequence[int], goal: Goal) -> tuple[int | None, list[Candidate]]:
    """Return the lowest supported threshold, and for each lower one about the number of labels until it is supported.

    Precision is as estimated, with shares that are smoothed by that of all strata above.
    """
    supported: int | None = None
    candidates = list[Candidate]()
    above = list[Tally]()
    wrong, smoothed = 0.0, 0.0
    for stratum in reversed(filled):
        one = tallies[stratum]
        above.append(one)
        pairs, decided = sum(each.pairs for each in above), sum(each.decided for each in above)
        differ = one.decided - one.duplicates
        common = sum(each.decided - each.duplicates for each in above) / decided if decided else 0.5
        wrong += one.pairs * (differ / one.decided if one.decided else common)
        smoothed += one.pairs * (
            (differ + common) / (one.decided + 1) if one.decided < one.pairs else differ / one.pairs
        )
        if wrong <= pairs * (1 - goal.share) and _least_precision(above) >= goal.share:
            supported = stratum
            candidates.clear()
        else:
            candidates.append(Candidate(_count_left(above, smoothed / pairs, goal), stratum))
    return supported, candidates


def _hope(tallies: Sequence[Tally], filled: Sequence[int], goal: Goal) -> list[Candidate]:
    """Return about the number of labels until each threshold is supported, if precision is as high as one may hope."""
    found = list[Candidate]()
    above = list[Tally]()
    for stratum in reversed(filled):
        above.append(tallies[stratum])
        differing = [one._replace(duplicates=one.decided - one.duplicates) for one in above]
        found.append(Candidate(_count_left(above, _least_precision(differing, HOPE), goal), stratum))
    return found


def _least_precision(tallies: Sequence[Tally], limit: float = LIMIT) -> float:
    """Return the low end of the share of duplicates in strata."""
    pairs = sum(one.pairs for one in tallies)
    least = find_least((describe_share(one.pairs / pairs, *one) for one in tallies), limit)
    return sum(one.pairs / pairs * share for one, share in zip(tallies, least, strict=True))


def _count_left(tallies: Sequence[Tally], wrong: float, goal: Goal) -> float:
    """Count the labels until these strata support the goal, if the share `wrong` of their pairs are no duplicates.

    n labels do so if n (w log(w / v) + (1 - w) log((1 - w) / (1 - v))) is LIMIT, for w wrong ones and v allowed ones.
    Of N pairs it takes N (1 - (1 - 1 / N)^n), by the scale of `Share`. Each stratum gets its share of these labels.
    """
    allowed = 1 - goal.share
    if wrong >= allowed:
        return inf
    evidence = (wrong * log(wrong / allowed) if wrong > 0 else 0.0) + (1 - wrong) * log((1 - wrong) / (1 - allowed))
    if evidence <= 0:
        # it is at least 0, and rounded
        return inf
    pairs = sum(one.pairs for one in tallies)
    labels = pairs * (1 - float((1 - 1 / pairs) ** (LIMIT / evidence)))
    return max(1.0, sum(max(0.0, min(one.pairs, labels * one.pairs / pairs) - one.decided) for one in tallies))
