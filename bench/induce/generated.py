"""Sites made for this benchmark, with truth by construction: one kind of difficulty each, in several styles of markup.

Real sites mix their difficulties, and there are few of each. Here a site has one: values that are the same on all pages
that are learned from, texts of several paragraphs, several values in a row, records worded as sentences.
"""

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path

from bench.induce.sites import PageTruth, Site

PAGES = 20


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


NOUNS = _words("harbour meadow lantern orchard compass thicket quarry summit ferry willow ember canyon pebble")
VERBS = _words("keeps shows follows carries answers gathers crosses repeats colours measures opens closes signs paints")
NAMES = _words("Ada Bela Carla Dmitri Elif Farid Greta Hugo Ines Jonas Kofi Lena Mateo Nora Oskar Priya")
FAMILY = _words("Abbott Brandt Castillo Dupont Eriksen Farkas Gruber Holm Ivanova Jensen Kowalski Moreau Novak")
GENRES = _words("Drama Comedy Western Thriller Romance Horror Musical Animation Documentary Fantasy Mystery")
LANGUAGES = ["English", "French", "German", "Spanish", "Italian", "Turkish"]
CURRENCIES = ["EUR", "USD", "GBP", "CHF", "SEK"]
MONTHS = _words("January February March April May June July August September October November December")


@dataclass(frozen=True)
class _Draw:
    """Chance, always the same for a page of a site; `fixed` where the page is one that is learned from."""

    chance: random.Random
    fixed: bool

    def one(self, several: Sequence[str]) -> str:
        return self.chance.choice(several)

    def often(self, several: Sequence[str]) -> str:
        """The first on every page that is learned from, any other elsewhere."""
        return several[0] if self.fixed else self.chance.choice(several)

    def words(self, least: int, most: int) -> str:
        count = self.chance.randint(least, most)
        return " ".join(self.chance.choice(NOUNS if place % 2 == 0 else VERBS) for place in range(count))

    def sentence(self) -> str:
        return f"The {self.words(6, 16)}.".capitalize()

    def paragraph(self) -> str:
        return " ".join(self.sentence() for _ in range(self.chance.randint(2, 4)))

    def title(self) -> str:
        return f"{self.words(2, 3)} {self.chance.randint(10, 999)}".title()

    def person(self) -> str:
        return f"{self.one(NAMES)} {self.one(FAMILY)}"

    def several(self, make: Callable[[], str], least: int, most: int) -> list[str]:
        return list(dict.fromkeys(make() for _ in range(self.chance.randint(least, most))))

    def date(self) -> str:
        return f"{self.chance.randint(1, 28)} {self.one(MONTHS)} {self.chance.randint(2001, 2024)}"


_Made = tuple[str, Mapping[str, Sequence[str]], Sequence[Mapping[str, Sequence[str]]]]
_Maker = Callable[[_Draw], _Made]

FRAME = """<!doctype html><html lang="en"><head><title>{title} - Wayside</title></head><body>
<header><a href="/">Wayside</a><nav><ul><li><a href="/new">New</a></li><li><a href="/top">Top</a></li>
<li><a href="/about">About us</a></li></ul></nav></header>
<main>{body}</main>
<footer><p>© 2024 Wayside Ltd. All rights reserved.</p><p><a href="/terms">Terms</a> <a href="/help">Help</a></p>
</footer></body></html>"""


# ---------------------------------------------------------------- pairs of label and value

LABELLED: dict[str, Callable[[Sequence[tuple[str, str]]], str]] = {
    "table": lambda rows: "<table>" + "".join(f"<tr><th>{k}</th><td>{v}</td></tr>" for k, v in rows) + "</table>",
    "terms": lambda rows: "<dl>" + "".join(f"<dt>{k}</dt><dd>{v}</dd>" for k, v in rows) + "</dl>",
    "bold": lambda rows: "".join(f"<p><b>{k}:</b> {v}</p>" for k, v in rows),
    "spans": lambda rows: "".join(
        f'<div class="row"><span class="key">{k}</span> <span class="value">{v}</span></div>' for k, v in rows
    ),
    "items": lambda rows: "<ul>" + "".join(f"<li>{k}: {v}</li>" for k, v in rows) + "</ul>",
    "breaks": lambda rows: "<p>" + "<br>".join(f"<strong>{k}:</strong> {v}" for k, v in rows) + "</p>",
    "classes": lambda rows: "".join(
        f'<div class="{k.lower()}"><h4>{k}</h4><div class="what">{v}</div></div>' for k, v in rows
    ),
    "line": lambda rows: '<p class="meta">' + " | ".join(f"{k}: <em>{v}</em>" for k, v in rows) + "</p>",
}


