"""The steps of many sweeps, one after another."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from neardup.sweeps.classification import classify_pages
from neardup.sweeps.kinds import STUB, Pages, PageStep, TextEvidence


def follow(sweeps: Sequence[Pages], evidence: TextEvidence) -> Iterator[tuple[list[PageStep], set[str]]]:
    """Yield the steps of each sweep from the one before, and the URLs that have stubs in it."""
    stubs: set[str] = set()
    for old, new in pairwise(sweeps):
        steps = classify_pages(old, new, evidence, stubs=stubs)
        stubs = {url for url in stubs if url in new and new[url] == old[url]}
        stubs |= {step.new for step in steps if step.new is not None and step.remark == STUB}
        yield steps, stubs
