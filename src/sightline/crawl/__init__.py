"""Finding pages, and what many of them say together."""

__all__: list[str] = []
