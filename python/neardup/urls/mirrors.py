"""Mirrors: host names that serve the same site."""

from collections.abc import Sequence
from contextlib import nullcontext
from os import PathLike
from pathlib import Path
from typing import Any, Literal, NamedTuple

from neardup._core import Scheme
from neardup.allowed import allow
from neardup.errors import UsageError
from neardup.evaluation.counts import connect
from neardup.jobs.pairs import find_pairs
from neardup.options.values import ProgressCallback, given
from neardup.output.folders import REJECTS, RUN, output_folder, refuse_inputs, write_rows, write_summary
from neardup.results.outcomes import PairList
from neardup.schemes.number import Number, write_number
from neardup.urls.addresses import Addresses, AddressGroup, AddressTable
from neardup.urls.hosts import (
    MISSING,
    CommonPath,
    FirstPages,
    Host,
    Verdict,
    compare_first_pages,
    find_common_paths,
    gather_hosts,
)
from neardup.urls.pages import PageInputs, PageReject, Pages
from neardup.urls.urls import DEFAULT_RULES, UrlRules

PAIRS, GROUPS, ADDRESSES, TOO_SMALL = "mirrors.jsonl", "groups.jsonl", "addresses.jsonl", "too_small.jsonl"
FILES = (PAIRS, GROUPS, ADDRESSES, TOO_SMALL, REJECTS, RUN)


class MirrorPair(NamedTuple):
    """Two hosts, `left` < `right`, whose paths resemble each other, with the evidence."""

    left: str
    right: str
    mirror: bool
    """Whether they count as mirrors: their first pages are alike, or at least one of them is missing."""
    shared: int
    """Number of paths that both hosts have."""
    left_paths: int
    right_paths: int
    resemblance: float
    """shared / (left_paths + right_paths - shared)"""
    first_pages: Verdict
    page_resemblance: float | None
    """Resemblance of the first pages, by word 5-shingles; None below the threshold, or if one of them is missing."""
    same_address: bool | None
    """Whether they have an address in common; None unless the table contains both."""


class SmallHost(NamedTuple):
    """A host with too few paths to be compared."""

    host: str
    paths: int


class Mirrors(NamedTuple):
    """Result of `find_mirrors`."""

    pairs: list[MirrorPair]
    """Pairs of hosts whose paths resemble each other, by left, then right."""
    groups: list[list[str]]
    """Hosts connected by mirror pairs, the largest group first."""
    addresses: list[AddressGroup]
    """Hosts that share an address; they are only candidates."""
    too_small: list[SmallHost]
    common: list[CommonPath]
    """Paths of more than `cap` hosts, which propose no pair by themselves."""
    summary: dict[str, Any]
    """Counts and schemes, the content of run.json."""
    rejects: list[PageReject]


def write_mirrors(found: Mirrors, folder: Path) -> None:
    """Write the result as JSON lines, and run.json."""
    write_rows(folder / PAIRS, (pair._asdict() for pair in found.pairs))
    write_rows(folder / GROUPS, ({"size": len(group), "hosts": group} for group in found.groups))
    write_rows(folder / ADDRESSES, (group._asdict() for group in found.addresses))
    write_rows(folder / TOO_SMALL, (host._asdict() for host in found.too_small))
    if found.rejects:
        write_rows(folder / REJECTS, (reject._asdict() for reject in found.rejects))
    write_summary(folder, found.summary)


THRESHOLD = "0.5"
"""Two crawls that each saw a random share p = 2/3 of one site have p / (2 - p) = 0.5 of their paths in common."""
LEAST_PATHS = 5
CAP = 1000
"""Broder's bound of 1997: what more than 1,000 documents share is machine-made, and proposes no pair."""


