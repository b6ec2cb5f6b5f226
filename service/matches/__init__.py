"""What can be done with matches, and what is seen of them. All that is written goes through `change`."""
