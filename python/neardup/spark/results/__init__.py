"""Results of a run: tables, summary, files."""
