"""The turns of bots: found by a sweep over open decisions, queued, and played by workers through the HTTP door."""
