"""Pages with a main text: an article among the usual furniture."""

from sightline.page import Page
from sightline.testing import Element, element, page_of

PARAGRAPHS = (
    "The observatory stands on a hill above the bay, and on clear nights the lamps of the boats are below it.",
    "It was built in nineteen hundred and four by a teacher of mathematics, who had sold two fields for the lens.",
    "For thirty years he wrote down the brightness of the same eighty stars, and posted the lists to a society.",
    "His daughter went on with the lists after his death, although nobody had asked her to, and she never signed them.",
    "When the society opened its archive last spring, two students found that the handwriting changes in the middle.",
    "The stars have been observed again since then, and for six of them her figures are the better ones by a long way.",
)
MENU = ("Home", "News", "Sport", "Weather", "Travel", "Shop", "Contact", "Log in")
RELATED = ("Ten walks along the bay", "The best lenses of the year", "Where to see the comet", "A night with owls")
FOOTER = ("Imprint", "Privacy", "Terms of use", "Jobs", "Advertise")
HEADING = "The daughter who counted stars"
BLOCK = {
    "display": "block",
    "visibility": "visible",
    "position": "static",
    "font-size": "16px",
    "color": "rgb(0, 0, 0)",
}
LINE = {**BLOCK, "display": "inline"}


def article(
    paragraphs: tuple[str, ...] = PARAGRAPHS, *, hidden: tuple[str, ...] = (), head: tuple[Element, ...] = ()
) -> Page:
    """A rendered article with a menu above, a column beside it and links below; some paragraphs of it are not shown."""
    text = [
        element("p", own, box=(300, 200 + 60 * row, 900, 250 + 60 * row), style=BLOCK)
        for row, own in enumerate(paragraphs)
    ]
    folded = [element("p", own, style={**BLOCK, "display": "none"}) for own in hidden]
    heading = element("h1", HEADING, box=(300, 120, 900, 160), style={**BLOCK, "font-size": "32px"})
    byline = element("div", "By Maud Enger, 5 May 2021", box=(300, 165, 900, 185), style=BLOCK, class_="byline")
    body = element(
        "body",
        element("nav", _links(MENU, 20, 10), box=(0, 0, 1280, 60), style=BLOCK, class_="menu"),
        element(
            "article",
            heading,
            byline,
            *text,
            *folded,
            box=(300, 100, 900, 1200),
            style=BLOCK,
            class_="post",
        ),
        element("aside", _links(RELATED, 1000, 200), box=(1000, 190, 1240, 600), style=BLOCK, class_="sidebar"),
        element("footer", _links(FOOTER, 20, 1300), box=(0, 1290, 1280, 1400), style=BLOCK),
        box=(0, 0, 1280, 1400),
        style=BLOCK,
    )
    return page_of(
        element("html", element("head", *head), body, box=(0, 0, 1280, 1400), style=BLOCK),
        title=f"{HEADING} | The Bay Gazette",
    )


def _links(names: tuple[str, ...], x: float, y: float) -> Element:
    """A list of links, one below the other."""
    boxes = [(x, y + 20 * row, x + 200, y + 20 * row + 18) for row in range(len(names))]
    items = [
        element("li", element("a", name, box=box, style=LINE, href="/x"), box=box, style=BLOCK)
        for name, box in zip(names, boxes, strict=True)
    ]
    return element("ul", *items, box=(x, y, x + 200, y + 20 * len(names)), style=BLOCK)
