"""Where a page of a list leads: the next page, all pages, and how they are reached."""

from sightline.navigate.paging._clues import Candidate, candidates_of
from sightline.navigate.paging._find import Paging, PagingWay, find_paging
from sightline.navigate.paging._steps import counts_something_else, split_address

__all__ = ["Candidate", "Paging", "PagingWay", "candidates_of", "counts_something_else", "find_paging", "split_address"]
