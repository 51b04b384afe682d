"""The search: documents by id, URL, text or words, folded by cluster, with snippets."""
