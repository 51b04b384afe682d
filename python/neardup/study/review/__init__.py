"""Reviews: people label a sample of pairs, and precision and recall follow."""
