"""The page docs/guides/cluster.md: its generated parts, by the names of their marks."""

import math
import statistics
from pathlib import Path
from typing import Any

from pages import fill, write_table
from planning.costs import Costs, Run
from planning.division import Division
from planning.fleet import MACHINE, PEER, USED, Plan
from planning.keys import Keys
from planning.stored import read
from scaling.units import write_bytes, write_count, write_spread, write_time

GUIDES = Path(__file__).parents[3] / "docs" / "guides"
LONG = 4000.0
"""Bytes of a document of the plan."""
FLEETS = ((9, 8), (9, 63), (10, 63), (10, 250))
"""Powers of ten of the documents, and machines."""
BITS = 48
"""Bits of a key for which the plan is made."""
ROLES = {"java": "Java", "workers": "a worker of Python", "all workers": "all workers", "driver": "the driver"}


def write_runs(runs: list[Run]) -> str:
    """Write the measured runs."""
    head = ["documents", "input", "seconds", *(f"CPU s: {role}" for role in ("Java", "workers", "driver"))]
    head += [f"peak of {name}" for name in ROLES.values()]
    rows = [
        [
            f"{run.documents:,}",
            write_bytes(run.bytes),
            f"{run.seconds:.1f}",
            *(f"{run.cpu[role]:.1f}" for role in ("java", "workers", "driver")),
            *(write_bytes(run.peaks[role]) for role in ROLES),
        ]
        for run in runs
    ]
    last, worker = runs[-1], max(run.peaks["workers"] for run in runs)
    signed = last.documents / Division.of(last.bytes, last.cores).homes
    return (
        f"{write_table(head, rows)}\n\n"
        f"A task of the largest run signs {signed:,.0f} documents. Its worker has at most {write_bytes(worker)}, with "
        f"Python and its libraries: {write_bytes(worker / signed)} for each of these documents. {MACHINE.threads} "
        f"workers of a machine take {write_bytes(MACHINE.threads * worker)}."
    )


def write_costs(costs: Costs) -> str:
    """Write what a document costs, stage by stage."""
    names = ("sent", "read", "kept")
    rows = [
        [name, *(f"{of[what]:,.1f}" for what in names), *(f"{1e6 * of[role]:.1f}" for role in ("java", "workers"))]
        for name, of in costs.stages.items()
    ]
    sums = [f"{costs.total(what):,.1f}" for what in names]
    sums += [f"{1e6 * costs.total(role):.1f}" for role in ("java", "workers")]
    head = ["stage", *(f"bytes {what}" for what in names), "CPU µs: Java", "CPU µs: workers"]
    each = costs.total("java") + costs.total("workers")
    return (
        f"{write_table(head, [*rows, ['in all', *sums]])}\n\n"
        f"A further document of {costs.document_bytes:,.0f} bytes takes {1e6 * each:.0f} µs of processor time: "
        f"{1 / each:,.0f} documents a second on a core that is always busy."
    )


def write_keys(keys: list[Keys]) -> str:
    """Write what was simulated."""
    head = ["bits", "documents", "key rows", "equal by chance", "links", "rounds", "texts sent", "pairs looked at"]
    head += ["largest family", "largest component", "blocks"]
    rows = [
        [
            str(one.bits),
            write_power(one.documents),
            *map(write_short, (one.rows, one.by_chance, one.links)),
            str(one.rounds),
            *map(write_short, (one.texts, one.looks, one.largest_family, one.largest, one.blocks)),
        ]
        for one in keys
    ]
    return write_table(head, rows)


def write_growth(keys: list[Keys]) -> str:
    """Write the work of every phase divided by n log n, compared with that of the fewest documents."""
    tables = []
    for bits in dict.fromkeys(one.bits for one in keys):
        of = [one for one in keys if one.bits == bits]
        first = of[0].growth()
        rows = [
            [write_power(one.documents), *(f"{work / first[phase]:.2f}" for phase, work in one.growth().items())]
            for one in of
        ]
        tables.append(f"Keys of {bits} bits:\n\n{write_table(['documents', *first], rows)}")
    return "\n\n".join(tables)


