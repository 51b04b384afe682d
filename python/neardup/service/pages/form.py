"""Forms that people send: read after the person is known, and checked against a model."""

from typing import TypeVar
from urllib.parse import parse_qsl

from fastapi import Request
from pydantic import BaseModel, ValidationError

from neardup.corpus.charset import split_type
from neardup.service.answers import Refusal, name_faults
from neardup.service.state.state import work

KIND = "application/x-www-form-urlencoded"
MOST = 32
"""Largest number of fields of a form."""
F = TypeVar("F", bound=BaseModel)


async def read_form(request: Request, model: type[F]) -> F:
    """Read a form, always as UTF-8. Raises `Refusal` if it is no form, or does not fit `model`.

    The framework would read it before the person is known, also larger ones than the service allows, and by any codec.
    """
    if split_type(request.headers.get("content-type", KIND))[0] != KIND:
        raise Refusal(415, f"the content type is not {KIND}")
    body = await request.body()
    try:
        return model.model_validate(await work(request, lambda: _parse(body)))
    except ValidationError as error:
        raise Refusal(422, name_faults(error.errors(include_url=False, include_input=False))) from None


def _parse(body: bytes) -> dict[str, str]:
    try:
        fields = parse_qsl(body.decode(errors="replace"), keep_blank_values=True, max_num_fields=MOST)
    except ValueError:
        raise Refusal(422, f"body: a form has at most {MOST} fields") from None
    # browsers send a line end as two characters, which the person did not write
    return {name: value.replace("\r\n", "\n") for name, value in fields}
