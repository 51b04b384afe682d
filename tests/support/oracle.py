"""A slow and simple oracle for tokens, shingles, pairs, components and the leader rule.

Written from contract.md alone, with other libraries than the core: `regex` for properties, `unicodedata` for normal
forms.
"""

import unicodedata
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Literal, NamedTuple

import regex

Keep = Literal["earliest", "first", "latest", "longest", "shortest"]

WORD = regex.compile(r"[\p{Alphabetic}\p{Nd}_--\p{Mn}\p{Mc}][\p{Alphabetic}\p{Nd}\p{Mn}\p{Mc}_]*", regex.V1)
EDGE = r"[\p{White_Space}\p{Nd}]"
SIGN = regex.compile(
    rf"[:;=\-()]{{2,}}|[\p{{S}}\p{{No}}#%&*/@\\‰‱٪؉؊′]|(?:(?<={EDGE})|\A)\p{{Pd}}|\p{{Pd}}(?={EDGE}|\Z)|(?<=\p{{Nd}})[.,:٫٬](?=\p{{Nd}})"
)
WORD_OR_SIGN = regex.compile(rf"{WORD.pattern}|{SIGN.pattern}", regex.V1)
IGNORABLE = regex.compile(r"\p{Default_Ignorable_Code_Point}+")
SCRIPTS = "".join(
    rf"\p{{Script={name}}}" for name in ["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"]
)
RUN = regex.compile(rf"(?P<paired>[{SCRIPTS}\u30FC\uFF70]+)|[^{SCRIPTS}\u30FC\uFF70]+")
SPACE = regex.compile(r"\p{White_Space}")

RULES = ("identical", "lexical", "shingles", "near")


class Doc(NamedTuple):
    id: str
    text: str
    time: int | None = None
    rank: int = 0
    group: str | None = None


class Pair(NamedTuple):
    left: str
    right: str
    rule: str
    shared: int
    left_size: int
    right_size: int


def space(point: str, signs: bool) -> str:
    """Return what the first step of version 2 of the tokens makes of a character; with `signs`, numbers (No) stay."""
    decomposed = unicodedata.normalize("NFKD", point)
    if decomposed[0] == " " and ("\ufc5e" <= point <= "\ufc63" or "\ufe70" <= point <= "\ufe7e"):
        return decomposed[1:]
    if unicodedata.category(point) == "No":
        return point if signs else " "
    if point in "\u2122\u2120" or (decomposed[0] == " " and len(decomposed) > 1):
        return " "
    if point in "\u2116\u2121\u213b" or unicodedata.decomposition(point).startswith("<circle>"):
        return f" {point} "
    return point


@cache
def fold(point: str) -> str:
    """Return NFKC_Casefold of a character."""
    known = ""
    while known != point:
        known, point = point, IGNORABLE.sub("", unicodedata.normalize("NFKC", point.casefold()))
    return point


def normalise(text: str, of_words: bool = True, signs: bool = False) -> str:
    if of_words:
        text = "".join(space(point, signs) for point in text)
    points = unicodedata.normalize("NFD", text)
    keeps = signs or not of_words
    folded = "".join(p if keeps and unicodedata.category(p) == "No" else fold(p) for p in points)
    composed = unicodedata.normalize("NFC", folded).replace("\u0640", "")
    return composed.replace("\u0e4d\u0e32", "\u0e33").replace("\u0ecd\u0eb2", "\u0eb3")


def split_syllables(text: str) -> str:
    return "".join(unicodedata.normalize("NFD", point) if "가" <= point <= "힣" else point for point in text)


def is_blank(text: str) -> bool:
    return not SPACE.sub("", text)


def tokens(text: str, unit: str = "words", signs: bool = False) -> list[Hashable]:
    if unit == "bytes":
        return list(text.encode())
    text = normalise(text, unit not in ("chars", "jamo"), signs)
    if unit == "chars":
        return list(SPACE.sub("", text))
    if unit == "jamo":
        return list(split_syllables(SPACE.sub("", text)))
    words = (WORD_OR_SIGN if signs else WORD).findall(text)
    if unit == "eojeol":
        return list(words)
    found: list[Hashable] = []
    for word in words:
        for run in RUN.finditer(word):
            points = run.group()
            if run.group("paired") is None or len(points) == 1:
                found.append(points)
            else:
                found.extend(points[at : at + 2] for at in range(len(points) - 1))
    return found


def shingles(sequence: Sequence[Hashable], width: int) -> frozenset[tuple[Hashable, ...]]:
    if not sequence:
        return frozenset()
    if len(sequence) < width:
        return frozenset([tuple(sequence)])
    return frozenset(tuple(sequence[at : at + width]) for at in range(len(sequence) - width + 1))


def within(left: Doc, right: Doc) -> bool:
    """Whether a pair counts within groups."""
    return left.group is not None and left.group == right.group


def across(left: Doc, right: Doc) -> bool:
    """Whether a pair counts across groups."""
    return left.group is None or left.group != right.group


