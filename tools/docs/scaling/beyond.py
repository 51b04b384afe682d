"""The tables of estimates beyond what was measured: chance, larger runs, several machines, and the run of 1997."""

from collections.abc import Sequence

from pages import write_table
from scaling import chance, memory
from scaling.machines import Fleet, Machine
from scaling.rates import UNITS, Corpus
from scaling.runs import Measured
from scaling.shuffle import Sent, Shuffle
from scaling.sketches import CRAWL_1997, PRINTED_1997
from scaling.units import write_bytes, write_count, write_time
from scaling.workload import Workload

SIZES = (1e6, 1e7, 3e7, 1e8, 1e9, memory.MOST_DOCUMENTS)
FLEETS = ((1e9, 1), (1e9, 10), (1e10, 10), (1e10, 100))
"""Numbers of documents, and of machines that share them."""
LONG = 5000
"""Bytes of a web document; measured documents are shorter."""
FAMILY = 100_000
"""Documents of a family in the table of chance."""


def write_chance(corpus: Corpus) -> str:
    """Write the number of documents that keys of 32 bits connect by chance."""
    head = ["documents", "equal pairs in a table", f"in {chance.TABLES} tables", "partners of one"]
    head += ["met by chance alone", f"links of a family of {FAMILY:,}"]
    rows = [
        [
            write_count(size),
            write_count(chance.equal_pairs(size)),
            write_count(chance.TABLES * chance.equal_pairs(size)),
            f"{chance.partners(size):.3g}",
            f"{100 * chance.collision_share(size):.3g} %",
            write_count(FAMILY * chance.partners(size)),
        ]
        for size in SIZES
    ]
    alone = 2**chance.RUN_BITS / chance.TABLES
    return (
        f"{write_table(head, rows)}\n\n"
        f"Of this corpus {100 * corpus.different:.0f} % of the documents are different, and these count. Different "
        f"documents have a partner each, on average, from {write_count(alone)} on."
    )


def write_sizes(workload: Workload) -> str:
    """Write estimates for one run on the measured machine, at sizes up to the largest."""
    rates = workload.rates
    head = ["documents", "memory", "disk", "candidates", *UNITS, "in all"]
    rows = [
        [
            write_count(size),
            write_bytes(memory.needed(size, workload.id_bytes, rates.threads)),
            write_bytes(size * workload.traffic.taken),
            f"{100 * rates.corpus.candidates(size) / size:.0f} %",
            *(write_time(seconds) for seconds in rates.phases(size).values()),
            write_time(rates.seconds(size)),
        ]
        for size in SIZES
    ]
    return write_table(head, rows)


def write_machine(machine: Machine) -> str:
    """Write the assumptions about a machine."""
    return (
        f"A machine has {machine.threads} threads, reads or writes {write_bytes(machine.disk)} a second, sends and "
        f"takes {write_bytes(machine.network)} a second, and costs {machine.price:.2f} an hour. *Disk* is what it "
        "holds of the work; of a phase it shows the time and what all machines cost meanwhile. Phases with *d* and *n* "
        "wait for the disk or the network, all others for the processors."
    )


def write_fleets(workload: Workload, fleets: Sequence[tuple[float, int]], machine: Machine) -> str:
    """Write time and money of every phase, a column for each number of documents and machines."""
    waits = {"processors": "", "disk": " *d*", "network": " *n*"}
    columns = []
    for documents, machines in fleets:
        fleet = Fleet(machine, machines)
        steps = fleet.steps(documents, workload)
        seconds = sum(step.seconds for step in steps.values())
        columns.append(
            [
                f"{write_count(documents)} on {machines}",
                write_bytes(fleet.memory(documents, workload)),
                write_bytes(fleet.disk(documents, workload)),
                *(
                    f"{write_time(one.seconds)}{waits[one.bound]}, {fleet.cost(one.seconds):,.2f}"
                    for one in steps.values()
                ),
                f"{write_time(seconds)}, {fleet.cost(seconds):,.2f}",
            ]
        )
    head, *rows = zip(
        ["documents on machines", "memory of each", "disk of each", *UNITS, "in all"], *columns, strict=True
    )
    return write_table(list(head), map(list, rows))


def write_shuffle(workload: Workload) -> str:
    """Write the bytes that a document sends, step by step."""
    long = workload.of_bytes(LONG)
    head = ["step", *(f"documents of {one.traffic.input:,.0f} bytes" for one in (workload, long))]
    steps = [one.shuffle.steps() for one in (workload, long)]
    rows = [[name, *(f"{step[name]:,.0f}" for step in steps)] for name in steps[0]]
    rows.append(["in all", *(f"{sum(step.values()):,.0f}" for step in steps)])
    shuffle = workload.shuffle
    return (
        f"{write_table(head, rows)}\n\n"
        f"Here u = {shuffle.corpus.different:.2f}, c = {shuffle.corpus.alike:.2f}, p = {shuffle.pairs:.1f}, "
        f"v = {shuffle.verified:.2f} and S = {shuffle.signature:.0f}, as the largest run counted them; in longer "
        f"documents S = {long.shuffle.signature:.0f}."
    )


def write_sent(measured: Measured, sent: Sent) -> str:
    """Write the bytes that a run on Spark sent, phase by phase, beside the estimate for the same documents."""
    run = next(run for run in measured.growth.runs if run.documents == sent.documents)
    estimated = Shuffle.of(run).phases()
    columns = [
        estimated,
        *({phase: count / sent.documents for phase, count in of.items()} for of in (sent.bytes, sent.compressed)),
    ]
    phases = list(dict.fromkeys(phase for column in columns for phase in column))
    rows = [[phase, *(f"{column.get(phase, 0):,.0f}" for column in columns)] for phase in phases]
    rows.append(["in all", *(f"{sum(column.values()):,.0f}" for column in columns)])
    return write_table(["phase", "estimated", "sent", "compressed"], rows)


def write_crawl() -> str:
    """Write the run of 1997 as the model estimates it and as the paper printed it."""
    crawl, printed = CRAWL_1997, PRINTED_1997
    lists = printed["peak"] * 1e9 / crawl.list_bytes
    two = f"{2 * crawl.list_bytes / 1e9:.1f} GB, two lists"
    rows = [
        ["sketches", f"{crawl.sketch_bytes / 1e9:.1f} GB", f"{printed['sketches']:g} GB"],
        ["list of shingles and documents", f"{crawl.list_bytes / 1e9:.1f} GB", f"{printed['list']:g} GB"],
        ["peak", two, f"{printed['peak']:g} GB, {lists:.2f} lists"],
    ]
    return write_table(["", "estimated", "printed"], rows)


def write_both_fleets(workload: Workload) -> str:
    """Write time and money for documents as measured, and for longer ones."""
    kinds = {
        f"Documents of {workload.traffic.input:.0f} bytes, as measured": workload,
        f"Documents of {LONG:,} bytes": workload.of_bytes(LONG),
    }
    return "\n\n".join(f"{title}:\n\n{write_fleets(one, FLEETS, Machine())}" for title, one in kinds.items())