def _constants(style: str) -> _Maker:
    """A language, a currency and a day that are the same on all pages that are learned from."""

    def make(draw: _Draw) -> _Made:
        title, price = draw.title(), f"{draw.chance.randint(5, 900)}.00"
        language, currency = draw.often(LANGUAGES), draw.often(CURRENCIES)
        day = "3 May 2021" if draw.fixed else draw.date()
        rows = [("Language", language), ("Price", price), ("Currency", currency), ("Released", day)]
        note = draw.sentence()
        body = f"<h1>{title}</h1>{LABELLED[style](rows)}<p>{note}</p>"
        fields = {
            "title": [title],
            "note": [note],
            "language": [language],
            "price": [price],
            "currency": [currency],
            "released": [day],
        }
        return body, fields, ()

    return make


def _constant_types(style: str) -> _Maker:
    """A day and a price without labels that are the same on all pages that are learned from."""

    def make(draw: _Draw) -> _Made:
        title, who = draw.title(), draw.person()
        day = "3 May 2021" if draw.fixed else draw.date()
        price = "$25.00" if draw.fixed else f"${draw.chance.randint(5, 90)}.00"
        forms = {
            "elements": f'<time>{day}</time><span class="author">{who}</span><span class="price">{price}</span>',
            "blocks": f'<div class="d">{day}</div><div class="w">{who}</div><div class="p">{price}</div>',
            "plain": f"<p>{who}</p><p>{day}</p><p><b>{price}</b></p>",
        }
        note = draw.sentence()
        body = f"<h1>{title}</h1><div class='meta'>{forms[style]}</div><p>{note}</p>"
        return body, {"title": [title], "note": [note], "author": [who], "date": [day], "price": [price]}, ()

    return make


# ---------------------------------------------------------------- texts of several parts


def _bodies(style: str) -> _Maker:
    """A text of one to four paragraphs, on some pages with code or a list; one value, or its parts."""

    def make(draw: _Draw) -> _Made:
        title, who = draw.title(), draw.person()
        parts = [draw.paragraph() for _ in range(draw.chance.randint(1, 4))]
        inner = "".join(f"<p>{part}</p>" for part in parts)
        if style in ("code", "mixed") and draw.chance.random() < 0.5:
            code = f"{draw.one(NOUNS)}({draw.chance.randint(1, 99)})"
            inner, parts = f"{inner}<pre><code>{code}</code></pre>", [*parts, code]
        if style == "mixed" and draw.chance.random() < 0.5:
            items = [draw.words(3, 6) for _ in range(draw.chance.randint(2, 4))]
            inner, parts = f"{inner}<ul>{''.join(f'<li>{item}</li>' for item in items)}</ul>", [*parts, *items]
        if style == "marked":
            marked = [part.replace("The", "The <em>old</em>", 1) for part in parts]
            inner, parts = "".join(f"<p>{p}</p>" for p in marked), [p.replace("The", "The old", 1) for p in parts]
        holder = {
            "sections": f"<section><h2>Description</h2>{inner}</section>",
            "flat": f"<h2>Description</h2>{inner}",
        }.get(style, f'<h2>Description</h2><div class="text">{inner}</div>')
        note = draw.sentence()
        body = f'<h1>{title}</h1><p class="by">{who}</p>{holder}<h2>Notes</h2><p>{note}</p>'
        return body, {"title": [title], "note": [note], "author": [who], "description": [" ".join(parts)]}, ()

    return make


# ---------------------------------------------------------------- several values


