"""The hours and the cost of a run on many machines, from what a document costs and from simulated keys."""

import math
from dataclasses import dataclass

from planning.costs import STARS, Costs
from planning.keys import Keys
from scaling.machines import Machine, Step

READS = ("sign", "fetch", "write")
"""Stages that read all documents from their files."""
USED = 0.6
"""Share of the time in which a core of a busy stage works; otherwise it waits for tasks, a disk or the network."""
PART = 131_000
"""Keys that a task of `link` sorts, as measured: those of 32 MB of input."""


@dataclass(frozen=True)
class Peer:
    """A run of another program, as published."""

    documents: float = 2.53e9
    machines: int = 63
    cores: int = 32
    hours: float = 4.5
    cost: float = 620.0

    @property
    def each(self) -> float:
        """Documents a second for each core."""
        return self.documents / (self.machines * self.cores * self.hours * 3600)

    @property
    def price(self) -> float:
        """Price of one machine for an hour."""
        return self.cost / (self.machines * self.hours)


PEER = Peer()
MACHINE = Machine(threads=PEER.cores, price=PEER.price)
"""The machine of the plan: as many cores as those of the peer, at their price."""


@dataclass(frozen=True)
class Plan:
    """One run on equal machines."""

    costs: Costs
    keys: Keys
    document_bytes: float
    machines: int
    machine: Machine = MACHINE

    def steps(self) -> dict[str, Step]:
        """Return the time of every stage: processors, disk and network work at once, and the slowest decides."""
        own = self.keys.documents / self.machines
        away = (self.machines - 1) / self.machines
        found = {}
        for name, of in self.costs.stages.items():
            times = self._times(name)
            texts = self.document_bytes / self.costs.document_bytes if name in (*READS, "compare") else 1.0
            files = self.document_bytes * ((name in READS) + (name == "write") * self.costs.kept)
            waits = {
                "processors": own * times * texts * (of["java"] + of["workers"]) / (self.machine.threads * USED),
                # What is sent is written by the sender and read by the receiver.
                "disk": own * (times * texts * (2 * of["sent"] + of["read"] + of["kept"]) + files) / self.machine.disk,
                "network": own * times * texts * of["sent"] * away / self.machine.network,
            }
            bound = max(waits, key=lambda wait: waits[wait])
            found[name] = Step(waits[bound], bound)
        return found

    def _times(self, name: str) -> float:
        """Return how many times as much a stage has to do for a document as in the measured run."""
        if name in STARS:
            return self.keys.rounds / self.costs.rounds
        if name == "link":
            return max(1.0, math.log2(self.keys.rows / self.keys.parts) / math.log2(PART))
        return 1.0

    @property
    def hours(self) -> float:
        """Hours of the whole run."""
        return sum(step.seconds for step in self.steps().values()) / 3600

    @property
    def cost(self) -> float:
        """Price of the run."""
        return self.hours * self.machines * self.machine.price

    @property
    def each(self) -> float:
        """Documents a second for each core."""
        return self.keys.documents / (self.hours * 3600 * self.machines * self.machine.threads)

    @property
    def disk(self) -> float:
        """Bytes of disk of a machine: the largest shuffle, what steps keep, and the kept documents."""
        sent = max(of["sent"] for of in self.costs.stages.values())
        written = self.costs.total("kept") + self.document_bytes * self.costs.kept
        return self.keys.documents / self.machines * (sent + written)
