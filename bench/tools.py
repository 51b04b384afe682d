"""The rows of the comparison: the command of each tool, and how its answer is read."""

import array
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import figures
import venvs
from exact import Truth

HERE = Path(__file__).resolve().parent
NEARDUP = HERE.parent / ".venv" / "bin" / "neardup"


@dataclass(frozen=True)
class Job:
    """One file of documents, and the folder of the answer."""

    docs: Path
    out: Path
    work: Path
    threads: int


@dataclass(frozen=True)
class Tool:
    """A row of the table."""

    name: str
    truth: str
    """The definition of a word that the truth uses for it: contract or alnum."""
    command: Callable[[Job], list[str]]
    judge: Callable[[Job, Truth], figures.Figures]
    present: Callable[[], bool] = lambda: True


def peer(
    name: str,
    adapter: str,
    environment: str,
    *extra: str,
    judge: Callable[[Job, Truth], figures.Figures] | None = None,
) -> Tool:
    """Return the row of a peer, which an adapter runs in its own environment; by default its labels are judged."""

    def command(job: Job) -> list[str]:
        python = venvs.interpreter(job.work, environment)
        script = HERE / "peers" / f"{adapter}.py"
        fixed = ["--threshold", "0.8", "--threads", str(job.threads)]
        return [str(python), str(script), str(job.docs), str(job.out), *fixed, *extra]

    return Tool(name, "alnum", command, judge or judge_peer)


def read_integers(path: Path) -> list[int]:
    """Return the u32 numbers of a file."""
    numbers = array.array("I")
    numbers.frombytes(path.read_bytes())
    return numbers.tolist()


def judge_peer(job: Job, truth: Truth) -> figures.Figures:
    """Judge the files of an adapter: its pairs if the peer lists them, otherwise all pairs inside a cluster."""
    labels = read_integers(job.out / "labels.bin")
    if len(labels) != len(truth.ids):
        raise SystemExit(f"{job.out}: {len(labels)} labels for {len(truth.ids)} documents")
    order = job.out / "ids.json"
    if order.exists():
        place = {name: document for document, name in enumerate(truth.ids)}
        rows = [place[name] for name in json.loads(order.read_text())]
        labels = [rows[label] for _, label in sorted(zip(rows, labels, strict=True))]
    first: dict[int, int] = {}
    removed = {document for document, label in enumerate(labels) if first.setdefault(label, document) != document}
    flat = job.out / "pairs.bin"
    if flat.exists():
        numbers = read_integers(flat)
        pairs = figures.judge_pairs(truth, zip(numbers[::2], numbers[1::2], strict=True))
    else:
        pairs = figures.judge_clusters(truth, labels)
    return pairs | figures.judge_removals(truth, removed)


def judge_kept(job: Job, truth: Truth) -> figures.Figures:
    """Judge a file of kept records; all other records count as removed."""
    with (job.out / "kept.jsonl").open("rb") as file:
        kept = {json.loads(line)["id"] for line in file}
    return figures.judge_removals(truth, {place for place, name in enumerate(truth.ids) if name not in kept})


def neardup(name: str, verb: str, *extra: str) -> Tool:
    """Return a row of neardup itself, which runs in the project's environment."""

    def command(job: Job) -> list[str]:
        files = [str(NEARDUP), verb, str(job.docs), "-o", str(job.out), "--id-field", "id"]
        return [*files, "--threads", str(job.threads), "--quiet", "--json", *extra]

    return Tool(name, "contract", command, judge_pairs if verb == "pairs" else judge_dedup, NEARDUP.exists)


def read_columns(job: Job, file: str, *columns: str) -> Iterator[tuple[Any, ...]]:
    """Yield rows of a Parquet file that neardup wrote."""
    import polars

    yield from polars.read_parquet(job.out / file, columns=list(columns)).select(columns).iter_rows()


def judge_pairs(job: Job, truth: Truth) -> figures.Figures:
    """Judge pairs.parquet; `wrong_counts` counts pairs whose sizes or shared shingles differ from the truth."""
    place = {name: document for document, name in enumerate(truth.ids)}
    given = []
    wrong = 0
    for left, right, shared, left_size, right_size in read_columns(
        job, "pairs.parquet", "left", "right", "shared", "left_size", "right_size"
    ):
        one, other = place[left], place[right]
        given.append((one, other))
        expected = (truth.shared(one, other), truth.size[one], truth.size[other])
        wrong += (shared, left_size, right_size) != expected
    return figures.judge_pairs(truth, given) | {"wrong_counts": wrong}


def judge_dedup(job: Job, truth: Truth) -> figures.Figures:
    """Judge decisions.parquet; `unverified` counts drops whose original is not kept or not really near."""
    place = {name: document for document, name in enumerate(truth.ids)}
    dropped = {}
    for name, verdict, original in read_columns(job, "decisions.parquet", "id", "verdict", "original"):
        if verdict == "drop":
            dropped[place[name]] = place[original]
    bad = sum(into in dropped or truth.shared(out, into) is None for out, into in dropped.items())
    return figures.judge_removals(truth, set(dropped)) | {"unverified": bad}


TOOLS = [
    neardup("neardup", "dedup"),
    neardup("neardup-no-kept", "dedup", "--no-kept"),
    neardup("neardup-pairs", "pairs"),
    neardup("neardup-exact", "dedup", "--recall", "exact"),
    neardup("neardup-spark", "dedup", "--engine", "spark"),
    peer("exact-copies", "exact_copies", "tools"),
    peer("exact-copies-kept", "exact_copies_kept", "tools", judge=judge_kept),
    peer("daft", "with_daft", "daft"),
    peer("gaoya", "with_gaoya", "gaoya"),
    peer("rensa", "with_rensa", "rensa"),
    peer("spark-lsh", "with_spark_lsh", "spark"),
    peer("datasketch", "with_datasketch", "datasketch"),
    peer("datasketch-checked", "with_datasketch", "datasketch", "--checked"),
]
"""datasketch occurs twice: as documented, where sharing one band is enough, and with the estimate checked."""
