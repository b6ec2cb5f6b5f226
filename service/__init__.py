"""Everything impure: HTTP, the queue, the clock, accounts. The domain decides; the service stores and shows it."""
