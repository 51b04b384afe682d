"""Parts of a cluster, when links of it are cut."""

from collections.abc import Collection

from neardup.survey.found_cluster import FoundCluster, Member


def cut_cluster(cluster: FoundCluster, cut: Collection[tuple[str, str]]) -> list[list[Member]]:
    """Return the parts into which a cluster falls without some of its links: the largest first, then the earliest.

    Its links are a tree, so each that is cut makes one part more.
    """
    parts = {member.id: {member.id} for member in cluster.members}
    for link in cluster.links:
        if link.key in cut:
            continue
        large, small = sorted((parts[link.left], parts[link.right]), key=len, reverse=True)
        large |= small
        for name in small:
            parts[name] = large
    if not cluster.links:
        return [cluster.members]
    found: dict[int, list[Member]] = {}
    for member in cluster.members:
        found.setdefault(id(parts[member.id]), []).append(member)
    return sorted(found.values(), key=len, reverse=True)
