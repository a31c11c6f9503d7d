"""Shards with real rows, for the tests of what a batch writes."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from sightline.extract.wrappers import Wrapper, induce
from sightline.jobs import wrapper_extractor
from sightline.scale import BatchSpec
from sightline.scale.output import DocumentOutcome, PartFacts, RowMaker, publish_parts, write_parts
from sightline.testing import list_page, shop_pages

PAGE = list_page(["one"])


@cache
def shop_wrapper() -> Wrapper:
    """A wrapper with the fields title, Price and Weight."""
    return induce(shop_pages(4))


def shop_maker(*, origins: bool = True) -> RowMaker:
    """What makes its rows."""
    wrapper = shop_wrapper()
    return RowMaker(BatchSpec(extractor="wrapper", wrapper=wrapper.dumps(), origins=origins), wrapper)


def shop_outcomes(maker: RowMaker, first: int, count: int) -> list[DocumentOutcome]:
    """What a wrapper reads of some pages of the shop."""
    wrapper = shop_wrapper()
    read = wrapper_extractor(wrapper)
    made = []
    for number, page in list(enumerate(shop_pages(first + count)))[first:]:
        rows, rows_made = maker.rows(f"shop#{number}", page, read(page))
        made.append(DocumentOutcome(f"shop#{number}", f"page {number}", rows=rows, row_count=rows_made, page=page.id))
    return made


def written(
    folder: Path, shard: str, outcomes: Iterable[DocumentOutcome], maker: RowMaker, fence: int = 1
) -> PartFacts:
    """A shard whose files are in their place."""
    facts = write_parts(folder, shard, fence, outcomes, maker)
    publish_parts(folder, facts, shard, fence)
    return facts


def text_maker() -> RowMaker:
    """What makes rows of main texts."""
    return RowMaker(BatchSpec(extractor="content"), None)
