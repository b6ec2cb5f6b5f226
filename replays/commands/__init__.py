"""The commands of `python -m replays`, and their options."""
