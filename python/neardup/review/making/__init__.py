"""Making a review: its scheme, its run and its folder."""
