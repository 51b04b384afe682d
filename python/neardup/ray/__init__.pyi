# Written by `make docs` from the list in public.py.

from neardup.ray.engine import RayEngine as RayEngine

__all__ = [
    "RayEngine",
]
