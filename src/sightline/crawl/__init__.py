"""Finding the pages: discovery by queries, focused crawling, and facts over many sites."""

__all__: list[str] = []
