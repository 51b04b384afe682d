"""Models of answers, as the OpenAPI description shows them."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from neardup.schemes.rule import Rule
from neardup.service.search.search import Way
from neardup.sweeps.contacts import Holds
from neardup.sweeps.kinds import Kind
from neardup.sweeps.locate import Way as Locating

Share = Annotated[float, Field(ge=0, le=1)]


class ToldVerdict(BaseModel):
    """Whether a document is kept, and the evidence if it is not."""

    id: str
    verdict: Literal["keep", "drop"]
    original: str
    rule: Rule | None
    shared: int | None
    id_size: int | None
    original_size: int | None
    resemblance: Share | None
    in_original: Share | None
    of_original: Share | None
    verified: bool | None


class ToldCheck(ToldVerdict):
    """What the index would decide about a document."""

    kind: Literal["new", "duplicate", "update"]
    replaced: str | None
    unchanged: bool


class ToldAdmission(ToldCheck):
    """The verdict on a document that was admitted, and its effects on others."""

    expired: list[str]
    changed: list[ToldVerdict]


class ToldRemoval(BaseModel):
    """The effects of a removal."""

    removed: list[str]
    changed: list[ToldVerdict]


class ToldMember(BaseModel):
    """A document of a cluster, with the first words of its text and how it differs from that of its original."""

    id: str
    url: str | None
    time: str | None
    title: str
    original: str
    difference: str | None


class ToldDocument(ToldVerdict):
    """A document, with the documents of the same original and those of its cluster."""

    url: str | None
    time: str | None
    group: list[str]
    cluster: str
    documents: list[ToldMember]
    text: str | None = None


class ToldDuplicates(BaseModel):
    """An original, and its duplicates."""

    original: str
    duplicates: list[str]


class ToldCluster(BaseModel):
    """A cluster, named by the first of its documents."""

    cluster: str
    documents: list[str]


class ToldSpan(BaseModel):
    """A half-open range of a text, in bytes of UTF-8 and in code points."""

    bytes: tuple[int, int]
    chars: tuple[int, int]


class ToldPassage(BaseModel):
    """A passage that occurs in both texts."""

    tokens: int
    left: ToldSpan
    right: ToldSpan


class ToldHit(BaseModel):
    """A document that is like the text."""

    id: str
    url: str | None
    time: str | None
    shared: int
    size: int
    id_size: int
    rule: Rule | None
    duplicate_id: str
    group_size: int
    value: float | None
    passages: list[ToldPassage] | None
    resemblance: Share
    containment: Share
    contained_by: Share


class ToldHits(BaseModel):
    """Hits, the best first, and whether some may be missing."""

    hits: list[ToldHit]
    thin: bool
    cut: bool


class ToldChange(BaseModel):
    """A piece of the word by word difference."""

    kind: Literal["equal", "removed", "added"]
    text: str


class ToldCondition(BaseModel):
    """A condition of the scheme, and the value that the two texts have for it."""

    test: str
    value: float | None
    holds: bool


class ToldExplanation(BaseModel):
    """The evidence for a pair; counts are exact, shares are rounded."""

    scheme: str
    rule: Rule | None
    left_tokens: int
    right_tokens: int
    shared: int
    left_size: int
    right_size: int
    left_frame: int
    right_frame: int
    conditions: list[ToldCondition]
    resemblance: Share | None
    left_in_right: Share | None
    right_in_left: Share | None
    passages: list[ToldPassage]
    left_covered: int
    right_covered: int
    changes: list[ToldChange]
    changes_cut: bool
    measures: dict[str, float | None]


class ToldSnippet(BaseModel):
    """A stretch of a text, and the ranges of the words of the query in it, in code points."""

    text: str
    marks: list[tuple[int, int]]
    is_begun: bool
    is_cut: bool


class ToldResult(BaseModel):
    """The first document of a cluster that a search found, with the number of documents of the cluster."""

    id: str
    url: str | None
    time: str | None
    title: str
    snippet: ToldSnippet
    found: Way
    original: str
    difference: str | None
    cluster: str
    documents: int


class ToldSearch(BaseModel):
    """Results, the best first, whether more follow, and what was not searched."""

    results: list[ToldResult]
    more: bool
    notes: list[str]


class ToldFold(BaseModel):
    """A result that is shown, by its rank from 1, and the ranks of the results that are folded behind it."""

    rank: int
    id: str | None
    url: str | None
    others: list[int]


class ToldOverlap(BaseModel):
    """The numbers of features that two texts share, and of each text."""

    shared: int
    left_size: int
    right_size: int


class ToldLocation(BaseModel):
    """Where a page may be."""

    url: str
    date: str
    way: Locating
    overlap: ToldOverlap | None
    remark: str | None


class ToldVisit(BaseModel):
    """A page in one sweep."""

    date: str
    kind: Kind | None
    url: str
    overlap: ToldOverlap | None
    text: str | None
    remark: str | None


class ToldContact(BaseModel):
    """A URL that held a text, and the first and the last sweep with it."""

    url: str
    first: str
    last: str
    current: bool
    holds: Holds
    overlap: ToldOverlap
    text: str


class ToldContacts(BaseModel):
    """The pages that held a text, the newest first, and whether some may be missing."""

    found: list[ToldContact]
    incomplete: bool


class ToldStats(BaseModel):
    """How an index was made, the number of its documents and the bytes that they take."""

    scheme: str
    parts_scheme: str | None
    tokens_version: int
    unicode: str
    policy: str
    ttl_seconds: int | None
    most: int | None
    documents: int
    kept: int
    removed: int
    steps: int
    folders: int
    segments: int
    in_memory: int
    segment_error: str | None
    log_bytes: int
    segment_bytes: int
    text_bytes: int
    removed_text_bytes: int
    key_bytes: int
    part_key_bytes: int
    extractor: str | None = None


class ToldHealth(BaseModel):
    """The answer of a service that is up."""

    status: Literal["ok"]
