"""The engine that spreads a run over a Spark cluster (the extra `spark`)."""

from neardup.errors import UsageError

try:
    from neardup.spark.engine import SparkEngine
except ModuleNotFoundError as error:
    raise UsageError(f"Spark needs {error.name}; install the extra: pip install 'neardup[spark]'") from None

__all__ = ["SparkEngine"]
