"""A workload: documents of one kind, with the mean costs of a document."""

from dataclasses import dataclass, replace

from scaling.rates import Rates
from scaling.runs import Measured
from scaling.shuffle import Shuffle
from scaling.traffic import Traffic

WORD = 6
"""Bytes of a word and the gap after it: each word adds a shingle."""
LEAST_BITMAP, MOST_BITMAP = 64, 4096


@dataclass(frozen=True)
class Workload:
    """Documents of one kind."""

    rates: Rates
    traffic: Traffic
    shuffle: Shuffle
    id_bytes: float

    @classmethod
    def of(cls, measured: Measured) -> "Workload":
        """Return the measured workload; rates are fitted to the smallest and the largest run of `growth`."""
        small, *_, large = measured.growth.runs
        rates = Rates.of(small, large, measured.growth.threads)
        return cls(rates, Traffic.of(measured, large), Shuffle.of(large), measured.id_bytes)

    def of_bytes(self, document_bytes: float) -> "Workload":
        """Return the workload with documents of another length; costs by the byte and bitmaps grow with it."""
        corpus = replace(self.rates.corpus, document_bytes=document_bytes)
        times = document_bytes / self.traffic.input
        longer = bitmap(document_bytes) - bitmap(self.traffic.input)
        traffic = replace(
            self.traffic,
            input=document_bytes,
            signed=self.traffic.signed + longer,
            work=self.traffic.work + longer,
            sketches=self.traffic.sketches + longer,
            output=self.traffic.output * times,
        )
        shuffle = replace(self.shuffle, corpus=corpus, signature=self.shuffle.signature + longer)
        return replace(self, rates=replace(self.rates, corpus=corpus), traffic=traffic, shuffle=shuffle)

    def of_candidates(self, share: float) -> "Workload":
        """Return the workload with another share of documents that share a key with one that they resemble."""
        corpus = replace(self.rates.corpus, alike=share, different=max(share, self.rates.corpus.different))
        times = share / self.rates.corpus.alike
        shuffle = replace(
            self.shuffle, corpus=corpus, pairs=self.shuffle.pairs * times, verified=self.shuffle.verified * times
        )
        return replace(self, rates=replace(self.rates, corpus=corpus), shuffle=shuffle)


def bitmap(document_bytes: float) -> int:
    """Return the bytes of the bitmap of a document: two bits for each shingle, rounded up to a power of two."""
    wanted = document_bytes / WORD / 4
    size = LEAST_BITMAP
    while size < min(wanted, MOST_BITMAP):
        size *= 2
    return size
