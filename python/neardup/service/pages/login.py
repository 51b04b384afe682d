"""Logging in: a token, once, for a cookie."""

from time import time
from typing import Annotated
from urllib.parse import quote, urlsplit

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from neardup.service.access import ANYBODY, COOKIE
from neardup.service.pages.render import render
from neardup.service.state import serving

router = APIRouter(include_in_schema=False)
SECONDS = 30 * 24 * 3600
"""How long a browser is known."""


@router.get("/login")
async def ask(request: Request, to: str = "/") -> Response:
    """Ask for a token."""
    return render("login.html", request, ANYBODY, to=to, problem="")


@router.post("/login")
async def login(request: Request, token: Annotated[str, Form()], to: Annotated[str, Form()] = "/") -> Response:
    """Know the browser from now on, and go where it wanted to."""
    tokens = serving(request).tokens
    going = RedirectResponse(_own(to), 303)
    if tokens is None:
        return going
    person = tokens.find(token.strip())
    if person is None:
        return render("login.html", request, ANYBODY, 401, to=to, problem="This is no token of this service.")
    kept = tokens.remember(person, int(time()) + SECONDS)
    is_secure = request.url.scheme == "https"
    going.set_cookie(COOKIE, kept, max_age=SECONDS, httponly=True, samesite="strict", secure=is_secure)
    return going


@router.post("/logout")
async def logout() -> Response:
    """Know the browser no more."""
    going = RedirectResponse("/login", 303)
    going.delete_cookie(COOKIE)
    return going


def login_first(request: Request) -> Response:
    """Send a browser to log in, and back to what it wanted to see."""
    wanted = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    return RedirectResponse("/login?to=" + quote(wanted if request.method == "GET" else "/"), 303)


def _own(to: str) -> str:
    """Give a path of this service, whatever was sent."""
    parts = urlsplit(to)
    is_own = not parts.scheme and not parts.netloc and to.startswith("/") and "\\" not in to
    return to if is_own and to.isprintable() else "/"
