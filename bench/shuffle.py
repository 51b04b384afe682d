"""Measure the bytes a document that a run on Spark shuffles, beside the estimate of docs/concepts/scale.md.

    python bench/shuffle.py DOCS.jsonl [--cores 2] [--partitions 8] [--json FILE]

DOCS.jsonl is the file of the first run of `scale.py growth`: the estimate needs its numbers of copies, candidates and
comparisons. For any other file only bytes are shown. Spark's status pages report them as the shuffle writes them,
compressed and not. The page shows the figures of docs/concepts/shuffle.json: give that as FILE.
"""

import argparse
import json
import sys
from pathlib import Path
from urllib.request import urlopen

import neardup
from neardup.spark.session.session import open_session

DOCS = Path(__file__).parent.parent / "tools" / "docs"
sys.path.insert(0, str(DOCS))

from scaling.runs import Run, read  # noqa: E402
from scaling.shuffle import Shuffle  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("docs", type=Path)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--partitions", type=int, default=8)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    (documents, plain), (_, compressed) = (measure(args, compressed=compressed) for compressed in (False, True))
    run = find_run(args.docs, documents)
    estimated = Shuffle.of(run).phases() if run else {}
    print(f"{'phase':12} {'bytes':>10} {'compressed':>12} {'estimated':>10}   a document")
    for phase in [*plain, "in all"]:
        figures = (plain, compressed, estimated)
        sums = [sum(one.values()) if phase == "in all" else one.get(phase, 0) for one in figures]
        estimate = f"{sums[2]:10.0f}" if estimated else ""
        print(f"{phase:12} {sums[0] / documents:10.0f} {sums[1] / documents:12.0f} {estimate}")
    if args.json:
        result = {"documents": documents, "bytes": plain, "compressed": compressed}
        args.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


def find_run(docs: Path, documents: int) -> Run | None:
    """Return the run of the page over this file, or None if the page has no such run."""
    runs = read(DOCS.parents[1] / "docs" / "concepts" / "scale.json").growth.runs
    return next((run for run in runs if run.documents == documents and run.bytes == docs.stat().st_size), None)


def measure(args: argparse.Namespace, *, compressed: bool) -> tuple[int, dict[str, int]]:
    """Return the number of documents, and the bytes that each phase wrote to the shuffle."""
    settings = {
        "spark.driver.memory": "6g",
        "spark.log.level": "OFF",
        "spark.shuffle.compress": str(compressed).lower(),
        "spark.sql.shuffle.partitions": str(args.partitions),
        "spark.ui.port": "0",
        "spark.ui.retainedStages": "100000",
    }
    with open_session(f"local[{args.cores}]", settings=settings) as session:
        result = neardup.dedup(str(args.docs), id_field="id", engine=neardup.spark.SparkEngine(session))
        context = session.sparkContext
        with urlopen(f"{context.uiWebUrl}/api/v1/applications/{context.applicationId}/stages") as answer:
            stages = json.load(answer)
    sent: dict[str, int] = {}
    for stage in sorted(stages, key=lambda stage: stage["stageId"]):
        # `Watch` describes the jobs of a phase so.
        phase = stage.get("description", "").removeprefix("neardup: ").partition(",")[0] or "between"
        sent[phase] = sent.get(phase, 0) + stage["shuffleWriteBytes"]
    return result.summary["counts"]["documents"], {phase: count for phase, count in sent.items() if count}


if __name__ == "__main__":
    main()
