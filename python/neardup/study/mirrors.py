"""Mirrors: host names that serve the same site."""

from contextlib import nullcontext
from os import PathLike
from typing import Any, Unpack

from neardup._core import Scheme
from neardup.allowed import allow, check_count, check_options
from neardup.outputs import output_folder, refuse_inputs
from neardup.pipeline import find_pairs
from neardup.results import PairList
from neardup.scheme import Number, write_number
from neardup.study.addresses import Addresses, AddressTable
from neardup.study.components import connect
from neardup.study.first_pages import MISSING, FirstPages, compare_first_pages
from neardup.study.hosts import Host, find_common_paths, gather_hosts
from neardup.study.mirror_results import FILES, MirrorPair, Mirrors, SmallHost, write_mirrors
from neardup.study.pages import PageInputs, Pages, TextOptions
from neardup.study.urls import DEFAULT_RULES

THRESHOLD = "0.5"
"""Two crawls that each saw a random two thirds of one site have p / (2 - p) = 0.5 of their paths in common."""
LEAST_PATHS = 5
CAP = 1000
"""Broder's bound of 1997: what more than 1,000 documents share is made by machines, and proposes nothing."""


@allow
def find_mirrors(
    inputs: PageInputs,
    *,
    threshold: Number = THRESHOLD,
    first_pages: Number | None = THRESHOLD,
    least_paths: int = LEAST_PATHS,
    cap: int = CAP,
    addresses: AddressTable | None = None,
    output: str | PathLike[str] | None = None,
    overwrite: bool = False,
    threads: int | None = None,
    memory: int | str | None = None,
    **options: Unpack[TextOptions],
) -> Mirrors:
    """Find hosts that mirror each other, by the paths they serve and by their first pages.

    A host is one document whose features are its canonical paths; hosts are a pair when the resemblance of their path
    sets reaches `threshold`, and mirrors when, where both have a page at `/`, the resemblance of its texts reaches
    `first_pages`, too (None: texts are not looked at). Hosts with fewer than `least_paths` paths are listed and not
    compared. A path of more than `cap` hosts proposes no pair, and a text shingle of more than `cap` first pages; a
    pair is missed only when it shares nothing else. `addresses` says which hosts stand on one machine, as evidence.

    `inputs` are lists of URLs, other paths with documents, or `Document`s; `options` are those of `PageOptions` and
    `TextOptions`. With `output`, a folder receives mirrors.jsonl, groups.jsonl, addresses.jsonl, too_small.jsonl
    and run.json. Raises `UsageError`, `DataError`, `EnvironmentFault`.

    Bharat and Broder 1999, "Mirror, mirror on the Web"; Bharat, Broder, Dean, Henzinger 2000.
    """
    check_count("least_paths", least_paths)
    check_count("cap", cap, 2)
    check_options(options, TextOptions)
    scheme = _scheme("lines | shingles:1", threshold, "threshold", cap)
    page_scheme = None if first_pages is None else _scheme("words | shingles:5", first_pages, "first_pages", cap)
    table = Addresses(addresses or (), rules=options.get("rules", DEFAULT_RULES))
    run: dict[str, Any] = {"threads": threads, "memory": memory, "progress": options.get("progress"), "max_family": cap}
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
    """Compare the first pages of hosts that are in a pair; others decide nothing."""
    if scheme is None:
        return None
    wanted = {*listed.pairs.column("left"), *listed.pairs.column("right")}
    texts = {host.name: host.first_page for host in hosts if host.first_page is not None and host.name in wanted}
    return compare_first_pages(texts, scheme, **run)


def _weigh(listed: PairList, likeness: FirstPages | None, addresses: Addresses) -> list[MirrorPair]:
    """Put the evidence for every pair together."""
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
