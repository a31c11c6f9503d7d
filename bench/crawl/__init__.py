"""Finding pages, and what many of them say together."""
