"""The engine that spreads a run over a Ray cluster (the extra `ray`)."""

from neardup.errors import UsageError

try:
    from neardup.ray.engine import RayEngine
except ModuleNotFoundError as error:
    raise UsageError(f"Ray needs {error.name}; install the extra: pip install 'neardup[ray]'") from None

__all__ = ["RayEngine"]
