"""Names of hosts that a service may go by, and where it listens."""

from ipaddress import ip_address

from neardup.errors import UsageError

LOCAL = frozenset(("localhost", "127.0.0.1", "[::1]"))


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches what listens at a host."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def own_names(host: str, others: tuple[str, ...], *, has_tokens: bool) -> frozenset[str]:
    """Return the names that requests may ask for, those of this machine and `others`.

    `UsageError` for a host that others reach when nobody needs a token.
    """
    if not is_loopback(host) and not has_tokens:
        raise UsageError(f"host is {host}, which others reach: name a file of --tokens, or listen at 127.0.0.1")
    shown = f"[{host}]" if ":" in host else host
    return LOCAL | {shown.lower(), *(name.lower() for name in others)}
