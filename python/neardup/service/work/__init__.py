"""Work beside the answering thread: in threads, in the background, in processes."""
