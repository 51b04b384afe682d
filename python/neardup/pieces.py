"""What a token of a repeated passage can be, and what is cut whole."""

UNITS = ("words", "eojeol", "segmented", "chars", "jamo", "bytes")
CUTS = ("sentences", "lines", "tokens")
MOST = 64
"""The most tokens in a row that can be asked for: a scheme names them as a shingle. A passage may be of any length."""
