"""The classics of the literature, under their public name."""

from neardup.schemes.classics import *  # noqa: F403
