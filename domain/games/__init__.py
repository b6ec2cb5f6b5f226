"""The rooms: one folder a game. `domain.catalogue` finds them; nothing lists them."""