def _values(style: str) -> _Maker:
    """Genres and authors in a row of links, in one text, in a list: one to three of each."""

    def make(draw: _Draw) -> _Made:
        title = draw.title()
        genres = draw.several(lambda: draw.one(GENRES), 1, 3)
        people = draw.several(draw.person, 1, 3)
        links = {
            name: [f'<a href="/{name}/{place}">{text}</a>' for place, text in enumerate(texts)]
            for name, texts in (("g", genres), ("p", people))
        }
        rows = {
            "links": [("Genres", ", ".join(links["g"])), ("Authors", ", ".join(links["p"]))],
            "bars": [("Genres", " | ".join(links["g"])), ("Authors", " | ".join(links["p"]))],
            "spans": [("Genres", _spans(genres)), ("Authors", _spans(people))],
        }
        if style == "classes":
            inner = f'<div class="tags">{" ".join(links["g"])}</div><div class="by">by {" and ".join(links["p"])}</div>'
        elif style == "list":
            inner = "".join(
                f"<h3>{name}</h3><ul>{''.join(f'<li>{text}</li>' for text in texts)}</ul>"
                for name, texts in (("Genres", genres), ("Authors", people))
            )
        else:
            inner = "".join(f"<p><b>{name}:</b> {text}</p>" for name, text in rows[style])
        note = draw.sentence()
        body = f"<h1>{title}</h1>{inner}<p>{note}</p>"
        return body, {"title": [title], "note": [note], "genres": genres, "authors": people}, ()

    return make


def _spans(texts: Sequence[str]) -> str:
    return ", ".join(f"<span>{text}</span>" for text in texts)


# ---------------------------------------------------------------- lists


def _listing(style: str) -> _Maker:
    """Jobs or offers, each with a company, a place and a day, in a sentence or behind labels."""

    def make(draw: _Draw) -> _Made:
        records, items = [], []
        for _ in range(draw.chance.randint(5, 12)):
            title, company, place, day = draw.title(), draw.title(), draw.one(FAMILY), draw.date()
            records.append({"title": [title], "company": [company], "place": [place], "day": [day]})
            items.append(SENTENCES[style](title, company, place, day))
        inner = "".join(items)
        body = f"<h1>Offers</h1><ul class='jobs'>{inner}</ul>"
        return body, {}, records

    return make


SENTENCES: dict[str, Callable[[str, str, str, str], str]] = {
    "dots": lambda title, company, place, day: (
        f'<li><a href="/o">{title}</a><p>Company: {company} · {place} · Posted {day}</p></li>'
    ),
    "labels": lambda title, company, place, day: (
        f"<li><h3>{title}</h3><p>Company: {company}</p><p>Location: {place}</p><p>Posted on {day}</p></li>"
    ),
    "sentence": lambda title, company, place, day: (
        f"<li><h3>{title}</h3><p>Offered by {company} in {place} since {day}</p></li>"
    ),
    "bars": lambda title, company, place, day: f"<li><h3>{title}</h3><small>{company} | {place} | {day}</small></li>",
    "lines": lambda title, company, place, day: f"<li>{title} | {company} | {place} | {day}</li>",
    "bold": lambda title, company, place, day: (
        f"<li><h3>{title}</h3><p><b>Company:</b> {company} <b>Location:</b> {place} <b>Posted:</b> {day}</p></li>"
    ),
}

KINDS: dict[str, tuple[Callable[[str], _Maker], tuple[str, ...]]] = {
    "constants": (_constants, tuple(LABELLED)),
    "typed": (_constant_types, ("elements", "blocks", "plain")),
    "bodies": (_bodies, ("plain", "sections", "flat", "code", "mixed", "marked")),
    "values": (_values, ("links", "bars", "spans", "classes", "list")),
    "listing": (_listing, tuple(SENTENCES)),
}


def generated_sites(folder: Path) -> Iterator[Site]:
    """All sites, written to a folder."""
    for kind, (maker, styles) in KINDS.items():
        for style in styles:
            yield _written(folder, kind, style, maker(style))


def _written(folder: Path, kind: str, style: str, make: _Maker) -> Site:
    name = f"{kind}-{style}"
    files = [f"{number:02}.html" for number in range(PAGES)]
    empty = {file: PageTruth(file, {}) for file in files}
    site = Site(name, kind, complete=True, any_of=frozenset(), folder=folder / name, truth=empty)
    learned_from = set(site.split[0])
    (folder / name / "pages").mkdir(parents=True, exist_ok=True)
    truth = {}
    for file in files:
        body, fields, records = make(_Draw(random.Random(f"{name}/{file}"), file in learned_from))
        title = fields["title"][0] if fields else "Offers"
        (folder / name / "pages" / file).write_text(FRAME.format(title=escape(title), body=body), "utf-8")
        truth[file] = PageTruth(file, fields, tuple(records))
    lines = (json.dumps({"file": t.file, "fields": t.fields, "records": list(t.records)}) for t in truth.values())
    (folder / name / "truth.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    return replace(site, truth=truth)
