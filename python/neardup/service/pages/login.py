"""The login: a token is sent once, and replaced by a cookie."""

from time import time
from urllib.parse import quote

from fastapi import APIRouter, Request
from pydantic import BaseModel
from starlette.responses import RedirectResponse, Response

from neardup.service.access import ANYBODY, COOKIE
from neardup.service.pages.form import read_form
from neardup.service.pages.render import render
from neardup.service.state.state import serving


def set_cookie(answer: Response, request: Request, name: str, value: str, seconds: int) -> None:
    """Set a cookie. It is for TLS only if the request came over TLS.

    A client that writes the header of a proxy by hand only gets a cookie that it never sends.
    """
    is_secure = "https" in (request.url.scheme, request.headers.get("x-forwarded-proto"))
    answer.set_cookie(name, value, max_age=seconds, httponly=True, samesite="strict", secure=is_secure)


router = APIRouter(include_in_schema=False)
SECONDS = 30 * 24 * 3600
"""Number of seconds that a login lasts."""


class SentToken(BaseModel):
    """A token, and the page that was wanted."""

    token: str
    to: str = "/"


@router.get("/login")
async def ask(request: Request, to: str = "/") -> Response:
    """Ask for a token."""
    return render("login.html", request, ANYBODY, to=to, problem="")


@router.post("/login")
async def login(request: Request) -> Response:
    """Log the browser in, and redirect it to the page that was wanted."""
    sent, tokens = await read_form(request, SentToken), serving(request).tokens
    redirect = RedirectResponse(_own(sent.to), 303)
    if tokens is None:
        return redirect
    person = tokens.find(sent.token.strip())
    if person is None:
        return render("login.html", request, ANYBODY, 401, to=sent.to, problem="This is no token of this service.")
    cookie = tokens.remember(person, int(time()) + SECONDS)
    set_cookie(redirect, request, COOKIE, cookie, SECONDS)
    return redirect


@router.post("/logout")
async def logout() -> Response:
    """Log the browser out."""
    redirect = RedirectResponse("/login", 303)
    redirect.delete_cookie(COOKIE)
    return redirect


def login_first(request: Request) -> Response:
    """Redirect a browser to the login, and from there back to the page that was wanted."""
    wanted = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    return RedirectResponse("/login?to=" + quote(wanted if request.method == "GET" else "/"), 303)


def _own(to: str) -> str:
    """Return `to` if it is a path of this service, otherwise /. Browsers take // for the beginning of a host."""
    is_own = to.startswith("/") and not to.startswith("//") and "\\" not in to
    return to if is_own and to.isprintable() else "/"
