"""Cookies: what a browser keeps, and shows to nobody else."""

from fastapi import Request
from starlette.responses import Response


def keep(answer: Response, request: Request, name: str, value: str, seconds: int) -> None:
    """Have the browser keep a value; only over TLS, where that is how it came.

    Whoever writes the header of a proxy by hand only makes a cookie of its own that it never sends.
    """
    is_secure = "https" in (request.url.scheme, request.headers.get("x-forwarded-proto"))
    answer.set_cookie(name, value, max_age=seconds, httponly=True, samesite="strict", secure=is_secure)
