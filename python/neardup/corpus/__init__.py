"""Readers of markup and archives, on libraries that the `html` and `warc` extras bring."""
