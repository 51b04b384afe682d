"""Estimates for a run on other machines: the time of every phase, its bottleneck, and its price."""

from dataclasses import dataclass

from scaling import chance, memory
from scaling.rates import UNITS
from scaling.shuffle import KEY_BITS
from scaling.workload import Workload

SHUFFLED = {"arrange": ("digests", "keys"), "lead": ("pairs", "signatures", "texts"), "write": ("verdicts",)}
"""The phase that waits for each step of the shuffle."""


@dataclass(frozen=True)
class Machine:
    """One of several equal machines."""

    threads: int = 16
    disk: float = 1e9
    """Bytes a second, read or written."""
    network: float = 1.25e9
    """Bytes a second, each way."""
    price: float = 0.80
    """Price of an hour, in any currency."""


@dataclass(frozen=True)
class Step:
    """The time of a phase, and its bottleneck."""

    seconds: float
    bound: str
    """`processors`, `disk` or `network`."""


@dataclass(frozen=True)
class Fleet:
    """Equal machines that share the documents evenly."""

    machine: Machine
    machines: int

    def steps(self, documents: float, workload: Workload) -> dict[str, Step]:
        """Estimate every phase of a run over `documents`.

        Processors, disk and network work at the same time, and the slowest of them decides. Phases run on all threads:
        their time is scaled by the measured number of threads. The work between phases runs on one thread.
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
                # Shuffled bytes are written to disk by the sender and read by the receiver.
                "disk": (own * disk.get(phase, 0.0) + 2 * network) / self.machine.disk,
                "network": network / self.machine.network,
            }
            bound = max(waits, key=lambda wait: waits[wait])
            found[phase] = Step(waits[bound], bound)
        return found

    def memory(self, documents: float, workload: Workload) -> float:
        """Return the least bytes of memory of a machine."""
        return memory.needed(documents / self.machines, workload.id_bytes, self.machine.threads)

    def disk(self, documents: float, workload: Workload) -> float:
        """Return the bytes of disk of a machine besides its input; of the shuffle only the largest step counts."""
        away = (self.machines - 1) / self.machines
        return documents / self.machines * (workload.traffic.taken + away * max(workload.shuffle.steps().values()))

    def cost(self, seconds: float) -> float:
        """Return the price of all machines for `seconds`."""
        return seconds / 3600 * self.machines * self.machine.price
