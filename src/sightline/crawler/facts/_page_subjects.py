"""What a page and its tables of keys and values are about: the one thing of a page, or its heading, or captions."""

from collections import Counter
from collections.abc import Sequence

from sightline.crawler.facts._compare import attribute_key, name_key, page_subject, text_key
from sightline.data import Table
from sightline.extract.about import find_about
from sightline.page import Page

# Kinds of pages that are about something else than what their heading says: a review of a camera is no camera.
TELLING_OF_OTHERS = frozenset(("article", "thread"))


def thing_named(page: Page) -> str:
    """The name of the one thing that a page is about; nothing for articles, lists and other pages.

    Its heading or title may say more than the name: where it is sold, or what the buttons beside it do.
    """
    thing = find_about(page)
    name = thing["name"] if thing.kind is not None and thing.kind not in TELLING_OF_OTHERS else None
    return " ".join(name.split()) if isinstance(name, str) and page_subject(name) else ""


def heading_of(page: Page) -> str:
    """What a page is about in its own words: its only main heading, or else its title."""
    headings = [page.text_of(int(node)) for node in page.with_tag("h1") if page.visible[int(node)]]
    told = [" ".join(heading.split()) for heading in headings]
    single = [heading for heading in dict.fromkeys(told) if heading]
    return single[0] if len(single) == 1 and page_subject(single[0]) else page.title


def subjects_of_pairs(tables: Sequence[Table], title: str, *, is_thing: bool = False) -> dict[int, str]:
    """The captions of tables of keys and values, where these are about several things, and not about the page.

    They are if two of them have the same attributes; a model number in a caption says so, too. On the page of one thing
    only a model number does, if it is not in the name of the thing: other captions are sections, such as “Display”.
    """
    several = len(tables) > 1 and bool(repeated_keys(tables)) and not is_thing
    captions = {id(table): page_subject(table.caption or "") for table in tables}
    return {
        table: caption
        for table, caption in captions.items()
        if caption
        and text_key(caption) != text_key(page_subject(title))
        and (several or name_key(caption).numbers)
        and not (is_thing and _begins_with(caption, title))
    }


def repeated_keys(tables: Sequence[Table]) -> frozenset[str]:
    """The attributes that several of the tables have."""
    keys = Counter(key for table in tables for key in {attribute_key(name).letters for name in table.names})
    return frozenset(key for key, count in keys.items() if count > 1)


def _begins_with(caption: str, title: str) -> bool:
    """Whether a caption begins with the name of the thing: “Arden R-50 at a glance” is about the Arden R-50."""
    return text_key(caption).startswith(text_key(page_subject(title)))
