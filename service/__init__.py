"""Everything impure: HTTP, the queue, the clock, accounts. What the domain decides, this stores and shows."""
