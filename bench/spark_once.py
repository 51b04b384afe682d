"""Run the command line without keeping the rows of the steps on Spark, for the cost of that: spark_once.py dedup ..."""

import neardup.spread.run
from neardup.cli import main

if __name__ == "__main__":
    neardup.spread.run.RESUMES = False
    main()
