"""`python -m bench.lists.generated_topk`: promised lists on made-up pages, whose items are known.

Real pages show each way to write such a list once or twice. Here every way gets several pages: labels like "Best
overall" above, beside or in the names of products; names that are a link over a part of a longer heading; sections
before, between and behind the items that look like items; tables, definitions, captions and columns of items. There
are two draws, from other layouts, words and seeds. Rules may be made by looking at the first; the second is to measure.
"""

import argparse
import random
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.lists import topk
from bench.lists.items import Found
from bench.lists.topk import TopScore, TopTruth
from bench.pages import loaded
from sightline.extract.lists import find_top
from sightline.page import Page

__all__ = ["LAYOUTS", "GeneratedPage", "generated", "measured", "opened"]

A_LAYOUT = 5  # pages of each layout in a draw

MAKERS = (
    ("Osprey", "Kelty", "Deuter", "Gregory", "Mystery Ranch", "Fjord", "Lowe", "Granite Gear", "Exped", "Tatonka"),
    ("Fellow", "Bodum", "Espro", "Frieling", "Stanley", "Coffee Gator", "Mueller", "Yeti", "Le Creuset", "Planetary"),
)
MODELS = ("Atmos", "Clara", "Ranger", "P7", "Aurora 40", "Mark II", "Nova", "Summit 65", "Element", "Scout Pro")
THINGS = (
    (("Backpack", "Backpacks"), ("Tent", "Tents"), ("Headlamp", "Headlamps"), ("Stove", "Camping Stoves")),
    (("French Press", "French Presses"), ("Kettle", "Kettles"), ("Blender", "Blenders"), ("Toaster", "Toasters")),
)
AWARDS = (
    ("Best Overall", "Best Budget", "Best Splurge", "Runner-Up", "Best Value", "Editor's Choice", "Best for Beginners"),
    ("Our Top Pick", "Budget Pick", "Upgrade Pick", "Also Great", "Best for Travel", "Most Durable", "Staff Favorite"),
)
MORE_AWARDS = ("Best for Families", "Best Lightweight", "Best Design", "Best for Small Spaces", "Best High-End")
TEXT = (
    "it is well made and light but not cheap after a week of use we liked how the straps sit and how little it weighs "
    "on long days most testers came back to this one because nothing rattles leaks or slips and the warranty is long "
    "the lid closes with a click water stays hot for an hour and cleaning takes a minute or two under the tap"
)
WORDS = TEXT.split()
BEFORE = ("Why You Should Trust Us", "How We Tested", "What to Look For")
BEHIND = ("How We Tested", "The Competition", "What to Look For", "Care and Maintenance", "Our Expertise")
QUESTIONS = ("Are expensive models worth it?", "How long do they last?", "Which size should you get?")
SPECS = ("Weight", "Material", "Warranty")


@dataclass(frozen=True)
class GeneratedPage:
    """A made-up page: its layout, its HTML, and the names that each item goes by."""

    layout: str
    html: str
    title: str
    items: tuple[tuple[str, str], ...]