@allow
def find_mirrors(
    inputs: PageInputs,
    *,
    output: str | PathLike[str] | None = None,
    rules: UrlRules | None = None,
    threshold: Number = "0.5",
    first_pages: Number | None = "0.5",
    least_paths: int = 5,
    cap: int = 1000,
    addresses: AddressTable | None = None,
    text_field: str | None = None,
    html_field: str | None = None,
    main_content: bool = False,
    extractor: Literal["auto", "resiliparse", "trafilatura"] | None = None,
    quoted_tsv: bool = False,
    csv: str | None = None,
    encoding: str | None = None,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    id_field: str | None = None,
    url_field: str | None = None,
    on_error: Literal["stop", "skip"] = "stop",
    threads: int | None = None,
    memory: int | str | None = None,
    overwrite: bool = False,
    progress: ProgressCallback | None = None,
) -> Mirrors:
    """Find hosts that mirror each other, by the paths they serve and by their first pages.

    Each host is one document whose features are its canonical paths. Two hosts are a pair if the resemblance of their
    path sets is at least `threshold`. They are mirrors unless both have a page with a text at `/` and the resemblance
    of these texts is below `first_pages` (None: texts are not compared). Hosts with fewer than `least_paths` paths are
    listed and not compared. A path of more than `cap` hosts proposes no pair, and neither does a text shingle of more
    than `cap` first pages; a pair is missed only if it shares nothing else. `addresses` says which hosts are on one
    machine, as evidence.

    With `output`, the folder receives mirrors.jsonl, groups.jsonl, addresses.jsonl, too_small.jsonl and run.json.
    Bharat and Broder 1999, "Mirror, mirror on the Web"; Bharat, Broder, Dean, Henzinger 2000.

    Args:
        inputs: Lists of URLs, other paths with documents, or `Document`s.
        output: Folder for the results; it appears when all of them are complete. By default none; what was found is
            printed or returned.
        rules: The rules of canonical URLs. By default the default rules; of a sweep none, and URLs stay as written.
        threshold: Resemblance of the paths of two hosts from which they are a pair: above 0, up to 1.
        first_pages: Resemblance from which first pages make a pair of hosts mirrors, where both are known.
        least_paths: Paths that a host must have to be compared; others are listed as too small.
        cap: A path of more hosts than this proposes no pair.
        addresses: Table of hosts and their IP addresses: CSV or TSV with the columns host, address.
        text_field: Field with the text. By default text.
        html_field: Field with HTML, from which the text is taken instead.
        main_content: Take the main content of HTML only, without navigation and the like.
        extractor: What takes the main content: auto, by the structure of the page; resiliparse; or trafilatura. By
            default auto; in an index or a store the one that it was made with.
        quoted_tsv: Fields of TSV may be in double quotes, as those of CSV.
        csv: How CSV and TSV are written: delimiter=CHARACTER (or tab), quotes=yes|no, or both with a space between. By
            default found out: , ; tab or |.
        encoding: Encoding of text files without a byte order mark, such as windows-1251 or shift_jis; detect guesses
            it. By default utf-8.
        include: Read only files that match a pattern, by name or by path below the folder: '*.jsonl', 'a/**'.
        exclude: Do not read files that match a pattern, by name or by path below the folder.
        id_field: Field with the id. By default none; an id is source and row.
        url_field: Field with the URL. By default url.
        on_error: At a page that cannot be used: stop, or skip it and list it in rejects.jsonl.
        threads: Worker threads; results do not depend on them. By default the cores there are.
        memory: Memory of a run, in bytes or as 512M or 4G; results do not depend on it. By default half of what there
            is.
        overwrite: Replace a result that is already in the output folder.
        progress: A function, called every 10,000 pages as `progress('read', pages, 0, pages)`.

    Returns:
        The pairs of hosts with the evidence, and their groups.

    Raises:
        UsageError: An option or its value is not allowed.
        DataError: A page cannot be used.
        EnvironmentFault: A file cannot be read or written.

    Example:
        >>> paths = [f"/{name}" for name in ("red", "green", "blue", "black", "white")]
        >>> pages = [neardup.Document("", url=f"http://{host}.example{path}") for host in ("a", "b") for path in paths]
        >>> neardup.urls.find_mirrors(pages).groups
        [['a.example', 'b.example']]
    """
    options = given("mirrors", locals())
    if first_pages is None and (idle := next(filter(options.get, ("text_field", "html_field", "main_content")), None)):
        raise UsageError(f"{idle}: texts are not read where first pages are not compared; leave {idle} out")
    scheme = _scheme("lines | shingles:1", threshold, "threshold", cap)
    page_scheme = None if first_pages is None else _scheme("words | shingles:5", first_pages, "first_pages", cap)
    table = Addresses(addresses or (), rules=rules or DEFAULT_RULES, encoding=encoding)
    run: dict[str, Any] = {"threads": threads, "memory": memory, "progress": progress, "max_family": cap}
    refuse_inputs(output, inputs)
    with nullcontext() if output is None else output_folder(output, FILES, overwrite=overwrite) as folder:
        pages = Pages(inputs, options, with_text=page_scheme is not None)
        hosts = gather_hosts(pages)
        large = [host for host in hosts if len(host.paths) >= least_paths]
        listed = find_pairs([host.document() for host in large], scheme=scheme, **run)
        likeness = _compare_first_pages(large, listed, page_scheme, run)
        pairs = _weigh(listed, likeness, table)
        found = Mirrors(
            pairs,
            connect((pair.left, pair.right) for pair in pairs if pair.mirror),
            table.group(host.name for host in hosts),
            [SmallHost(host.name, len(host.paths)) for host in hosts if len(host.paths) < least_paths],
            find_common_paths(large, cap),
            {},
            pages.rejects,
        )
        found.summary.update(_summarise(found, len(hosts), listed, page_scheme, least_paths))
        found.summary.update(pages.account._asdict())
        if folder is not None:
            write_mirrors(found, folder)
    return found


