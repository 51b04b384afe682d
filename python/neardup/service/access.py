"""Access: the person of a request, found by a bearer token or by the cookie of a browser that sent one."""

from time import time
from typing import Annotated

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from neardup.service.answers import Refusal
from neardup.service.state.state import serving
from neardup.service.state.tokens import Person as Person

COOKIE = "neardup"
ANYBODY = Person("", writes=True)
"""The person if there are no tokens, and only this machine is served."""
_CHALLENGE = {"WWW-Authenticate": "Bearer"}
_bearer = HTTPBearer(auto_error=False, description="A token of the file that the service was started with.")


# these wait for nothing: they are coroutines so that the framework does not run them in threads
async def find_person(
    request: Request, given: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]
) -> Person:
    """Return the person of a request; 401 if it is not known."""
    tokens = serving(request).tokens
    if tokens is None:
        return ANYBODY
    person = tokens.find(given.credentials) if given else tokens.recall(request.cookies.get(COOKIE, ""), int(time()))
    if person is None:
        raise Refusal(401, "a token is needed, and this is none" if given else "a token is needed", _CHALLENGE)
    return person


async def find_writer(person: Annotated[Person, Depends(find_person)]) -> Person:
    """Return the person of a request that changes something; 403 if the person may only read."""
    if not person.writes:
        raise Refusal(403, f"{person.name} may read, and not write")
    return person


Reader = Annotated[Person, Depends(find_person)]
Writer = Annotated[Person, Depends(find_writer)]
