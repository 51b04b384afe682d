"""What a run on Spark sends from task to task, for a document, beside what docs/concepts/scale.md reckons.

    python bench/shuffle.py DOCS.jsonl [--cores 2] [--partitions 8] [--json FILE]

DOCS.jsonl is that of the first run of `scale.py growth`, of which the reckoning knows how many documents are copies,
candidates and compared; of any other file bytes are told alone. Bytes are those of Spark's pages, as the shuffle writes
them, compressed and not.
"""

import argparse
import json
import sys
from pathlib import Path
from urllib.request import urlopen

import neardup
from neardup.spark.session import open_session

DOCS = Path(__file__).parent.parent / "docs"
sys.path.insert(0, str(DOCS))

from scaling.runs import read  # noqa: E402
from scaling.shuffle import Shuffle  # noqa: E402

STEPS = {
    "arrange": ("digests", "keys", "pairs", "signatures"),
    "compare": ("texts",),
    "write": ("verdicts",),
}
"""Phases of a run on Spark, and the steps of the reckoning that are done in them."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("docs", type=Path)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--partitions", type=int, default=8)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    measured = {compressed: measure(args, compressed=compressed) for compressed in (False, True)}
    documents = measured[False].pop("documents")
    measured[True].pop("documents")
    reckoned = reckon(args.docs, documents)
    print(f"{'phase':12} {'bytes':>10} {'compressed':>12} {'reckoned':>10}   a document")
    for phase in [*measured[False], "in all"]:
        sent = [sum(one.values()) if phase == "in all" else one.get(phase, 0) for one in measured.values()]
        told = f"{reckoned[phase]:10.0f}" if reckoned and phase in reckoned else ""
        print(f"{phase:12} {sent[0] / documents:10.0f} {sent[1] / documents:12.0f} {told}")
    if args.json:
        result = {"documents": documents, "bytes": measured[False], "compressed": measured[True], "reckoned": reckoned}
        args.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


def reckon(docs: Path, documents: int) -> dict[str, float] | None:
    """Give what the page reckons for a document of a run that it knows, by phase."""
    run = next((run for run in read(DOCS / "concepts" / "scale.json").growth.runs if run.documents == documents), None)
    if run is None or run.bytes != docs.stat().st_size:
        return None
    steps = Shuffle.of(run).steps()
    phases = {phase: sum(steps[step] for step in of) for phase, of in STEPS.items()}
    return {**phases, "in all": sum(phases.values())}


def measure(args: argparse.Namespace, *, compressed: bool) -> dict[str, int]:
    """Give the bytes that each phase wrote for other tasks to read, and the number of documents."""
    settings = {
        "spark.driver.memory": "6g",
        "spark.log.level": "OFF",
        "spark.shuffle.compress": str(compressed).lower(),
        "spark.sql.shuffle.partitions": str(args.partitions),
        "spark.ui.port": "0",
        "spark.ui.retainedStages": "100000",
    }
    with open_session(f"local[{args.cores}]", settings=settings) as session:
        result = neardup.dedup(str(args.docs), id_field="id", engine=neardup.SparkEngine(session))
        context = session.sparkContext
        with urlopen(f"{context.uiWebUrl}/api/v1/applications/{context.applicationId}/stages") as answer:
            stages = json.load(answer)
    sent: dict[str, int] = {}
    for stage in sorted(stages, key=lambda stage: stage["stageId"]):
        # As `Watch` describes the jobs of a phase.
        phase = stage.get("description", "").removeprefix("neardup: ").partition(",")[0] or "between"
        sent[phase] = sent.get(phase, 0) + stage["shuffleWriteBytes"]
    return {
        **{phase: count for phase, count in sent.items() if count},
        "documents": result.summary["counts"]["documents"],
    }


if __name__ == "__main__":
    main()
