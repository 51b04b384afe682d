"""The engine that spreads a run over a Spark cluster (the extra `spark`).

The engine is a pipeline over DataFrames, in which no step decides anything by itself. Documents become rows of digests
and keys. A task distributes the keys of its documents to parts and packs each part. In the task that has all documents
of a key, they are linked unless their sketches prove that they cannot match. A family of linked documents is compared
in one task by an ordinary run, in policy order. A family that is too large for a task is decided in blocks, as the core
does with threads: a verdict depends only on documents that come before, and a pair on its two documents, so the result
is exact. Copies share the verdict of the document that represents them. Derived columns are computed after the shuffle,
so only their inputs are shuffled. A digest of all rows, which are hashed where they are, shows that the result equals
that of one machine.
"""

from neardup.errors import UsageError

try:
    from neardup.spark.engine import SparkEngine
except ModuleNotFoundError as error:
    raise UsageError(f"Spark needs {error.name}; install the extra: pip install 'neardup[spark]'") from None

__all__ = ["SparkEngine"]
