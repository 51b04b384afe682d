"""What runs cost as their documents grow: measured, estimated where nobody has measured, and laid out on a page."""
