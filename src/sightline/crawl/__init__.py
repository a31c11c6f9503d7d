"""Finding pages: discovery by queries, focused crawling, and the facts that many pages agree on."""

__all__: list[str] = []
