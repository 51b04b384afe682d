"""The tables and the figure of measurements at more and more documents."""

from collections.abc import Iterator

from pages import write_table
from scaling import memory
from scaling.plot import Panel, draw
from scaling.rates import UNITS, Corpus, Rates
from scaling.runs import LIMITS, Measured, Run, ratio
from scaling.units import write_bytes, write_count, write_spread


def draw_growth(measured: Measured) -> str:
    """Draw time and memory of the runs of `growth`."""
    runs = measured.growth.runs
    first, last = runs[0], runs[-1]
    limit = [(run.documents, LIMITS["growth"] * first.each) for run in (first, last)]
    times = [(run.documents, run.each) for run in runs]
    peaks = [(run.documents, run.peak / 1e6) for run in runs]
    kept = [(run.documents, must_stay(measured, run) / 1e6) for run in runs]
    return draw(
        [
            Panel("µs for one document", times, limit, "asked at most", 2, 1),
            Panel("MB of memory at the peak", peaks, kept, "what must stay", 0, 0),
        ]
    )


def write_growth(measured: Measured) -> str:
    """Write the costs of the runs of `growth`."""
    threads, budget, runs = measured.growth
    head = ["documents", "input", "seconds", "µs each", f"/ {write_count(runs[0].documents)}", "peak memory", "dropped"]
    rows = [
        [
            f"{run.documents:,}",
            write_bytes(run.bytes),
            write_spread(run.seconds),
            f"{run.each:.2f}",
            f"{run.each / runs[0].each:.2f}",
            write_bytes(run.peak),
            f"{run.counts['dropped']:,}",
        ]
        for run in runs
    ]
    times, rounds = ratio("growth", runs), len(runs[-1].seconds)
    verdict = "reached" if times <= LIMITS["growth"] else "not reached"
    return (
        f"{write_table(head, rows)}\n\n"
        f"With {threads} threads and `--memory {budget}`, the median of {rounds} round{'s' * (rounds > 1)}: a document "
        f"of {write_count(runs[-1].documents)} takes {times:.2f} times as long as one of "
        f"{write_count(runs[0].documents)}; asked was {LIMITS['growth']:g} at most, which is {verdict}."
    )


def write_phases(measured: Measured) -> str:
    """Write the microseconds of every phase for each document."""
    runs = measured.growth.runs
    head = ["phase", *(f"{run.documents:,}" for run in runs), "goes over"]
    each = {phase: [f"{run.parts[phase] / run.documents * 1e6:.2f}" for run in runs] for phase in UNITS}
    rows = [[phase, *each[phase], unit] for phase, unit in UNITS.items()]
    return write_table(head, rows)


def predict(measured: Measured) -> Iterator[tuple[Run, tuple[Run, Run], float]]:
    """Yield every run of `growth` except the first, the two runs it is estimated from, and the estimated seconds."""
    for run in measured.growth.runs[1:]:
        one, other = (one for one in measured.growth.runs if one is not run)
        yield run, (one, other), Rates.of(one, other, measured.growth.threads).seconds(run.documents)


def write_predictions(measured: Measured) -> str:
    """Write what the model predicts for runs that it was not fitted to, beside their measurements."""
    head = ["run", "estimated from", "seconds", "estimated", "off by", "candidates", "estimated", "off by"]
    rows = []
    for run, seen, seconds in predict(measured):
        candidates = Corpus.of(seen[0]).candidates(run.documents)
        cells = [f"{run.documents:,}", " and ".join(write_count(one.documents) for one in seen)]
        for true, estimated in ((run.wall, seconds), (run.counts["candidates"], candidates)):
            cells += [f"{true:,.0f}", f"{estimated:,.0f}", f"{100 * (estimated / true - 1):+.1f} %"]
        rows.append(cells)
    return write_table(head, rows)


def must_stay(measured: Measured, run: Run) -> float:
    """Return the bytes that must stay in memory in a run of `growth`."""
    return memory.needed(run.documents, measured.id_bytes, measured.growth.threads)


def write_memory(measured: Measured) -> str:
    """Write the bytes that must stay in memory, beside the peaks."""
    rows = [
        [f"{run.documents:,}", write_bytes(must_stay(measured, run)), write_bytes(run.peak)]
        for run in measured.growth.runs
    ]
    return (
        f"{write_table(['documents', 'must stay', 'peak'], rows)}\n\n"
        f"What must stay are {memory.PER_DOCUMENT + memory.PER_ID} bytes and the id of every document, "
        f"{memory.PER_THREAD >> 20} MB for each thread and {memory.PROGRAM + memory.LEAST_ROOM >> 20} MB beside."
    )


def write_disk(measured: Measured) -> str:
    """Write the bytes of the work file for each document, by stage and column."""
    documents = measured.disk["documents"]
    rows = []
    for stage, columns in measured.disk["stages"].items():
        rows.append([f"**{stage}**", f"**{sum(columns.values()) / documents:.1f}**"])
        rows += [[name, f"{size / documents:.1f}"] for name, size in columns.items() if size / documents >= 0.05]
    return write_table(["column", "bytes"], rows)
