"""Studies: measuring and looking at collections."""
