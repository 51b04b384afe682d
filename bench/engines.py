"""Hold Spark against one machine: the digest of every classic and profile, on sets of documents, by every verb.

    python bench/engines.py DOCS.jsonl... [--only NAME,...] [--verbs dedup,cluster,pairs] [--cores 2]

Each line says what was compared, how long either took, and whether the digests are the same. Code 1: some are not.
"""

import argparse
import sys
import time
from pathlib import Path

import neardup
from neardup import NeardupError, classics, profiles
from neardup.spark.session import open_session

VERBS = {"dedup": neardup.dedup, "cluster": neardup.cluster, "pairs": neardup.find_pairs}
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
        differ = compare(args, neardup.SparkEngine(session))
    sys.exit(differ > 0)


def compare(args: argparse.Namespace, engine: neardup.SparkEngine) -> int:
    """Print a line for every run; give how many digests differ."""
    same = differ = 0
    print(f"{'documents':28} {'scheme':20} {'verb':8} {'local s':>8} {'spark s':>8}  digest")
    for path in args.docs:
        for name in args.only:
            for verb in args.verbs:
                start = time.perf_counter()
                here = digest(verb, path, scheme=name)
                middle = time.perf_counter()
                there = digest(verb, path, scheme=name, engine=engine)
                end = time.perf_counter()
                same, differ = same + (here == there), differ + (here != there)
                told = here[:12] if here == there else f"DIFFERS: {here[:12]}, on Spark {there[:200]}"
                print(
                    f"{path.stem:28} {name:20} {verb:8} {middle - start:8.2f} {end - middle:8.2f}  {told}", flush=True
                )
    print(f"{same} digests are the same, {differ} differ")
    return differ


def digest(verb: str, path: Path, **options: object) -> str:
    """Give the digest of a verb, or why there is none."""
    try:
        return VERBS[verb](str(path), id_field="id", **options).digest
    except NeardupError as error:
        return str(error)


if __name__ == "__main__":
    main()
