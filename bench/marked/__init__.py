"""The set of marked pages: packages, and bodies and skins of our own pages."""
