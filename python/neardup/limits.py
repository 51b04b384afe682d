"""What the command line and the library allow at most."""

MOST_THREADS = 1024
"""Worker threads: to start more takes longer than most runs, and each has memory of its own."""
