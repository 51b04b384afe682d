"""Rows that the driver has, as a table."""

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from neardup.spark.session.batches import names_of


def table_of(session: SparkSession, rows: Sequence[tuple[Any, ...]], schema: str) -> DataFrame:
    """Make a table of rows by way of Arrow: Spark has tasks read objects of Python, whenever it is asked for them."""
    columns = {name: [row[place] for row in rows] for place, name in enumerate(names_of(schema))}
    return session.createDataFrame(pa.table(columns), schema)
