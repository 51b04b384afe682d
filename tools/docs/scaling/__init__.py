"""What runs cost as their documents grow: measured, reckoned where nobody has measured, and laid out on a page."""
