"""What a token of a repeated passage can be, and what is cut whole."""

UNITS = ("words", "eojeol", "segmented", "chars", "jamo", "bytes")
CUTS = ("sentences", "lines", "tokens")
