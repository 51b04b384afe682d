"""What people look at: one file for each kind of page, with a template each."""
