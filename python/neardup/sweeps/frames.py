"""Frames of sites in sweeps: the menus, headers and footers that say nothing about which page a text is."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from neardup._core import Scheme
from neardup.errors import EnvironmentFault, UsageError
from neardup.jobs.pairs import find_pairs
from neardup.sweeps.evidence import TextEvidence
from neardup.sweeps.moves import name_page

SHARE = "0.3"
"""A feature is frame if more than this share of the sampled texts of a server have it. Sections of a site have menus of
their own; pages that are alike by their content are fewer."""
FEWEST = 20
"""Least number of texts that have a feature of a frame: the rule of `frame=`."""
MOST = 256
"""Largest number of texts of a server that are sampled."""

BESIDE = 16
"""Number of differing pages of a server beside which more pages are looked for, and of pages beside each."""

_LEARNING = "minhash:1 | bands:1x1 cap=2 | resemblance>=1"
"""The other stages of the scheme that learns a frame; they compare as little as they can."""


def choose_beside(urls: Iterable[str]) -> list[str]:
    """Choose URLs of servers with too few pages to sample: those among `urls` beside which to look for more."""
    servers: dict[str, list[str]] = defaultdict(list)
    for url in sorted(set(urls)):
        servers[name_page(url).server].append(url)
    few = (found for found in servers.values() if len(found) < MOST)
    return [url for found in few for url in found[:: -(-len(found) // BESIDE)]]


@contextmanager
def without_frames(evidence: TextEvidence, pages: Iterable[tuple[str, str | None]]) -> Iterator[TextEvidence]:
    """Yield evidence without the features that are frame on a server, as its pages show, pairs of URL and text.

    It is `evidence` itself if no server has a frame, or if the features of its scheme cannot have one.
    """
    with TemporaryDirectory() as folder:
        frame = _learn(evidence, sorted(_sample(pages)), Path(folder))
        yield evidence if frame is None else evidence.by(f"{evidence.features} frame=file:{frame}")


def _sample(pages: Iterable[tuple[str, str | None]]) -> Iterator[tuple[str, str]]:
    """Yield servers and texts: those with the smallest ids, which are digests, of each server that has enough."""
    texts: dict[str, set[str]] = defaultdict(set)
    for url, text in pages:
        if text is not None:
            texts[name_page(url).server].add(text)
    for server, found in texts.items():
        if len(found) >= FEWEST:
            yield from ((server, text) for text in sorted(found)[:MOST])


def _learn(evidence: TextEvidence, sample: list[tuple[str, str]], folder: Path) -> Path | None:
    """Write the frame of every server into a folder, and return its file; None if there is none."""
    if not sample:
        return None
    if any(map(str.isspace, str(folder))):
        raise EnvironmentFault(
            f"{folder}: the name of the folder for temporary files has a space: set TMPDIR to another"
        )
    try:
        scheme = str(Scheme(f"{evidence.features} frame={SHARE} | {_LEARNING}"))
    except UsageError:
        return None
    documents, result = folder / "pages.jsonl", folder / "result"
    with documents.open("w", encoding="utf-8") as file:
        for server, text in sample:
            # pages without a server are those of one site
            record = {"url": f"http://{server or 'none'}/", "text": evidence.read(text)}
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
    found = find_pairs(documents, scheme=scheme, url_field="url", output=result)
    return result / "frame.parquet" if found.summary["passes"][0]["frame"] else None
