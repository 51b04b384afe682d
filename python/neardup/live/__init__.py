"""What lives on: documents that come one after another, and pages over time."""
