"""Document stores: where all documents that came to the gate stand."""
