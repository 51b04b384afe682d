"""What lives on: an index of documents that come and go, pages over time, results as they are listed."""
