"""Canonical URLs: one form for all URLs that lead to the same page."""

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from neardup.allowed import show
from neardup.errors import EnvironmentFault, UsageError

if TYPE_CHECKING:
    from yarl import URL

# parameters of servers and shop systems, which add them to links if a browser accepts no cookie
_SESSION = """aspsessionid bv_engineid bv_sessionid cfid cftoken ci_session jsessionid mscssid oscsid phpsessid
    s_sessionid sess_id session_id sessionid sessid sesid sid wosid xtcsid zenid"""
# parameters of analytics, advertisers and mailings, which add them to the links to a page
_TRACKING = """_ga _gac _gl _hsenc _hsmi _ke _kx _openstat cjevent dclid dm_i ef_id epik fbclid gbraid gclid gclsrc
    igsh igshid irclickid li_fat_id mc_cid mc_eid mkt_tok msclkid n_ad n_ad_group n_campaign_type n_keyword
    n_keyword_id n_media n_query n_rank napm oly_anon_id oly_enc_id pk_campaign pk_cid pk_content pk_keyword pk_kwd
    pk_medium pk_source qclid rb_clickid s_kwcid sccid spm srsltid trk_contact trk_msg trk_sid ttclid twclid
    vero_conv vero_id wbraid wickedid yclid ysclid"""
# pages that servers return for a folder
_INDEX = """default.asp default.aspx default.htm default.html home.htm home.html iisstart.htm index.asp index.aspx
    index.cfm index.cgi index.htm index.html index.jsp index.php index.php3 index.php4 index.php5 index.phtml index.pl
    index.shtml index.xhtml welcome.htm welcome.html"""


class UrlRules(NamedTuple):
    """Rules of canonical URLs: what is left out, and which variants are merged.

    Names are in lower case, and match in any case. `rules._replace(...)` returns changed rules.
    """

    session_parameters: frozenset[str] = frozenset(_SESSION.split())
    """Parameters that identify a visit: in the query, and in the path as in `/page;jsessionid=1`."""
    session_prefixes: tuple[str, ...] = ("aspsessionid", "phpsessid")
    """Prefixes of further parameters that identify a visit."""
    session_segments: bool = True
    """Leave out the id of a visit that ASP.NET writes as a folder: `/(S(lit3py55t21z5v55))/page.aspx`."""
    tracking_parameters: frozenset[str] = frozenset(_TRACKING.split())
    """Parameters of the query that say where a visitor came from."""
    tracking_prefixes: tuple[str, ...] = ("hsa_", "mtm_", "utm_")
    """Prefixes of further parameters that say where a visitor came from."""
    kept_parameters: frozenset[str] = frozenset()
    """Parameters that are never left out, whatever the sets and prefixes above contain."""
    index_pages: frozenset[str] = frozenset(_INDEX.split())
    """Names of pages that are left out, because the URL of their folder leads to the same page."""
    merge_scheme: bool = False
    """Merge http and https (to https)."""
    merge_www: bool = False
    """Merge a host with and without `www.` (to the one without)."""


DEFAULT_RULES = UrlRules()
"""The default rules of `canonical_url`."""

_PORTS = {"http": 80, "https": 443}
_HOST = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*")
_SESSION_SEGMENT = re.compile(r"\((?:[A-Za-z]\([A-Za-z0-9_-]+\))+\)")
_SHOWN = 200
"""Number of characters of a URL that a message shows."""


