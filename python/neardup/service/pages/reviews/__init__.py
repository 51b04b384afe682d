"""The pages of reviews: people label pairs, and see the estimates."""
