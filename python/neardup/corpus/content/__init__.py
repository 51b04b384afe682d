"""The main content of a page of HTML: the part that its neighbours on the same site do not share."""
