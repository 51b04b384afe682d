"""The gate: duplicates stopped at the moment a document is stored."""
