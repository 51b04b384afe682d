"""What the options of the commands about URLs ask for."""

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from neardup.urls.urls import UrlRules

SKIPPED = 3


def choose_rules(
    merge_scheme: bool, merge_www: bool, drop_parameter: tuple[str, ...], keep_parameter: tuple[str, ...]
) -> "UrlRules":
    """Change the default rules as the options say."""
    from neardup.urls.urls import DEFAULT_RULES

    return DEFAULT_RULES._replace(
        merge_scheme=merge_scheme,
        merge_www=merge_www,
        tracking_parameters=DEFAULT_RULES.tracking_parameters | {name.lower() for name in drop_parameter},
        kept_parameters=frozenset(name.lower() for name in keep_parameter),
    )


def end_with(rejected: int) -> None:
    """End with code 3 when pages were skipped."""
    if rejected:
        sys.exit(SKIPPED)