@dataclass
class Writer:
    """Draws what stands on a page."""

    random: random.Random
    draw: int

    def __post_init__(self) -> None:
        self.one, self.many = self.random.choice(THINGS[self.draw])
        self.k = self.random.randint(4, 11)
        pairs = [(maker, model) for maker in MAKERS[self.draw] for model in MODELS]
        self.names = [f"{maker} {model}" for maker, model in self.random.sample(pairs, self.k)]
        awards = [*AWARDS[self.draw], *MORE_AWARDS]
        self.awards = [f"{award} {self.one}" for award in awards] if self.random.random() < 0.4 else awards
        self.random.shuffle(self.awards)
        self.awards = [*self.awards, *(f"Best No. {number}" for number in range(20))][: self.k]

    def prose(self, least: int = 15, most: int = 60) -> str:
        """A paragraph's text."""
        words = self.random.choices(WORDS, k=self.random.randint(least, most))
        return " ".join(words).capitalize() + "."

    def paragraphs(self, least: int = 1, most: int = 3) -> str:
        return "".join(f"<p>{self.prose()}</p>" for _ in range(self.random.randint(least, most)))

    def image(self) -> str:
        return f'<img src="/i/{self.random.randint(1, 99999)}.jpg" width="300" height="200" alt="">'

    def price(self) -> str:
        return f"${self.random.randint(20, 400)}.{self.random.choice(('00', '95', '99'))}"

    def shop(self) -> str:
        where = self.random.choice(("Amazon", "REI", "the maker", "Target"))
        address = f"https://shop.example/{self.random.randint(1, 9999)}"
        return f'<p class="buy"><a href="{address}">{self.price()} at {where}</a></p>'

    def slug(self) -> str:
        return f"https://shop.example/p/{self.random.randint(1, 99999)}"

    def specs(self) -> str:
        return "<ul>" + "".join(f"<li>{name}: {self.prose(2, 4)}</li>" for name in SPECS) + "</ul>"

    def sections(self, titles: Sequence[str], tag: str = "h2", most: int = 3) -> str:
        """Sections that are no items."""
        some = self.random.sample(titles, self.random.randint(1, min(most, len(titles))))
        return "".join(f"<{tag}>{title}</{tag}>{self.paragraphs()}" for title in some)

    def questions(self, tag: str = "h2", inner: str = "h3") -> str:
        return f"<{tag}>FAQ</{tag}>" + "".join(
            f"<{inner}>{text}</{inner}>{self.paragraphs(1, 1)}" for text in QUESTIONS
        )

    def newsletter(self, tag: str = "h2") -> str:
        return (
            f'<div class="box"><{tag}>Get our best reviews by email</{tag}><p>One letter a week.</p>'
            "<form><input type=email><button>Sign up</button></form></div>"
        )

    def author(self, tag: str = "h2") -> str:
        return f'<div class="bio"><{tag}>About the author</{tag}><p>{self.prose()}</p></div>'

    def related(self, number: int, tag: str = "h3", name: str = "card") -> str:
        """Cards that lead to other articles."""
        cards = "".join(
            f'<div class="{name}">{self.image()}<{tag}><a href="/a/{place}">{self.prose(4, 8)[:-1]}</a></{tag}>'
            f"<p>{self.prose(8, 20)}</p></div>"
            for place in range(number)
        )
        return f'<section><h2>Read next</h2><div class="cards">{cards}</div></section>'


Written = tuple[str, list[tuple[str, str]]]
Layout = Callable[[Writer], Written]


def _plain(names: Iterable[str]) -> list[tuple[str, str]]:
    return [(name, name) for name in names]


# ---------------------------------------------------------------------- the first draw


def label_above_as_eyebrow(page: Writer) -> Written:
    items = "".join(
        f'<section class="pick"><p class="eyebrow">{award}</p><h2><a href="{page.slug()}">{name}</a></h2>'
        f"{page.image()}{page.paragraphs()}{page.shop()}</section>"
        for award, name in zip(page.awards, page.names, strict=True)
    )
    return page.sections(BEFORE) + items + page.sections(BEHIND) + page.questions(), _plain(page.names)


def label_as_heading_name_as_smaller_heading(page: Writer) -> Written:
    items = "".join(
        f"<h2>{award}</h2><h3>{name}</h3>{page.image()}{page.paragraphs()}{page.shop()}<h3>Key Specs</h3>{page.specs()}"
        for award, name in zip(page.awards, page.names, strict=True)
    )
    return page.sections(BEFORE) + items + page.sections(BEHIND) + page.questions(), _plain(page.names)


def label_as_heading_name_as_bold_link(page: Writer) -> Written:
    items = "".join(
        f'<h2>{award}</h2>{page.image()}<p><strong><a href="{page.slug()}">{name}</a></strong></p>'
        f"{page.paragraphs()}{page.shop()}"
        for award, name in zip(page.awards, page.names, strict=True)
    )
    return page.sections(BEFORE, most=2) + items + page.sections(BEHIND), _plain(page.names)


def label_in_the_heading(page: Writer) -> Written:
    mark = page.random.choice((": ", " – ", " | "))
    heads = [f"{award}{mark}{name}" for award, name in zip(page.awards, page.names, strict=True)]
    items = "".join(f"<h3>{head}</h3>{page.image()}{page.paragraphs()}{page.shop()}" for head in heads)
    body = page.sections(BEFORE) + f"<h2>Our picks</h2>{items}" + page.sections(BEHIND) + page.newsletter()
    return body, list(zip(page.names, heads, strict=True))


