"""Leave the near-duplicates out of a table of texts, as a job for spark-submit.

    spark-submit [--master URL] docs/spark/job.py PAGES.parquet KEPT.parquet

The table has the columns id, which tells its rows apart, and text.
"""

import argparse

from pyspark.sql import SparkSession

import neardup


def main() -> None:
    """Read, run and write where the executors can."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages")
    parser.add_argument("kept")
    args = parser.parse_args()
    session = SparkSession.builder.appName("neardup").getOrCreate()
    result = neardup.dedup(session.read.parquet(args.pages), id_field="id")
    result.kept.write.mode("overwrite").parquet(args.kept)
    counts = result.summary["counts"]
    print(f"{counts['kept']:,} of {counts['documents']:,} documents stay; digest {result.digest}")
    session.stop()


if __name__ == "__main__":
    main()
