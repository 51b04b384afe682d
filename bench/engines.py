"""Compare digests on Spark with those on one machine, for every classic and profile, set of documents and verb.

    python bench/engines.py DOCS.jsonl... [--only NAME,...] [--verbs dedup,cluster,pairs] [--cores 2]

Each line shows what was compared, how long each of the two took, and whether the digests are the same. The exit code is
1 if some differ. If the first line of a file has the field `html`, pages are read from it; otherwise texts are. `id`
and `url` are read if the first line has them.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import neardup
from neardup import NeardupError
from neardup.results.finished import Outcome
from neardup.schemes import classics, profiles
from neardup.spark.session.session import open_session

VERBS: dict[str, Callable[..., Outcome]] = {
    "dedup": neardup.dedup,
    "cluster": neardup.cluster,
    "pairs": neardup.find_pairs,
}
NAMES = [*classics.CLASSICS, *profiles.PROFILES]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("docs", nargs="+", type=Path)
    parser.add_argument("--only", type=lambda names: names.split(","), default=NAMES, metavar="NAME,...")
    parser.add_argument("--verbs", type=lambda names: names.split(","), default=list(VERBS), metavar="VERB,...")
    parser.add_argument("--cores", type=int, default=2)
    args = parser.parse_args()
    settings = {
        "spark.driver.memory": "4g",
        "spark.sql.shuffle.partitions": str(2 * args.cores),
        "spark.log.level": "OFF",
    }
    with open_session(f"local[{args.cores}]", settings=settings) as session:
        differ = compare(args, neardup.spark.SparkEngine(session))
    sys.exit(differ > 0)


def compare(args: argparse.Namespace, engine: neardup.spark.SparkEngine) -> int:
    """Print a line for every run; return the number of digests that differ."""
    same = refused = differ = 0
    print(f"{'documents':28} {'scheme':20} {'verb':8} {'local s':>8} {'spark s':>8}  digest")
    for path in args.docs:
        fields = fields_of(path)
        for name in args.only:
            for verb in args.verbs:
                start = time.perf_counter()
                here, why = digest(verb, path, scheme=name, **fields)
                middle = time.perf_counter()
                there, why_there = digest(verb, path, scheme=name, engine=engine, **fields)
                end = time.perf_counter()
                if (here, why) != (there, why_there):
                    differ, shown = differ + 1, f"DIFFERS: {here or why}, on Spark {there or why_there}"
                elif here:
                    same, shown = same + 1, here[:12]
                else:
                    refused, shown = refused + 1, f"refused: {why.splitlines()[0]}"
                print(
                    f"{path.stem:28} {name:20} {verb:8} {middle - start:8.2f} {end - middle:8.2f}  {shown}", flush=True
                )
    print(f"{same} digests are the same, {refused} runs are refused alike, {differ} differ")
    return differ


def fields_of(path: Path) -> dict[str, str]:
    """Return the fields that the first document has, as options of a verb."""
    with path.open(encoding="utf-8") as lines:
        first = json.loads(lines.readline())
    names = {"id_field": "id", "html_field": "html", "url_field": "url"}
    return {option: name for option, name in names.items() if first.get(name) is not None}


def digest(verb: str, path: Path, **options: object) -> tuple[str, str]:
    """Return the digest of a verb and the reason if there is none; one of the two is empty."""
    try:
        return VERBS[verb](str(path), **options).digest, ""
    except NeardupError as error:
        return "", str(error)


if __name__ == "__main__":
    main()
