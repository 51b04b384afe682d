"""The plan of a run on many machines, from measured costs and from simulated keys: docs/guides/cluster.md."""