def write_plan(costs: Costs, keys: list[Keys]) -> str:
    """Write hours and costs, beside those of the peer."""
    marks = {"processors": "", "disk": " *d*", "network": " *n*"}
    columns = []
    for power, machines in FLEETS:
        of = next(one for one in keys if one.bits == BITS and write_power(one.documents) == f"10^{power}")
        plan = Plan(costs, of, LONG, machines)
        columns.append(
            [
                f"10^{power} on {machines}",
                *(f"{write_time(step.seconds)}{marks[step.bound]}" for step in plan.steps().values()),
                write_time(3600 * plan.hours),
                f"{plan.cost:,.0f}",
                f"{plan.each:,.0f}",
                write_bytes(plan.disk),
            ]
        )
    peer = [f"a peer: {write_count(PEER.documents)} on {PEER.machines}", *[""] * len(costs.stages)]
    peer += [f"{PEER.hours} h", f"{PEER.cost:,.0f}", f"{PEER.each:.0f}", ""]
    names = ["documents on machines", *costs.stages, "in all", "cost, $", "documents/s/core", "disk of each"]
    head, *rows = zip(names, *columns, peer, strict=True)
    return write_table(list(head), map(list, rows))


def write_machine(measured: Run) -> str:
    """Write the assumptions, and what share of the time the cores computed in a measured run."""
    return (
        f"A machine has {MACHINE.threads} cores, reads or writes {write_bytes(MACHINE.disk)} a second, sends and takes "
        f"{write_bytes(MACHINE.network)} a second, and costs ${MACHINE.price:.2f} an hour: what the peer paid. A core "
        f"works {100 * USED:.0f} % of the time; in the largest measured run it did {100 * measured.used:.0f} %. A "
        f"document has {LONG:,.0f} bytes. Keys have {BITS} bits. Stages with *d* and *n* wait for the disk or the "
        "network, all others for the processors."
    )


def write_peer(sizes: list[dict[str, Any]]) -> str:
    """Write MinHashLSH of Spark beside `dedup` on Spark."""
    rows = []
    for size in sizes:
        for at, result in enumerate(size["results"]):
            quality = result.get("quality")
            first = f"{size['documents']:,}" if at == 0 else ""
            if quality is None:
                rows.append([first, result["tool"], result["failure"], *[""] * 4])
                continue
            shares = [f"{int(1e4 * quality[f'removal_{share}']) / 1e4:.4f}" for share in ("recall", "precision")]
            costs = [write_spread(result["wall"]), write_bytes(max(result["peak"]))]
            rows.append([first, result["tool"], *costs, *shares, str(quality["lost"])])
    written = write_table(["documents", "", "seconds", "peak memory", "recall", "precision", "lost"], rows)
    return f"{written}\n\n{write_slopes(sizes[0], sizes[-1])}"


def write_slopes(small: dict[str, Any], large: dict[str, Any]) -> str:
    """Write what a further document takes."""
    slopes = []
    for one, other in zip(small["results"], large["results"], strict=True):
        if "failure" not in other:
            seconds = statistics.median(other["wall"]) - statistics.median(one["wall"])
            each = 1e3 * seconds / (large["documents"] - small["documents"])
            slopes.append(f"{each:.1f} ms of `{other['tool']}`")
    return f"A further document takes {' and '.join(slopes)}."


def write_power(count: float) -> str:
    """Write a count that is nearly a power of ten as that."""
    return f"10^{round(math.log10(count))}"


def write_short(count: float) -> str:
    """Write a count with two digits."""
    if count < 1000:
        return f"{count:.0f}"
    digits, power = f"{count:.1e}".split("e+")
    return f"{digits} * 10^{int(power)}"


def write_cluster_page() -> dict[Path, str]:
    """Write the page."""
    parts = read(GUIDES / "cluster.json")
    runs = [Run(**run) for run in parts["runs"]]
    keys = [Keys(**one) for one in parts["keys"]]
    costs = Costs.of(runs)
    written = {
        "runs": write_runs(runs),
        "costs": write_costs(costs),
        "keys": write_keys(keys),
        "growth": write_growth(keys),
        "machine": write_machine(runs[-1]),
        "plan": write_plan(costs, keys),
        "peer": write_peer(parts["peer"]),
    }
    path = GUIDES / "cluster.md"
    return {path: fill(path.read_text(encoding="utf-8"), written)}