def badge_in_some_cards(page: Writer) -> Written:
    cards = "".join(
        f'<div class="product">{page.image()}'
        + (f'<span class="badge" style="display:block">{award}</span>' if page.random.random() < 0.6 else "")
        + f'<div class="name"><a href="{page.slug()}">{name}</a></div><div class="price">{page.price()}</div>'
        f"<p>{page.prose()}</p></div>"
        for award, name in zip(page.awards, page.names, strict=True)
    )
    return f'{page.paragraphs()}<div class="products">{cards}</div>' + page.related(3), _plain(page.names)


def number_link_and_tail(page: Writer) -> Written:
    tails = [page.prose(3, 6)[:-1].lower() for _ in page.names]
    heads = [f"{name}, {tail}" for name, tail in zip(page.names, tails, strict=True)]
    items = "".join(
        f'<h2>{place}. <a href="{page.slug()}">{name}</a>, {tail}</h2>{page.image()}{page.paragraphs()}'
        for place, (name, tail) in enumerate(zip(page.names, tails, strict=True), 1)
    )
    return page.sections(BEFORE) + items + page.sections(BEHIND), list(zip(page.names, heads, strict=True))


def link_and_tail_unnumbered(page: Writer) -> Written:
    tails = [page.prose(3, 6)[:-1].lower() for _ in page.names]
    heads = [f"{name} – {tail}" for name, tail in zip(page.names, tails, strict=True)]
    items = "".join(
        f'<div class="entry"><h3><a href="{page.slug()}">{name}</a> – {tail}</h3>{page.image()}'
        f"{page.paragraphs()}</div>"
        for name, tail in zip(page.names, tails, strict=True)
    )
    return page.paragraphs() + items + page.questions("h3", "h4"), list(zip(page.names, heads, strict=True))


def everything_at_one_level(page: Writer) -> Written:
    items = "".join(
        f"<h2>{name}</h2>{page.image()}{page.paragraphs()}<p><b>Pros:</b> {page.prose(3, 6)}</p>"
        f"<p><b>Cons:</b> {page.prose(3, 6)}</p>{page.shop()}"
        for name in page.names
    )
    body = page.sections(BEFORE) + items + "<h2>Also Considered</h2>" + page.paragraphs() + page.questions()
    return body + page.author() + page.newsletter(), _plain(page.names)


def newsletter_among_items(page: Writer) -> Written:
    parts = [f"<h2>{name}</h2>{page.image()}{page.paragraphs()}{page.shop()}" for name in page.names]
    parts.insert(page.random.randint(1, len(parts) - 1), page.newsletter())
    return page.paragraphs() + "".join(parts) + page.author(), _plain(page.names)


def related_cards_of_the_same_make(page: Writer) -> Written:
    cards = "".join(
        f'<div class="card">{page.image()}<h3><a href="{page.slug()}">{name}</a></h3><p>{page.prose()}</p></div>'
        for name in page.names
    )
    body = f'{page.paragraphs()}<div class="cards">{cards}</div>{page.author()}'
    return body + page.related(page.k), _plain(page.names)


def countdown(page: Writer) -> Written:
    items = "".join(
        f"<h2>{page.k - place}. {name}</h2>{page.image()}{page.paragraphs()}" for place, name in enumerate(page.names)
    )
    return page.paragraphs() + items + page.sections(("The Bottom Line", "Honorable Mentions")), _plain(page.names)


def ordered_list_with_bold_names(page: Writer) -> Written:
    items = "".join(f"<li><strong>{name}</strong> – {page.prose(10, 30)}</li>" for name in page.names)
    menu = "".join(f'<li><a href="/c/{place}">{page.prose(1, 2)[:-1]}</a></li>' for place in range(page.k))
    body = page.paragraphs() + f"<ol>{items}</ol>" + page.sections(BEHIND)
    return body + f"<aside><h3>Topics</h3><ul>{menu}</ul></aside>", _plain(page.names)


