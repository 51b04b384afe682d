"""Runs in the tools environment: prints columns of a Parquet file, one JSON array a row.

usage: columns.py FILE.parquet COLUMN...
"""

import json
import sys

import polars as pl

for row in pl.read_parquet(sys.argv[1], columns=sys.argv[2:]).select(sys.argv[2:]).iter_rows():
    print(json.dumps(row))
