"""Reading all that a page says about itself, once."""

from itertools import chain

from sightline.page._page_columns import PageColumns
from sightline.page.own_data._documents import OwnDocument
from sightline.page.own_data._json_ld import read_json_ld
from sightline.page.own_data._limits import OwnBudget
from sightline.page.own_data._markup import MarkupReader
from sightline.page.own_data._meta import read_meta
from sightline.page.own_data._microdata import read_microdata
from sightline.page.own_data._microformats import read_microformats
from sightline.page.own_data._own_data import OwnData
from sightline.page.own_data._rdfa import read_rdfa
from sightline.page.own_data._states import read_states


def read_own_data(page: PageColumns) -> OwnData:
    """What a page says about itself, in every syntax.

    >>> from sightline.testing import element, page_of
    >>> page = page_of(element("meta", name="author", content="Ada"))
    >>> read_own_data(page).meta
    {'author': ('Ada',)}
    """
    described, budget = read_descriptions(page), OwnBudget()
    states = tuple(read_states(MarkupReader(page, budget)))
    return OwnData((*described.documents, *states), (*described.gaps, *budget.gaps))


def read_descriptions(page: PageColumns) -> OwnData:
    """The same without the state of programs: all that describes things in a known vocabulary, in half the time."""
    return page.cached(_descriptions)


def _descriptions(page: PageColumns) -> OwnData:
    budget = OwnBudget()
    markup = MarkupReader(page, budget)
    in_markup = chain(read_microdata(markup), read_rdfa(markup), read_microformats(markup), read_meta(markup))
    documents = (*published_json_ld(page).documents, *in_markup)
    return OwnData(documents, (*published_json_ld(page).gaps, *budget.gaps))


def published_json_ld(page: PageColumns) -> OwnData:
    """The JSON-LD of a page alone, which many ask for who need nothing else."""
    return page.cached(_json_ld)


def _json_ld(page: PageColumns) -> OwnData:
    budget = OwnBudget()
    documents: tuple[OwnDocument, ...] = tuple(read_json_ld(page, budget))
    return OwnData(documents, budget.gaps)
