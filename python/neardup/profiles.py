"""The profiles, under their public name."""

from neardup.schemes.profiles import *  # noqa: F403
