"""Search indexes: where the documents that the gate keeps are found by their words."""
