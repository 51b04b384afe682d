"""The page docs/concepts/scale.md: its generated parts, by the names of their marks, and its figure."""

from pathlib import Path

from pages import fill, write_table
from scaling.beyond import (
    write_both_fleets,
    write_chance,
    write_crawl,
    write_machine,
    write_sent,
    write_shuffle,
    write_sizes,
)
from scaling.growth import draw_growth, write_disk, write_growth, write_memory, write_phases, write_predictions
from scaling.machines import Machine
from scaling.runs import LIMITS, Measured, in_pairs, ratio, read
from scaling.shuffle import read_sent
from scaling.units import write_bytes, write_spread
from scaling.workload import Workload

CONCEPTS = Path(__file__).parents[3] / "docs" / "concepts"


def write_parts(measured: Measured) -> dict[str, str]:
    """Write all parts."""
    workload = Workload.of(measured)
    return {
        "growth": write_growth(measured),
        "phases": write_phases(measured),
        "held": write_predictions(measured),
        "memory": write_memory(measured),
        "disk": write_disk(measured),
        "chance": write_chance(workload.rates.corpus),
        "sizes": write_sizes(workload),
        "machine": write_machine(Machine()),
        "fleets": write_both_fleets(workload),
        "shuffle": write_shuffle(workload),
        "sent": write_sent(measured, read_sent(CONCEPTS / "shuffle.json")),
        "crawl": write_crawl(),
        "family": write_family(measured),
        "copies": write_copies(measured),
    }


def write_family(measured: Measured) -> str:
    """Write the cost that a family adds."""
    runs = measured.family.runs
    alone, beside = runs[:2]
    rows = [
        [
            f"`{verb.name}`",
            write_spread(verb.seconds),
            write_spread(run.seconds),
            f"{ratio('family', [verb, run]):.2f}",
            write_bytes(run.peak),
            f"{run.per_document('proposed'):.1f}",
            f"{run.per_document('compared'):.2f}",
            f"{run.counts['capped']}",
        ]
        for verb, run in in_pairs(runs)
    ]
    head = ["", f"{alone.documents:,}: seconds", f"{beside.documents:,}: seconds", "added", "peak memory"]
    head += ["looks each", "compared each", "keys capped"]
    return (
        f"{write_table(head, rows)}\n\n"
        f"The {beside.documents - alone.documents:,} near-copies add {ratio('family', runs):.2f} times what as many "
        f"other documents take, at most; asked was {LIMITS['family']:g}."
    )


def write_copies(measured: Measured) -> str:
    """Write neardup beside polars."""
    ours, theirs = measured.copies.runs
    rows = [
        [run.name, write_spread(run.seconds), write_bytes(run.peak), f"{run.counts['dropped']:,}"]
        for run in (ours, theirs)
    ]
    times = ratio("copies", measured.copies.runs)
    return (
        f"{write_table(['', 'seconds', 'peak memory', 'dropped'], rows)}\n\n"
        f"Over {ours.documents:,} documents neardup takes {times:.2f} times as long; asked was "
        f"{LIMITS['copies']:g} at most."
    )


def write_page() -> dict[Path, str]:
    """Write the page and its figure."""
    measured = read(CONCEPTS / "scale.json")
    page = (CONCEPTS / "scale.md").read_text(encoding="utf-8")
    return {CONCEPTS / "scale.md": fill(page, write_parts(measured)), CONCEPTS / "scale.svg": draw_growth(measured)}
