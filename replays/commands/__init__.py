"""What each command of `python -m replays` does, and its options."""
