"""IP addresses of hosts, from a table that the caller supplies; they show which hosts share a machine."""

import csv
import re
from collections.abc import Iterable, Iterator
from io import StringIO
from ipaddress import ip_address
from os import PathLike
from typing import NamedTuple

from neardup import _core
from neardup.allowed import show
from neardup.errors import DataError, EnvironmentFault, UsageError
from neardup.inputs.sources import file_name, refuse_special
from neardup.urls.urls import DEFAULT_RULES, UrlRules, canonical_url, split_url

AddressTable = str | PathLike[str] | Iterable[tuple[str, str]]
"""A CSV or TSV file with the columns host and address, or (host, address) pairs. A host may occur in several rows."""

_PORT = re.compile(r":\d+$")


class AddressGroup(NamedTuple):
    """An address and the hosts that have it. They are only candidates, because one machine may serve many sites."""

    address: str
    hosts: list[str]


class Addresses:
    """IP addresses by host."""

    def __init__(self, table: AddressTable, *, rules: UrlRules = DEFAULT_RULES, encoding: str | None = None) -> None:
        """Read a table. Raises `DataError`, which names the line, for an invalid host or IP address.

        A byte order mark of a file decides before `encoding`, which may be `detect`; by default it is UTF-8.
        """
        self._addresses: dict[str, set[str]] = {}
        rows = _read_file(table, encoding) if isinstance(table, str | PathLike) else _read_pairs(table)
        for place, host, address in rows:
            try:
                name, path = split_url(canonical_url(f"http://{host}", rules=rules))
                if path != "/":
                    raise UsageError(f"{host!r} is no host")
                self._addresses.setdefault(_PORT.sub("", name), set()).add(str(ip_address(address)))
            except (UsageError, ValueError) as error:
                raise DataError(f"{place}: {error}") from error

    def of(self, host: str) -> set[str]:
        """Return the addresses of `host`, whatever its port; an empty set if they are not known."""
        return self._addresses.get(_PORT.sub("", host), set())

    def shared(self, left: str, right: str) -> bool | None:
        """Return whether two hosts have an address in common; None if the addresses of either are not known."""
        one, other = self.of(left), self.of(right)
        return bool(one & other) if one and other else None

    def group(self, hosts: Iterable[str]) -> list[AddressGroup]:
        """List the addresses that two or more of `hosts` share: those of most hosts first, then by address."""
        groups: dict[str, list[str]] = {}
        for host in hosts:
            for address in self.of(host):
                groups.setdefault(address, []).append(host)
        found = [AddressGroup(address, sorted(names)) for address, names in groups.items() if len(names) > 1]
        return sorted(found, key=lambda group: (-len(group.hosts), group.address))


def _read_pairs(table: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str, str]]:
    for number, row in enumerate(table, 1):
        if not isinstance(row, tuple | list) or [type(one) for one in row] != [str, str]:
            raise UsageError(f"address {number} is {show(row)}; it is a host and its address, both of them text")
        yield f"address {number}", row[0], row[1]


def _read_file(table: str | PathLike[str], encoding: str | None) -> Iterator[tuple[str, str, str]]:
    name = file_name(table)
    file = StringIO(_read_text(name, encoding), newline="")
    head = file.readline()
    file.seek(0)
    rows = csv.reader(file, delimiter="\t" if "\t" in head else ",", strict=True)
    try:
        for row in rows:
            place = f"{name}, line {rows.line_num}"
            cells = [cell.strip() for cell in row]
            if rows.line_num == 1 and [cell.lower() for cell in cells] == ["host", "address"]:
                continue
            if len(cells) == 2:
                yield place, cells[0], cells[1]
            elif any(cells):
                raise DataError(f"{place}: {len(cells)} columns; there are two, host and address")
    except csv.Error as error:
        raise DataError(f"{name}, line {rows.line_num}: {error}") from error


def _read_text(name: str, encoding: str | None) -> str:
    refuse_special(name)
    try:
        with open(name, "rb") as file:
            content = file.read()
    except OSError as error:
        raise EnvironmentFault(f"{name} cannot be read: {error.strerror}") from error
    # messages begin with this name
    return _core.decode_text(content, name if encoding else f"{name} is not UTF-8", encoding)
