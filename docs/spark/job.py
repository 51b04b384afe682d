"""Remove the near-duplicates from a table of texts, as a job for spark-submit.

    spark-submit [--master URL] docs/spark/job.py PAGES.parquet KEPT.parquet

The table has the columns id, which is unique, and text.
"""

import argparse

from pyspark.sql import SparkSession

import neardup


def main() -> None:
    """Read and write the tables at paths that all executors can access."""
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
