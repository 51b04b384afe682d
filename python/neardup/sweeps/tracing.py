"""The change of every page between two sweeps, whatever frames the sites put around their pages."""

from collections.abc import Collection, Iterable, Mapping
from itertools import chain

from neardup.corpus.pointers import Pointer
from neardup.sweeps.classification import classify_pages
from neardup.sweeps.evidence import TextEvidence
from neardup.sweeps.frames import without_frames
from neardup.sweeps.kinds import Pages, PageStep


def trace_pages(
    old: Pages,
    new: Pages,
    evidence: TextEvidence,
    *,
    beside: Iterable[tuple[str, str | None]] = (),
    stubs: Collection[str] = (),
    pointers: Mapping[str, Pointer] | None = None,
) -> list[PageStep]:
    """Return the steps of `classify_pages`, which compares texts without the frames of their sites.

    Frames are learned from the pages that differ between the sweeps, and from others `beside` them, pairs of URL and
    text. Overlaps of the steps are those of whole texts.
    """
    differing = chain(old.items() - new.items(), new.items() - old.items())
    with without_frames(evidence, chain(differing, beside)) as own:
        steps = classify_pages(old, new, own, stubs=stubs, pointers=pointers)
    return steps if own is evidence else _measure(steps, old, new, evidence)


def _measure(steps: list[PageStep], old: Pages, new: Pages, evidence: TextEvidence) -> list[PageStep]:
    """Return the steps with the overlaps of whole texts."""
    counted = [step for step in steps if step.overlap is not None]
    overlaps = evidence.overlaps([(str(old[step.old or ""]), str(new[step.new or ""])) for step in counted])
    measured = dict(zip(counted, overlaps, strict=True))
    return [step._replace(overlap=measured.get(step)) for step in steps]
