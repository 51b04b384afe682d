# Written by `make docs` from the list in public.py.

from neardup.spark.engine import SparkEngine as SparkEngine

__all__ = [
    "SparkEngine",
]
