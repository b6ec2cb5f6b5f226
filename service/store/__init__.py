"""The service's own tables beside the log: their schema, and the only place with their SQL."""