def rows_of_a_table(page: Writer) -> Written:
    rows = "".join(
        f"<tr><td>{name}</td><td>{page.price()}</td><td>{page.random.randint(300, 2500)} g</td></tr>"
        for name in page.names
    )
    head = "<tr><th>Model</th><th>Price</th><th>Weight</th></tr>"
    return page.paragraphs() + f"<table>{head}{rows}</table>" + page.sections(BEHIND), _plain(page.names)


def definitions(page: Writer) -> Written:
    items = "".join(f"<dt>{name}</dt><dd>{page.prose()}</dd>" for name in page.names)
    return page.paragraphs() + f"<dl>{items}</dl>" + page.sections(BEHIND) + page.questions(), _plain(page.names)


def captions_of_figures(page: Writer) -> Written:
    items = "".join(
        f"<figure>{page.image()}<figcaption><strong>{name}</strong><br>{page.prose(8, 20)}</figcaption></figure>"
        for name in page.names
    )
    return page.paragraphs() + items + page.related(3), _plain(page.names)


def rows_of_columns(page: Writer) -> Written:
    cards = [
        f'<div class="col" style="display:inline-block;width:45%;vertical-align:top"><h4>{name}</h4>'
        f"{page.image()}<p>{page.prose()}</p></div>"
        for name in page.names
    ]
    rows = "".join(f'<div class="row">{"".join(cards[place : place + 2])}</div>' for place in range(0, len(cards), 2))
    return page.paragraphs() + rows + page.newsletter("h4"), _plain(page.names)


def comparison_table_above(page: Writer) -> Written:
    tails = [page.prose(4, 7)[:-1].lower() for _ in page.names]
    heads = [f"{name}: {tail}" for name, tail in zip(page.names, tails, strict=True)]
    rows = "".join(
        f"<tr><td>{name}</td><td>{page.price()}</td><td>{award}</td></tr>"
        for name, award in zip(page.names, page.awards, strict=True)
    )
    table = f"<h2>At a glance</h2><table><tr><th>Model</th><th>Price</th><th>Why</th></tr>{rows}</table>"
    items = "".join(f"<h2>{head}</h2>{page.image()}{page.paragraphs()}{page.shop()}" for head in heads)
    return page.paragraphs() + table + items + page.questions(), list(zip(page.names, heads, strict=True))


def contents_with_short_names(page: Writer) -> Written:
    tails = [page.prose(4, 7)[:-1].lower() for _ in page.names]
    heads = [f"{name} ({tail})" for name, tail in zip(page.names, tails, strict=True)]
    menu = "".join(f'<li><a href="#i{place}">{name}</a></li>' for place, name in enumerate(page.names))
    items = "".join(
        f'<h3 id="i{place}">{head}</h3>{page.image()}{page.paragraphs()}' for place, head in enumerate(heads)
    )
    body = f"{page.paragraphs()}<ul>{menu}</ul><h2>The full list</h2>{items}" + page.sections(BEHIND)
    return body, list(zip(page.names, heads, strict=True))


# ---------------------------------------------------------------------- the second draw


def label_as_heading_picture_then_name(page: Writer) -> Written:
    items = "".join(
        f"<section><h3>{award}</h3><figure>{page.image()}<figcaption>Photo: {page.prose(2, 3)}</figcaption></figure>"
        f'<h4>{name}</h4>{page.paragraphs()}<div class="offer">{page.price()}</div></section>'
        for award, name in zip(page.awards, page.names, strict=True)
    )
    body = page.sections(BEFORE) + f"<h2>Our favorites</h2>{items}" + page.sections(BEHIND)
    return body + page.questions(), _plain(page.names)


def label_below_the_name(page: Writer) -> Written:
    items = "".join(
        f'<h2>{name}</h2><p class="award"><b>{award}</b></p>{page.image()}{page.paragraphs()}{page.shop()}'
        for award, name in zip(page.awards, page.names, strict=True)
    )
    return page.sections(BEFORE) + items + page.sections(BEHIND) + page.author(), _plain(page.names)


def label_as_bold_line_name_as_link(page: Writer) -> Written:
    items = "".join(
        f'<p><strong>{award}</strong></p><p><a href="{page.slug()}">{name}</a></p>{page.paragraphs()}'
        for award, name in zip(page.awards, page.names, strict=True)
    )
    return page.sections(BEFORE) + "<h2>The list</h2>" + items + page.sections(BEHIND), _plain(page.names)


