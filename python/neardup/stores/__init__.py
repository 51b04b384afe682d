"""Document stores, and search in them."""
