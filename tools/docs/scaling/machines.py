"""A run on machines that nobody has measured: time of every phase, what bounds it, and money."""

from dataclasses import dataclass

from scaling import chance, memory
from scaling.rates import UNITS
from scaling.shuffle import KEY_BITS
from scaling.workload import Workload

SHUFFLED = {"arrange": ("digests", "keys"), "lead": ("pairs", "signatures", "texts"), "write": ("verdicts",)}
"""The phase that waits for each step of the shuffle."""


@dataclass(frozen=True)
class Machine:
    """One of several machines that are all alike."""

    threads: int = 16
    disk: float = 1e9
    """Bytes a second, read or written."""
    network: float = 1.25e9
    """Bytes a second, each way."""
    price: float = 0.80
    """Of an hour, in any money."""


@dataclass(frozen=True)
class Step:
    """A phase, and what it waits for."""

    seconds: float
    bound: str
    """processors, disk or network."""


@dataclass(frozen=True)
class Fleet:
    """This many machines, each with as many of the documents."""

    machine: Machine
    machines: int

    def steps(self, documents: float, workload: Workload) -> dict[str, Step]:
        """Estimate every phase of a run over `documents`.

        Processors, disk and network work side by side, and the slowest of them decides. Phases run on all threads, and
        take as much less time as there are more of these than were measured; what lies between them runs on one.
        """
        own = documents / self.machines
        bits = chance.RUN_BITS if self.machines == 1 else KEY_BITS
        rates, corpus = workload.rates, workload.rates.corpus
        units = corpus.units(documents, bits)
        disk = workload.traffic.phases(corpus.candidates(documents, bits) / documents)
        away = (self.machines - 1) / self.machines
        sent = workload.shuffle.steps()
        found = {}
        for phase, unit in UNITS.items():
            threads = 1 if phase == "rest" else self.machine.threads / rates.threads
            network = own * away * sum(sent[step] for step in SHUFFLED.get(phase, ()))
            waits = {
                "processors": units[unit] / self.machines * rates.lines[phase].seconds(own) / threads,
                # What is sent is written down on one side and read on the other.
                "disk": (own * disk.get(phase, 0.0) + 2 * network) / self.machine.disk,
                "network": network / self.machine.network,
            }
            bound = max(waits, key=lambda wait: waits[wait])
            found[phase] = Step(waits[bound], bound)
        return found

    def memory(self, documents: float, workload: Workload) -> float:
        """Return the bytes of memory that a machine needs at least."""
        return memory.needed(documents / self.machines, workload.id_bytes, self.machine.threads)

    def disk(self, documents: float, workload: Workload) -> float:
        """Return the bytes of disk that a machine needs beside the input: of what is shuffled, the largest step."""
        away = (self.machines - 1) / self.machines
        return documents / self.machines * (workload.traffic.taken + away * max(workload.shuffle.steps().values()))

    def cost(self, seconds: float) -> float:
        """Return what all machines cost for so long."""
        return seconds / 3600 * self.machines * self.machine.price
