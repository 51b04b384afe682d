"""Run the command line without keeping the rows of the steps on Spark, for the cost of that: spark_once.py dedup ..."""

import neardup.spark.spread
from neardup.cli import main

if __name__ == "__main__":
    neardup.spark.spread.RESUMES = False
    main()
