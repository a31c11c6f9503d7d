"""For tests, ours and yours: hand-built pages, and the contract for every extractor."""

from sightline.testing._contract import check_extractor
from sightline.testing._pages import Element, element, grid_page, list_page, page_of, shifted, shop_pages

__all__ = ["Element", "check_extractor", "element", "grid_page", "list_page", "page_of", "shifted", "shop_pages"]
