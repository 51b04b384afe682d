"""Labels: what people say of pairs, and how far they agree."""
