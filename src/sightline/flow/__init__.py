"""From values to the warehouse: rows that are read, matched and delivered."""

__all__: list[str] = []