def _scheme(features: str, threshold: Number, name: str, cap: int) -> str:
    """Write the scheme of a comparison: every feature is a key, unless more than `cap` documents have it."""
    line = f"{features} | whole | each cap={cap} over=drop | resemblance>={write_number(threshold, name)}"
    return str(Scheme(line))


def _compare_first_pages(
    hosts: list[Host], listed: PairList, scheme: str | None, run: dict[str, Any]
) -> FirstPages | None:
    """Compare the first pages of hosts that are in a pair; those of other hosts are not needed."""
    if scheme is None:
        return None
    wanted = {*listed.pairs.column("left"), *listed.pairs.column("right")}
    texts = {host.name: host.first_page for host in hosts if host.first_page is not None and host.name in wanted}
    return compare_first_pages(texts, scheme, **run)


def _weigh(listed: PairList, likeness: FirstPages | None, addresses: Addresses) -> list[MirrorPair]:
    """Combine the evidence for every pair."""
    columns = ("left", "right", "shared", "left_size", "right_size", "resemblance")
    pairs = []
    for left, right, *sizes, resemblance in zip(*map(listed.pairs.column, columns), strict=True):
        verdict, score = likeness.compare(left, right) if likeness else MISSING
        one_address = addresses.shared(left, right)
        pairs.append(
            MirrorPair._make((left, right, verdict != "different", *sizes, resemblance, verdict, score, one_address))
        )
    return pairs


def _summarise(
    found: Mirrors, hosts: int, listed: PairList, page_scheme: str | None, least_paths: int
) -> dict[str, Any]:
    return {
        "verb": "mirrors",
        "scheme": listed.scheme,
        "page_scheme": page_scheme,
        "least_paths": least_paths,
        "hosts": hosts,
        "too_small": len(found.too_small),
        "pairs": len(found.pairs),
        "mirrors": sum(pair.mirror for pair in found.pairs),
        "groups": len(found.groups),
        "grouped": sum(map(len, found.groups)),
        "addresses": len(found.addresses),
        "rejected": len(found.rejects),
        "stars": listed.summary["stars"],
        "common": [path._asdict() for path in found.common],
        "digest": listed.digest,
    }
