"""What an operator starts: everything at once, the embedded Redis, the demo, new keys, the document."""
