"""The clusters of the texts that sweeps name."""

from neardup.sweeps.sightings import Sightings
from neardup.sweeps.texts import Texts


class Clusters:
    """Clusters as they stand in one state of the database.

    The index may be ahead of it: a sweep that is being added, or whose adding was cut off, has put texts there that no
    sweep names yet. They connect nothing.
    """

    def __init__(self, sightings: Sightings, texts: Texts) -> None:
        self._sightings = sightings
        self._texts = texts
        self._is_ahead = len(texts) > sightings.count("text")
        self._found: dict[str, list[str]] = {}

    def of(self, name: str) -> list[str]:
        """Return the ids of all texts in the cluster of a text, ascending; the first names the cluster."""
        if name not in self._found:
            cluster = self._texts.cluster(name)
            if self._is_ahead and len(named := self._sightings.named(cluster)) < len(cluster):
                cluster = self._texts.cluster_among(named, name)
            self._found.update(dict.fromkeys(cluster, cluster))
        return self._found[name]
