"""Results of the classics, with the parameters of their papers, and of the profiles, on all sets."""

from typing import Any

from comparison.sets import SETS, Labelled
from comparison.table import write_estimate
from comparison.trials import Trials
from neardup.classics import CLASSICS
from neardup.profiles import PROFILES
from pages import write_table

LINES = {name: str(make()) for name, make in {**CLASSICS, **PROFILES}.items() if name != "given-fingerprints"}
"""Scheme lines by name, without given fingerprints, which are no method of comparing texts."""

ONLY = {"short": ("nsmc", "cve"), "web": ("kafka",)}
"""Profiles for some sets only: `short` turns a good part of the characters into keys, `web` needs hosts."""


def lines(labelled: Labelled) -> dict[str, str]:
    """Return the lines of the schemes that are tried on a set."""
    return {name: line for name, line in LINES.items() if labelled.short in ONLY.get(name, (labelled.short,))}


def write_overview(trials: Trials) -> str:
    """Write one number for every scheme and set: F1, or recall if labels name only duplicates."""
    rows = [[name, *(_summary(trials, labelled, name) for labelled in SETS)] for name in LINES]
    return write_table(["scheme", *(labelled.short for labelled in SETS)], rows)


def _summary(trials: Trials, labelled: Labelled, name: str) -> str:
    if name not in lines(labelled):
        return ""
    pairs = trials.evaluate(labelled, LINES[name])["schemes"][0]["pairs"]
    return f"({pairs['recall']['value']:.2f})" if pairs["f1"]["value"] is None else f"{pairs['f1']['value']:.2f}"


def write_details(trials: Trials) -> str:
    """Write a section for every set."""
    return "\n\n".join(_write_set(trials, labelled) for labelled in SETS)


def _write_set(trials: Trials, labelled: Labelled) -> str:
    found = {name: trials.evaluate(labelled, line) for name, line in lines(labelled).items()}
    truth = next(iter(found.values()))["truth"]
    known = f"{truth['positives']:,} duplicates" + (f", {truth['negatives']:,} others" if truth["negatives"] else "")
    about = f"{labelled.about[0].upper()}{labelled.about[1:]}"
    head = ["scheme", "precision", "recall", "F1", "best F1 at", "clusters F1", "docs/s", "bytes/doc"]
    table = write_table(head, ([name, *_row(one["schemes"][0])] for name, one in found.items()))
    return f"### {labelled.name}\n\n{about}. {truth['documents']:,} documents with labels; pairs: {known}.\n\n{table}"


def _row(scheme: dict[str, Any]) -> list[str]:
    pairs, best, cost = scheme["pairs"], scheme["curve"]["best"], scheme["cost"]
    return [
        *(write_estimate(pairs[measure]) for measure in ("precision", "recall", "f1")),
        "" if best is None or best["f1"] is None else f"{best['f1']:.3f} at {best['score']:.2f}",
        write_estimate(scheme["clusters"]["f1"]),
        f"{cost['documents_per_second'] or 0:,.0f}",
        "" if cost["sketch_bytes_per_document"] is None else f"{cost['sketch_bytes_per_document']:,.0f}",
    ]