def label_above_name_in_linked_cards(page: Writer) -> Written:
    cards = "".join(
        f'<li class="tile"><a href="{page.slug()}"><em style="display:block">{award}</em>{page.image()}'
        f'<b style="display:block">{name}</b><i style="display:block">{page.price()}</i></a><p>{page.prose()}</p></li>'
        for award, name in zip(page.awards, page.names, strict=True)
    )
    return f'{page.paragraphs()}<ul class="tiles">{cards}</ul>' + page.sections(BEHIND), _plain(page.names)


def broken_heading(page: Writer) -> Written:
    tails = [f"{page.price()} at the maker" for _ in page.names]
    heads = [f"{name} {tail}" for name, tail in zip(page.names, tails, strict=True)]
    items = "".join(
        f'<article class="entry"><h3>{name}<br>{tail}</h3>{page.image()}<p>{page.prose()}</p></article>'
        for name, tail in zip(page.names, tails, strict=True)
    )
    return page.paragraphs() + items + page.related(4, "h4", "teaser"), list(zip(page.names, heads, strict=True))


def one_heading_of_another_level(page: Writer) -> Written:
    odd = page.random.randint(1, page.k - 1)
    items = "".join(
        f"<h{2 + (place == odd)}>{place + 1}. {name}</h{2 + (place == odd)}>{page.image()}{page.paragraphs()}"
        "<h3>Verdict</h3>" + page.paragraphs(1, 1)
        for place, name in enumerate(page.names)
    )
    return page.paragraphs() + items + page.sections(BEHIND, most=4), _plain(page.names)


def offers_between_bold_titles(page: Writer) -> Written:
    parts = [f"<p><strong>{name}</strong></p>{page.image()}{page.paragraphs()}" for name in page.names]
    offer = "<h3>Get our free guide to gear, sign up here!</h3><p>It takes a minute.</p>"
    parts.insert(page.random.randint(1, len(parts) - 1), offer)
    return page.paragraphs() + "".join(parts) + page.sections(("Final Thoughts", "Before You Go"), "h3"), _plain(
        page.names
    )


def promise_repeated_before_the_items(page: Writer) -> Written:
    items = "".join(f"<h2>{name}</h2>{page.image()}{page.paragraphs()}" for name in page.names)
    head = f"<h2>The {page.k} {page.many} We Recommend</h2>{page.paragraphs()}"
    return page.paragraphs() + head + items + f"<h2>Subscribe to our letter</h2>{page.paragraphs(1, 1)}", _plain(
        page.names
    )


def more_to_consider(page: Writer) -> Written:
    items = "".join(f"<h3>{name}</h3>{page.image()}{page.paragraphs()}{page.shop()}" for name in page.names)
    others = "".join(f"<h3>{maker} Mini</h3>{page.paragraphs()}" for maker in MAKERS[1 - page.draw][:3])
    body = f"{page.paragraphs()}<h2>Our picks</h2>{items}<h2>Others to consider</h2>{others}"
    return body + page.author("h3"), _plain(page.names)


def table_of_awards_above(page: Writer) -> Written:
    rows = "".join(
        f"<tr><td>{award}</td><td>{name}</td><td>{page.price()}</td></tr>"
        for award, name in zip(page.awards, page.names, strict=True)
    )
    items = "".join(
        f"<h3>{name} {page.one}</h3><p><em>{award}</em></p>{page.image()}{page.paragraphs()}"
        for award, name in zip(page.awards, page.names, strict=True)
    )
    heads = [f"{name} {page.one}" for name in page.names]
    return page.paragraphs() + f"<table>{rows}</table>" + items + page.questions("h3", "h4"), list(
        zip(heads, heads, strict=True)
    )


def slides_with_credits(page: Writer) -> Written:
    items = "".join(
        f'<div class="slide"><span class="count">{place} of {page.k}</span>{page.image()}'
        "<small>Courtesy of the maker</small>"
        f"<h3>{name}</h3><p>{page.prose()}</p></div>"
        for place, name in enumerate(page.names, 1)
    )
    return page.paragraphs() + items + page.newsletter("h3"), _plain(page.names)


