"""The pages of reviews: people judge pairs, and see what follows."""
