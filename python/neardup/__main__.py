"""`python -m neardup`."""

from neardup.cli import main

main()