def folded_items(page: Writer) -> Written:
    items = "".join(f"<details open><summary>{name}</summary>{page.paragraphs()}</details>" for name in page.names)
    return page.paragraphs() + items + page.sections(BEHIND), _plain(page.names)


LAYOUTS: tuple[tuple[Layout, ...], ...] = (
    (
        label_above_as_eyebrow,
        label_as_heading_name_as_smaller_heading,
        label_as_heading_name_as_bold_link,
        label_in_the_heading,
        badge_in_some_cards,
        number_link_and_tail,
        link_and_tail_unnumbered,
        everything_at_one_level,
        newsletter_among_items,
        related_cards_of_the_same_make,
        countdown,
        ordered_list_with_bold_names,
        rows_of_a_table,
        definitions,
        captions_of_figures,
        rows_of_columns,
        comparison_table_above,
        contents_with_short_names,
    ),
    (
        label_as_heading_picture_then_name,
        label_below_the_name,
        label_as_bold_line_name_as_link,
        label_above_name_in_linked_cards,
        broken_heading,
        one_heading_of_another_level,
        offers_between_bold_titles,
        promise_repeated_before_the_items,
        more_to_consider,
        table_of_awards_above,
        slides_with_credits,
        folded_items,
    ),
)


def generated(draw: int, a_layout: int = A_LAYOUT) -> list[GeneratedPage]:
    """The pages of a draw, always the same.

    >>> page = generated(0)[0]
    >>> page.layout, page.title.startswith("The "), len(page.items) == int(page.title.split()[1])
    ('label above as eyebrow', True, True)
    """
    return [_written(layout, draw, number) for layout in LAYOUTS[draw] for number in range(a_layout)]


def _written(layout: Layout, draw: int, number: int) -> GeneratedPage:
    writer = Writer(random.Random(f"{layout.__name__} {draw} {number}"), draw)
    body, items = layout(writer)
    title = f"The {writer.k} Best {writer.many} of 2025, Tested"
    menu = "".join(f'<li><a href="/{name}">{name}</a></li>' for name in ("Reviews", "Guides", "Deals", "News", "About"))
    return GeneratedPage(
        layout.__name__.replace("_", " "),
        f"<!doctype html><html lang=en><head><title>{title} | Fieldwork</title></head><body><header><nav>"
        f"<ul>{menu}</ul></nav></header><main><article><h1>{title}</h1><p>{writer.prose()}</p>{body}</article></main>"
        f"<footer><h4>Fieldwork</h4><ul>{menu}</ul></footer></body></html>",
        title,
        tuple(items),
    )


def opened(pages: Sequence[GeneratedPage]) -> list[Page]:
    """The pages as the browser shows them."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"{number}.html" for number in range(len(pages))]
        for file, page in zip(files, pages, strict=True):
            file.write_text(page.html, "utf-8")
        return list(loaded(files))


def measured(pages: Sequence[GeneratedPage], shown: Sequence[Page]) -> list[TopScore]:
    """How well the items of every page are found."""
    scores = []
    for number, (page, view) in enumerate(zip(pages, shown, strict=True)):
        truth = TopTruth(str(number), "generated", page.layout, "", len(page.items), page.items, page.title)
        found = find_top(view)
        items = [Found.from_json(item) for item in found.to_json()["items"]] if found else []
        scores.append(topk.score(truth, items))
    return scores


def main() -> None:
    """Print the figures of each draw, by layout for the first."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draw", type=int, choices=(0, 1), help="this draw alone")
    parser.add_argument("--by-layout", action="store_true", help="the figures of each layout")
    options = parser.parse_args()
    for draw in (0, 1) if options.draw is None else (options.draw,):
        pages = generated(draw)
        scores = measured(pages, opened(pages))
        for part, of in topk.groups(scores).items():
            if part == "all" or options.by_layout:
                print(
                    f"draw {draw + 1}, {part}: {of.pages} pages, R {of.paper_recall:.3f}, "
                    f"item F1 {of.item_f1:.3f}, perfect {of.strict_recall:.3f}"
                )


if __name__ == "__main__":
    main()
