"""The rules of matches and games: pure functions over immutable values, without clock, randomness and IO."""
