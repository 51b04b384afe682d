"""Readers of markup and archives, which use libraries of the `html` and `warc` extras."""
