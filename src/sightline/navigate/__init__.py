"""Getting to the data: where the pages of a list lead."""

from sightline.navigate.paging import Paging, PagingWay, find_paging

__all__ = ["Paging", "PagingWay", "find_paging"]
