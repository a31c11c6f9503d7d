"""What `meta` and `link` elements say: Open Graph, descriptions, authors, and where else the page is found."""

from bisect import bisect_left
from collections.abc import Iterator

from sightline.page._columns import ABSENT
from sightline.page.own_data._documents import OwnDocument, OwnPath
from sightline.page.own_data._markup import MarkupReader

NAMED_BY = ("name", "property", "itemprop")
LINKS = frozenset(
    ("canonical", "alternate", "amphtml", "shortlink", "image_src", "author", "publisher", "license", "prev", "next")
)
LONGEST_NAME = 200  # characters


def read_meta(markup: MarkupReader) -> Iterator[OwnDocument]:
    """All `meta` elements by their names, and links under `link:` with their relation and language.

    >>> from sightline.testing import element, page_of
    >>> from sightline.page.own_data._limits import OwnBudget
    >>> german = element("link", rel="alternate", hreflang="de", href="https://bees.example/de")
    >>> page = page_of(element("head", element("meta", property="og:title", content="Bees"), german))
    >>> [document.data for document in read_meta(MarkupReader(page, OwnBudget()))]
    [{'og:title': ['Bees'], 'link:alternate:de': ['https://bees.example/de']}]
    """
    data: dict[str, list[str]] = {}
    nodes: dict[OwnPath, int] = {}
    first = ABSENT
    for node, names, said in (*_said(markup), *_links(markup)):
        if not markup.budget.takes_values(len(names), "A part of the meta elements"):
            break
        first = node if first == ABSENT else first
        for name in names:
            values = data.setdefault(name, [])
            nodes[name, len(values)] = node
            values.append(said)
    if data:
        yield OwnDocument("meta", first, data, nodes=nodes)


def _said(markup: MarkupReader) -> Iterator[tuple[int, list[str], str]]:
    page, strings = markup.page, markup.page.strings
    metas = page.with_tag("meta")
    contents = page.attribute("content")[metas].tolist()
    columns = [page.attribute(name)[metas].tolist() for name in NAMED_BY]
    items = _items(markup) if any(number != ABSENT for number in columns[-1]) else []
    for place, node in enumerate(metas.tolist()):
        if contents[place] == ABSENT:
            continue
        known = [strings[column[place]].strip() for column in columns[:-1] if column[place] != ABSENT]
        if columns[-1][place] != ABSENT and not _is_within(items, node):
            known += strings[columns[-1][place]].split()
        names = [name for name in dict.fromkeys(known) if name and len(name) <= LONGEST_NAME]
        if names:
            yield node, names, strings[contents[place]]


def _items(markup: MarkupReader) -> list[tuple[int, int]]:
    """The ranges of the outermost items of microdata, to which properties belong; whole pages apart."""
    ranges: list[tuple[int, int]] = []
    for node in markup.having("itemscope"):
        if markup.tag(node) != "html" and (not ranges or node >= ranges[-1][1]):
            ranges.append((node, markup.end(node)))
    return ranges


def _is_within(ranges: list[tuple[int, int]], node: int) -> bool:
    place = bisect_left(ranges, (node, node)) - 1
    return place >= 0 and node < ranges[place][1]


def _links(markup: MarkupReader) -> Iterator[tuple[int, list[str], str]]:
    page, strings = markup.page, markup.page.strings
    links = page.with_tag("link")
    relations, hrefs = (page.attribute(name)[links].tolist() for name in ("rel", "href"))
    for node, relation, href in zip(links.tolist(), relations, hrefs, strict=True):
        if ABSENT in (relation, href):
            continue
        language = (markup.value(node, "hreflang") or "").strip()
        kinds = [kind for kind in strings[relation].lower().split() if kind in LINKS]
        if kinds:
            yield node, [f"link:{kind}" + (f":{language}" if language else "") for kind in kinds], strings[href].strip()
