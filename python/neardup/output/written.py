"""Values as they are written and shown: shares, times, and texts without characters that control a terminal."""

from datetime import UTC, datetime, timedelta


def share(part: int, whole: int) -> float:
    """Return `part` / `whole`, rounded to six places; 1.0 if `whole` is 0, because two empty sets are equal."""
    return round(part / whole, 6) if whole else 1.0


def plural(count: int, noun: str) -> str:
    """Write a number with its noun, which takes an s in the plural: 1 page, 1,200 pages."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


_START = datetime(1970, 1, 1, tzinfo=UTC)


def write_time(time: int | str | None) -> str | None:
    """Write Unix seconds as an RFC 3339 date-time, or as they are if the year does not have four digits."""
    if not isinstance(time, int):
        return time
    try:
        return (_START + timedelta(seconds=time)).isoformat().replace("+00:00", "Z")
    except OverflowError:
        return str(time)


def write_now() -> str:
    """Write the present time in UTC as an RFC 3339 date-time, in seconds."""
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


HARMLESS = frozenset("\n\t\u00a0\u200c\u200d\u3000")
"""Code points that are plain text although Python does not call them printable."""
FOLDED = 400
"""Maximum code points of a stretch that are shown; a longer one is folded in the middle."""
MESSAGE = 2000
"""Maximum code points of an error that are shown."""


def show_plain(text: str) -> str:
    """Make control and direction characters visible."""
    return "".join(char if char.isprintable() or char in HARMLESS else f"<U+{ord(char):04X}>" for char in text)


def shorten(message: str) -> str:
    """Write a message without its middle if it is long: it may quote a value of any length."""
    return message if len(message) <= MESSAGE else f"{message[: MESSAGE // 2]} ... {message[-MESSAGE // 2 :]}"


def fold(text: str) -> str:
    """Show a stretch that is the same in two texts, without its middle if it is long."""
    if len(text) <= FOLDED:
        return show_plain(text)
    half = FOLDED // 2
    return f"{show_plain(text[:half])} [... {len(text) - 2 * half:,} equal characters ...] {show_plain(text[-half:])}"
