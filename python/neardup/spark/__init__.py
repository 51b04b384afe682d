"""The engine that spreads a run over a Spark cluster (the extra `spark`).

Each step of the run (`neardup.spread`) is one job of Spark. Its rows are packed messages, which a shuffle brings to the
partition of their part; there a task of the core takes them.
"""

from neardup.errors import UsageError

try:
    from neardup.spark.engine import SparkEngine
except ModuleNotFoundError as error:
    raise UsageError(f"Spark needs {error.name}; install the extra: pip install 'neardup[spark]'") from None

__all__ = ["SparkEngine"]
