"""Models of requests, as the OpenAPI description shows them."""

import json
from collections import Counter
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, StringConstraints, model_validator


def refuse_repeats(body: str | bytes) -> None:
    """Raise `ValueError`, which names the key, for JSON with an object that contains a key twice."""
    json.loads(body, object_pairs_hook=_once)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        [(again, _)] = Counter(name for name, _ in pairs).most_common(1)
        raise ValueError(f"{again[:60]}: the key is given twice")
    return found


MANY = 10_000
"""Largest number of documents that one request may name."""
Text = Annotated[str | None, Field(description="A text as it is.")]
Time = Annotated[int | str | None, Field(description="Unix seconds, an RFC 3339 date-time or a date YYYY[-MM[-DD]].")]
# a bound on the digits: reading 1e999999999 exactly takes hours
Written = Annotated[str, StringConstraints(pattern=r"^[0-9]{1,20}([./][0-9]{1,20})?$")]
Threshold = Annotated[
    Written | FiniteFloat | None, Field(description="A number from 0 to 1, as 0.8, or exactly as 4/5.")
]


class Sent(BaseModel):
    """The base of all models of requests: other fields, and values of other types, are refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class SentDocument(Sent):
    """A document: its text, or a page of HTML of which the main text counts."""

    text: Text = None
    html: Annotated[str | None, Field(description="A page of which the main text counts.")] = None
    id: Annotated[str | None, Field(description="By default the number that the service gives it.")] = None
    url: Annotated[str | None, Field(description="A document of the same URL is replaced.")] = None
    time: Time = None

    @model_validator(mode="after")
    def _has_one_text(self) -> Self:
        if (self.text is None) == (self.html is None):
            raise ValueError("a document has a text or html, and not both")
        return self


class Named(Sent):
    """A text, or a document by its id or its URL."""

    text: Text = None
    id: Annotated[str | None, Field(description="Or the document of this id.")] = None
    url: Annotated[str | None, Field(description="Or that of this URL.")] = None

    @model_validator(mode="after")
    def _has_one_name(self) -> Self:
        if (self.text is not None) + (self.id is not None) + (self.url is not None) != 1:
            raise ValueError("give one of text, id, url")
        return self


class SentIds(Sent):
    """Documents by their ids."""

    ids: Annotated[list[str], Field(min_length=1, max_length=MANY)]


class SentQuery(Named):
    """A query: for what is like a text, or like a document that is named by its id or URL."""

    by: Annotated[
        Literal["resemblance", "containment", "contained-by"],
        Field(
            description="Alike as a whole; or the share of the text in the document, or of the document in the text."
        ),
    ] = "resemblance"
    threshold: Annotated[Threshold, Field(description="At least that of the scheme, which is the default.")] = None
    limit: Annotated[int, Field(ge=1, le=1000, description="Hits at most.")] = 10
    passages: Annotated[bool, Field(description="List where their texts are equal; of at most 100 hits.")] = False

    @model_validator(mode="after")
    def _has_few_passages(self) -> Self:
        if self.passages and self.limit > 100:
            raise ValueError("passages are listed of at most 100 hits: give a limit of 1 to 100")
        return self


class SentPair(Sent):
    """Two texts to compare."""

    left: Named
    right: Named
    scheme: Annotated[str | None, Field(description="A scheme line or a name; else that of the index.")] = None
    threshold: Annotated[Threshold, Field(description="Of a scheme that is named, or of the default one.")] = None
    measures: Annotated[
        list[str],
        Field(max_length=16, description="More that is measured: bag, cosine, distinct, euclidean, lcs, levenshtein."),
    ] = []


class SentResults(Sent):
    """A ranked list of results, the best first."""

    results: Annotated[list[SentDocument], Field(max_length=MANY)]
    scheme: Annotated[str | None, Field(description="A scheme line or a name.")] = None
    threshold: Annotated[
        Threshold, Field(description="The resemblance from which results are folded; by default 0.8.")
    ] = None


class SentContacts(Sent):
    """A text, or the last text of a URL, whose contacts are asked for."""

    text: Text = None
    url: Annotated[str | None, Field(description="Or the last text of this URL.")] = None
    threshold: Annotated[
        Written | FiniteFloat, Field(description="The least share of the text in a page, or of the page in the text.")
    ] = "0.5"

    @model_validator(mode="after")
    def _has_one_name(self) -> Self:
        if (self.text is None) == (self.url is None):
            raise ValueError("give one of text, url")
        return self