class Corpus:
    """Documents in input order with their features."""

    def __init__(
        self,
        docs: Sequence[Doc],
        width: int = 5,
        unit: str = "words",
        counts: Callable[[Doc, Doc], bool] | None = None,
        signs: bool = False,
    ) -> None:
        self.docs = list(docs)
        self.counts = counts
        self.tokens = {doc.id: tokens(doc.text, unit, signs) for doc in docs}
        self.sets = {doc.id: shingles(self.tokens[doc.id], width) for doc in docs}

    def compare(self, left: Doc, right: Doc, threshold: Fraction) -> Pair | None:
        if self.counts is not None and not self.counts(left, right):
            return None
        one, two = self.sets[left.id], self.sets[right.id]
        shared = len(one & two)
        union = len(one | two)
        if left.text == right.text and not is_blank(left.text):
            rule = "identical"
        elif self.tokens[left.id] and self.tokens[left.id] == self.tokens[right.id]:
            rule = "lexical"
        elif one and one == two:
            rule = "shingles"
        elif union and Fraction(shared, union) >= threshold:
            rule = "near"
        else:
            return None
        return Pair(left.id, right.id, rule, shared, len(one), len(two))

    def pairs(self, threshold: Fraction = Fraction(4, 5)) -> list[Pair]:
        ordered = sorted(self.docs, key=lambda doc: doc.id.encode())
        found = (self.compare(left, right, threshold) for left, right in combinations(ordered, 2))
        return sorted((pair for pair in found if pair), key=lambda pair: (pair.left.encode(), pair.right.encode()))

    def components(self, threshold: Fraction = Fraction(4, 5)) -> dict[str, str]:
        """Return the smallest id of the component of each id."""
        label = {doc.id: doc.id for doc in self.docs}
        changed = True
        pairs = self.pairs(threshold)
        while changed:
            changed = False
            for pair in pairs:
                low = min(label[pair.left], label[pair.right], key=str.encode)
                if label[pair.left] != low or label[pair.right] != low:
                    label[pair.left] = label[pair.right] = low
                    changed = True
        return label

    def order(self, keep: str) -> list[Doc]:
        at = {doc.id: number for number, doc in enumerate(self.docs)}
        last = 1 << 80

        def policy(doc: Doc) -> tuple[int, int, bytes | int]:
            size = len(self.tokens[doc.id])
            if keep == "first":
                return doc.rank, at[doc.id], b""
            key = {
                "earliest": last if doc.time is None else doc.time,
                "latest": last if doc.time is None else -doc.time,
                "longest": -size,
                "shortest": size,
            }[keep]
            return doc.rank, key, doc.id.encode()

        return sorted(self.docs, key=policy)

    def originals(self, keep: str, threshold: Fraction = Fraction(4, 5)) -> dict[str, tuple[str, str | None, int]]:
        """Apply the leader rule; return for each id its original, the rule and the number of shared shingles."""
        return self.decide(self.order(keep), threshold)

    def decide(self, order: Sequence[Doc], threshold: Fraction) -> dict[str, tuple[str, str | None, int]]:
        """Apply the leader rule to documents in policy order."""
        kept: list[Doc] = []
        decided: dict[str, tuple[str, str | None, int]] = {}
        for doc in order:
            for leader in kept:
                pair = self.compare(doc, leader, threshold)
                if pair is not None:
                    decided[doc.id] = (leader.id, pair.rule, pair.shared)
                    break
            else:
                kept.append(doc)
                decided[doc.id] = (doc.id, None, 0)
        return decided


class Chain:
    """Several passes, each over the documents that earlier passes keep; a pass is a unit, a width and a threshold."""

    def __init__(self, docs: Sequence[Doc], passes: Sequence[tuple[str, int, Fraction]], keep: str = "first") -> None:
        unit, width, _ = passes[0]
        order = Corpus(docs, width, unit).order(keep)
        self.ids = [doc.id for doc in docs]
        self.dropped: dict[str, tuple[str, str, int]] = {}
        self.pass_of: dict[str, int] = {}
        self.pairs: list[Pair] = []
        for number, (unit, width, threshold) in enumerate(passes):
            corpus = Corpus(order, width, unit)
            self.pairs += corpus.pairs(threshold)
            for key, (original, rule, shared) in corpus.decide(order, threshold).items():
                if rule is not None:
                    self.dropped[key] = original, rule, shared
                    self.pass_of[key] = number
            order = [doc for doc in order if doc.id not in self.dropped]
        self.pairs.sort(key=lambda pair: (pair.left.encode(), pair.right.encode()))

    def leader(self, key: str) -> str:
        """Return the id of the kept document to which `key` leads through all passes."""
        while key in self.dropped:
            key = self.dropped[key][0]
        return key

    def components(self) -> dict[str, str]:
        """Return the smallest id of the component of each id."""
        members = {key: {key} for key in self.ids}
        for pair in self.pairs:
            union = members[pair.left] | members[pair.right]
            members.update(dict.fromkeys(union, union))
        return {key: min(members[key], key=str.encode) for key in self.ids}


class Repeat(NamedTuple):
    """A repeated passage: a range of tokens of a document, and that of its original."""

    document: int
    start: int
    end: int
    original: int
    original_start: int
    original_end: int


def find_repeats(sequences: Sequence[Sequence[Hashable]], width: int) -> list[Repeat]:
    """Find every run of at least `width` tokens that occurs at an earlier place, with a map of all N-grams."""
    first: dict[tuple[Hashable, ...], tuple[int, int]] = {}
    repeats: list[Repeat] = []
    for document, sequence in enumerate(sequences):
        for start in range(len(sequence) - width + 1):
            original, at = first.setdefault(tuple(sequence[start : start + width]), (document, start))
            if (original, at) == (document, start):
                continue
            last = repeats[-1] if repeats else None
            found = Repeat(document, start, start + width, original, at, at + width)
            if last and last._replace(start=start, original_start=at) == found._replace(
                end=found.end - 1, original_end=found.original_end - 1
            ):
                repeats[-1] = last._replace(end=found.end, original_end=found.original_end)
            else:
                repeats.append(found)
    return repeats
