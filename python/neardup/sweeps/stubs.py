"""Stubs: texts that a site serves instead of a page that left its address."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from fractions import Fraction
from itertools import pairwise

from neardup.sweeps.evidence import Overlap
from neardup.sweeps.kinds import Pages, TextEvidence
from neardup.sweeps.moves import name_page

LITTLE = Fraction(15, 100)
"""Texts with a resemblance below this have little in common: a page that changes so much at its URL has either been
rewritten, or left it."""
SHORT = 100
"""Largest number of features of a short text. Notices that a page moved, is missing or needs a password have fewer,
even with a menu beside them."""
MANY = 3
"""Least number of addresses of a server with one text that makes it a stub: two pages that become equal are a merge."""
_FRAME = Fraction(1, 2)
"""Least share of the pairs of words of a short text that occur in `MANY` of them. The rest is what the site prints into
each: an address, a title."""


def find_repeated(
    old: Pages,
    new: Pages,
    different: Collection[str],
    overlaps: Mapping[str, Overlap | None],
    stubs: Set[str],
    evidence: TextEvidence,
) -> set[str]:
    """Return the URLs with a text that their server repeats at `MANY` addresses, which had different texts before.

    `different` are the URLs whose old and new texts are not near. Their texts are the same, or short and the same
    except for a few words. The front page of a server is no stub, though others may show it. `stubs` are the URLs that
    had stubs before, which count as different texts.
    """
    servers: dict[str, dict[str, str]] = defaultdict(dict)
    for url in sorted(different):
        text, page = new[url], name_page(url)
        if text is not None and (page.path.strip("/") or not page.server):
            servers[page.server][url] = text
    repeated: set[str] = set()
    for texts in servers.values():
        origins = {url: url if url in stubs else old[url] for url in texts}
        if len(set(origins.values())) >= MANY:
            repeated.update(_find_equal(old, origins, texts))
            short = {url: text for url, text in texts.items() if is_short(overlaps[url]) and is_little(overlaps[url])}
            repeated.update(_find_alike(old, stubs, short, evidence))
    return repeated


def is_little(overlap: Overlap | None) -> bool:
    """Return whether two texts have little in common; a blank text has nothing in common with another."""
    return overlap is None or overlap.exact < LITTLE


def is_short(overlap: Overlap | None) -> bool:
    """Return whether the later one of two texts is short."""
    return overlap is None or overlap.right_size <= SHORT


def _find_equal(old: Pages, origins: Mapping[str, str | None], texts: Mapping[str, str]) -> Iterator[str]:
    """Yield the URLs whose text is at `MANY` more URLs than before, which had different texts."""
    before: dict[str, set[str | None]] = defaultdict(set)
    for url, text in texts.items():
        before[text].add(origins[url])
    # pages with one text that moved together were as many before
    known = Counter(text for text in old.values() if text in before)
    yield from (url for url, text in texts.items() if len(before[text]) >= MANY + known[text])


def _find_alike(old: Pages, stubs: Set[str], texts: Mapping[str, str], evidence: TextEvidence) -> set[str]:
    """Return the URLs of texts that consist for the most part of pairs of words that `MANY` of the texts have.

    Only texts count whose URLs had no such texts before: sister pages that are rewritten together stay alike. A text of
    the old sweep came from another page, and is no stub. What the old texts have in common is the frame of the site.
    """
    known = set(old.values())
    after = {url: _pair_words(text, evidence) for url, text in texts.items() if text not in known}
    before = {url: _pair_words(text, evidence) for url in after.keys() - stubs if (text := old[url]) is not None}
    frame = _find_common(before, before)
    alike = _consist_of_common(before, before)
    return _consist_of_common({url: own - frame for url, own in after.items()}, after.keys() - alike)


def _pair_words(text: str, evidence: TextEvidence) -> set[tuple[str, str]]:
    """Return the pairs of adjacent words at both ends of a text, which are the whole of a short one."""
    words = evidence.tokens(text)
    return {*pairwise(words[: 2 * SHORT]), *pairwise(words[-2 * SHORT :])}


def _find_common(pairs: Mapping[str, set[tuple[str, str]]], counted: Iterable[str]) -> set[tuple[str, str]]:
    """Return the pairs of words that `MANY` of the counted URLs have."""
    count = Counter(pair for url in counted for pair in pairs[url])
    return {pair for pair, number in count.items() if number >= MANY}


def _consist_of_common(pairs: Mapping[str, set[tuple[str, str]]], counted: Iterable[str]) -> set[str]:
    """Return the URLs with at least a share `_FRAME` of pairs that `MANY` of the counted URLs have."""
    common = _find_common(pairs, counted)
    return {url for url, own in pairs.items() if own and len(own & common) >= _FRAME * len(own)}
