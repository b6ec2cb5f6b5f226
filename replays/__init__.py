"""Reads logs back: the states of a match at any moment, as any viewer may see them. No web, no queue."""
