"""Reads a log back: states at any moment, as anyone was told them. No web, no queue."""
