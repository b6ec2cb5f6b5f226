"""The rules of the house and of its games: pure functions over immutable values, no clock, no randomness, no IO."""
