"""The cost of runs of more and more documents: measurements, estimates beyond them, and their page."""