def canonical_url(url: str, *, rules: UrlRules = DEFAULT_RULES) -> str:
    """Return the canonical form of a URL: the same for all URLs that lead to the same page, as far as `rules` know.

    yarl applies RFC 3986, section 6.2, and WHATWG URL: scheme and host in lower case, international hosts in their
    ASCII form, no default port, no dot segments, percent-encoding only where it is needed. Our rules are: no fragment,
    no trailing dot of the host, no session and tracking parameters, the other parameters sorted by name (those of one
    name keep their order), no empty query, no index page. The canonical form of a canonical URL is itself.

    Raises `UsageError` unless `url` is an http or https URL with a host, `EnvironmentFault` without the `urls` extra.
    """
    if not isinstance(rules, UrlRules):
        raise UsageError(f"rules is {show(rules)}; allowed are UrlRules")
    parts = _parse(url)
    scheme, host, port = parts.scheme, (parts.raw_host or "").rstrip("."), parts.explicit_port
    if scheme not in _PORTS:
        raise _refuse(url, "its scheme is neither http nor https")
    if not _HOST.fullmatch(host) and ":" not in host:
        raise _refuse(url, "it has no host" if not host else f"its host is {host!r}")
    port = None if port == _PORTS[scheme] else port
    if rules.merge_scheme:
        scheme, port = "https", None if port == _PORTS["https"] else port
    while rules.merge_www and host.startswith("www.") and "." in host[4:]:
        host = host[4:]
    password = "" if parts.raw_password is None else f":{parts.raw_password}"
    user = f"{parts.raw_user or ''}{password}@".removeprefix("@")
    place = f"[{host}]" if ":" in host else host
    if port is not None:
        place += f":{port}"
    query = _canonical_query(parts.raw_query_string, rules)
    return f"{scheme}://{user}{place}{_canonical_path(parts.raw_path, rules)}" + (f"?{query}" if query else "")


def split_url(canonical: str) -> tuple[str, str]:
    """Split a canonical URL into the host, with its port if any, and the path with the query."""
    authority, _, path = canonical.partition("://")[2].partition("/")
    return authority.rpartition("@")[2], f"/{path}"


def _parse(url: str) -> "URL":
    if not isinstance(url, str):
        raise UsageError(f"a URL is a str, not {type(url).__name__}")
    try:
        # yarl would drop characters that are not Unicode; this refuses them
        url.encode()
        return _parser()(url.strip())
    except ValueError as error:
        raise _refuse(url, str(error)) from error


@cache
def _parser() -> "type[URL]":
    try:
        from yarl import URL
    except ImportError as error:
        raise EnvironmentFault("URLs need an extra library: pip install 'neardup[urls]'") from error
    return URL


def _refuse(url: str, reason: str) -> UsageError:
    shown = url if len(url) <= _SHOWN else f"{url[:_SHOWN]}..."
    return UsageError(f"{shown!r} is no URL of a page: {reason}; one begins with http://HOST or https://HOST")


def _canonical_path(path: str, rules: UrlRules) -> str:
    if ";" in path or "(" in path:
        *folders, page = (_leave_sessions(segment, rules) for segment in path.split("/"))
        if rules.session_segments:
            folders = [folder for folder in folders if not _SESSION_SEGMENT.fullmatch(folder)]
        path = "/".join([*folders, page])
    folder, slash, page = path.rpartition("/")
    return folder + slash if page.lower() in rules.index_pages else path


def _leave_sessions(segment: str, rules: UrlRules) -> str:
    name, *parameters = segment.split(";")
    # without its parameters this would be a dot segment, which leads elsewhere
    if name in (".", ".."):
        return segment
    return ";".join([name, *(one for one in parameters if not _is_session(_name(one).lower(), rules))])


def _canonical_query(query: str, rules: UrlRules) -> str:
    parameters = [one for one in query.split("&") if one and not _is_noise(_name(one).lower(), rules)]
    return "&".join(sorted(parameters, key=_name))


def _name(parameter: str) -> str:
    return parameter.partition("=")[0]


def _is_noise(name: str, rules: UrlRules) -> bool:
    tracking = name in rules.tracking_parameters or name.startswith(rules.tracking_prefixes)
    return (tracking and name not in rules.kept_parameters) or _is_session(name, rules)


def _is_session(name: str, rules: UrlRules) -> bool:
    session = name in rules.session_parameters or name.startswith(rules.session_prefixes)
    return session and name not in rules.kept_parameters
