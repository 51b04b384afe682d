"""The parameters of a URL: those that a route knows, each once."""

from fastapi import Request
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute

from neardup.service.answers.problem import Refusal

_SHOWN = 60
"""Code points of a name that are shown."""


def refuse_unknown(request: Request) -> None:
    """Refuse a parameter that the route does not know: it would do nothing; and one that is given twice."""
    route = request.scope.get("route")
    if not request.query_params or not isinstance(route, APIRoute):
        return
    more = (route.openapi_extra or {}).get("parameters", ())
    known = sorted(_names(route.dependant).union(one["name"] for one in more))
    if unknown := next((name for name in request.query_params if name not in known), None):
        allowed = f"allowed are {', '.join(known)}" if known else "there are none"
        raise Refusal(422, f"query: there is no parameter {unknown[:_SHOWN]!r}; {allowed}")
    refuse_repeated(request)


def refuse_repeated(request: Request) -> None:
    """Refuse a parameter that is given twice, of which one would be lost."""
    names = [name for name, _ in request.query_params.multi_items()]
    if again := next((name for name in names if names.count(name) > 1), None):
        raise Refusal(422, f"query: {again[:_SHOWN]} is given twice")


def _names(dependant: Dependant) -> set[str]:
    own = {field.alias for field in dependant.query_params}
    return own.union(*map(_names, dependant.dependencies))
