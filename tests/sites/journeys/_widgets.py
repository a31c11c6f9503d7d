"""Journeys over what pages draw by themselves: sliders, menus, tabs, lists that grow, rows of buttons."""

from ._kit import Journey, Look, Pages
from ._person import Person

__all__ = ["WIDGETS"]

LENSES = ("Arden 35", "Bellis 50", "Corvo 85", "Dunlin 100", "Egret 200")


def _slider(look: Look) -> Pages:
    form = f"""<p><label>{look.word("Maximum price", "Price up to")}
<input type=range name=price min=0 max=500 value=250 step=5 style="width: 300px" data-k=price></label>
<p><label>Minimum rating <input type=range name=rating min=0 max=5 value=0></label>
<button data-k=apply>Apply</button>"""
    return {
        "index": look.page(
            "Filters",
            look.order(
                look.card("Price and rating", f"<form action='do/price'>{form}</form>"), look.card("Brand", "<p>All")
            ),
        )
    }


def _slides(person: Person) -> None:
    person.click("price")
    person.press("ArrowRight", "ArrowRight")
    person.click("apply")


def _drawn_slider(look: Look) -> Pages:
    style = "width: 320px; height: 24px; background: #ccd; position: relative; margin: 12px 0"
    knob = "position: absolute; left: 100px; width: 24px; height: 24px; background: #369; touch-action: none"
    main = f"""<p id=zoom>{look.word("Zoom", "Magnification")}<div style="{style}"><div role=slider aria-labelledby=zoom
aria-valuenow=100 tabindex=0 style="{knob}" data-k=knob></div></div>
<p id=light>Brightness<div style="{style}"><div role=slider aria-labelledby=light tabindex=0 style="{knob}"></div></div>
<script>for (const knob of document.querySelectorAll('[role=slider]')) {{ let from = null;
  knob.onpointerdown = event => {{ from = event.clientX - knob.offsetLeft; knob.setPointerCapture(event.pointerId) }};
  knob.onpointermove = event => {{ if (from !== null)
    knob.style.left = Math.max(0, Math.min(296, event.clientX - from)) + 'px' }};
  knob.onpointerup = () => {{ if (from !== null) tell('zoom', {{ of: knob.getAttribute('aria-labelledby'),
    at: Math.round(knob.offsetLeft / 10) }}); from = null }} }}</script>"""
    return {
        "index": look.page("Viewer", look.order(look.card("Picture", main), look.card("Details", "<p>24 megapixels")))
    }


def _drags_knob(person: Person) -> None:
    person.drag("knob", by=(80, 0))


def _rows(first: int, count: int) -> str:
    return "".join(
        f'<p style="height: 80px"><a href="do/lens?n={n}" data-k=lens-{n}>Lens {n}</a> '
        "<button type=button>Compare</button>"
        for n in range(first, first + count)
    )


def _endless(look: Look) -> Pages:
    script = """<script>let loaded = 20, busy = false;
addEventListener('scroll', async () => { const root = document.documentElement;
  if (busy || loaded >= 60 || scrollY + innerHeight < root.scrollHeight - 300) return;
  busy = true; const more = await (await fetch('more-' + (loaded + 1))).text();
  document.getElementById('rows').insertAdjacentHTML('beforeend', more); loaded += 20; busy = false });</script>"""
    main = look.order(
        look.card("All lenses", f"<div id=rows>{_rows(1, 20)}</div>{script}"), look.card("Guide", "<p>Read")
    )
    return {"index": look.page("Lenses", main), "more-21": _rows(21, 20), "more-41": _rows(41, 20)}


def _scrolls(person: Person) -> None:
    person.wheel(4000)
    person.see("lens-33")
    person.click("lens-33")


def _load_more(look: Look) -> Pages:
    script = """<script>let loaded = 10; const more = document.querySelector('[data-k=more]');
more.onclick = async () => { const next = await (await fetch('more-' + (loaded + 1))).text();
  document.getElementById('rows').insertAdjacentHTML('beforeend', next); loaded += 10;
  if (loaded >= 30) more.remove() };</script>"""
    button = f"<button data-k=more>{look.word('Load more', 'Show more')}</button> <button>Back to top</button>"
    main = look.card("All lenses", f"<div id=rows>{_rows(1, 10)}</div>{button}{script}")
    page = look.page("Lenses", look.order(main, look.card("Guide", "<p>Read")))
    return {"index": page, "more-11": _rows(11, 10), "more-21": _rows(21, 10)}


def _loads_more(person: Person) -> None:
    person.click("more")
    person.click("more")
    person.click("lens-27")


def _hover_menu(look: Look) -> Pages:
    style = """<style>.menu > li { display: inline-block; margin-right: 24px; position: relative }
.menu ul { display: none; position: absolute; background: white; border: 1px solid; padding: 8px; list-style: none }
.menu > li:hover ul { display: block }</style>"""
    kinds = {
        "Cameras": ("Compact", "Mirrorless"),
        "Support": ("Tripods", look.word("Monopods", "One-legged")),
        "Bags": ("Slings",),
    }
    menu = "".join(
        f"<li><a href=#{top.lower()} data-k={top}>{top}</a><ul>"
        + "".join(f'<li><a href="do/menu?at={n}" data-k={top}-{n}>{one}</a>' for n, one in enumerate(inner))
        + "</ul>"
        for top, inner in kinds.items()
    )
    main = look.order(
        look.card("Departments", f"{style}<ul class=menu>{menu}</ul><p>Choose one."), look.card("News", "<p>New")
    )
    return {"index": look.page("Shop", main)}


def _hovers(person: Person) -> None:
    person.hover("Support")
    person.click("Support-1")


def _tabs(look: Look) -> Pages:
    names = ("Description", look.word("Specifications", "Technical data"), "Reviews")
    tabs = "".join(
        f"<button role=tab aria-selected={str(not n).lower()} data-k=tab-{n}>{one}</button>"
        for n, one in enumerate(names)
    )
    panels = "".join(
        f"<div role=tabpanel {'hidden' if n else ''}><p>{one} of the lens."
        f"<button data-k=print-{n} onclick=\"tell('print', {{ n: {n} }})\">Print</button></div>"
        for n, one in enumerate(names)
    )
    script = """<script>const tabs = [...document.querySelectorAll('[role=tab]')];
const panels = [...document.querySelectorAll('[role=tabpanel]')];
tabs.forEach((tab, n) => tab.onclick = () => { tabs.forEach((one, m) => one.ariaSelected = m === n);
  panels.forEach((one, m) => one.hidden = m !== n) })</script>"""
    main = look.card("Details", f"<div role=tablist>{tabs}</div>{panels}{script}")
    return {"index": look.page("Arden 35", look.order(main, look.card("Similar", "<p><a href=bellis>Bellis 50</a>")))}


def _turns_tab(person: Person) -> None:
    person.click("tab-1")
    person.click("print-1")


def _accordion(look: Look) -> Pages:
    asked = (
        ("When do you ship?", '<a href="do/ship">Shipping times</a>'),
        (
            look.word("How do I return a lens?", "How can I send a lens back?"),
            '<a href="do/return" data-k=form>Return form</a>',
        ),
        ("Do you repair?", '<a href="do/repair">Repair form</a>'),
    )
    boxes = "".join(f"<details><summary data-k=q-{n}>{q}</summary><p>{a}</details>" for n, (q, a) in enumerate(asked))
    return {
        "index": look.page("Questions", look.order(look.card("Asked often", boxes), look.card("Ask us", "<p>Call")))
    }


def _unfolds(person: Person) -> None:
    person.click("q-1")
    person.click("form")


def _modal(look: Look) -> Pages:
    items = "".join(
        f"<li>{one} <button data-k=view-{n} onclick=\"show('{one}')\">Quick view of {one}</button> "
        f"<button onclick=\"tell('basket', {{ of: '{one}', from: 'list' }})\">Add to basket</button>"
        for n, one in enumerate(LENSES)
    )
    word = look.word("Put in basket", "Buy this lens")
    script = f"""<dialog id=box><h2></h2><p>Price on request.</p><button data-k=put>{word}</button>
<button onclick="box.close()">Close</button></dialog>
<script>const show = name => {{ box.querySelector('h2').textContent = name; box.showModal();
  box.querySelector('[data-k=put]').onclick = () => {{
    tell('basket', {{ of: name, from: 'box' }}); box.close() }} }}</script>"""
    return {
        "index": look.page(
            "Lenses", look.order(look.card("In stock", f"<ul>{items}</ul>{script}"), look.card("Sold", "<p>3"))
        )
    }


def _views(person: Person) -> None:
    person.click("view-2")
    person.click("put")


def _cookies(look: Look) -> Pages:
    style = "position: fixed; inset: 0; background: #000a; display: grid; place-items: center"
    accept = look.word("Accept all", "Allow all")
    banner = f"""<div id=wall style="{style}"><div style="background: white; padding: 24px">
<h2>We value your privacy</h2>
<button data-k=accept onclick="wall.remove()">{accept}</button> <button onclick="wall.remove()">Reject all</button>
<button>Settings</button></div></div>"""
    quiz = """<p><button data-k=start onclick="tell('quiz')">Start the quiz</button> <button>Skip the quiz</button>"""
    return {
        "index": look.page(
            "Quiz", look.order(look.card("Which lens are you?", quiz), look.card("Prizes", "<p>Many")) + banner
        )
    }


def _accepts_cookies(person: Person) -> None:
    person.click("accept")
    person.click("start")


def _switch(look: Look) -> Pages:
    def switch(name: str, key: str, on: str) -> str:
        flip = "this.ariaChecked = this.ariaChecked !== 'true'; "
        flip += "tell('switch', { of: this.dataset.k, on: this.ariaChecked })"
        return f'<p><span role=switch tabindex=0 aria-checked={on} data-k={key} onclick="{flip}">{name}</span>'

    boxes = switch(look.word("Price alerts", "Alerts on prices"), "prices", "false") + switch(
        "Stock alerts", "stock", "true"
    )
    boxes += switch("Weekly digest", "digest", "false")
    return {"index": look.page("Settings", look.order(look.card("Alerts", boxes), look.card("Profile", "<p>Anna")))}


def _flips(person: Person) -> None:
    person.click("prices")
    person.click("stock")


def _board(look: Look) -> Pages:
    cards = "".join(
        f'<p draggable=true data-k=card-{n} style="border: 1px solid; padding: 8px">{one}'
        for n, one in enumerate((look.word("Clean sensor", "Sensor cleaning"), "Buy strap", "Print photos"))
    )
    columns = "".join(
        f"<div class={look.css('column')} id={name} data-k={name} "
        'style="min-height: 160px; width: 200px; background: #eee">'
        f"<h3>{title}</h3>{content}</div>"
        for name, title, content in (("todo", "To do", cards), ("doing", "Doing", ""), ("done", "Done", ""))
    )
    script = """<script>let held = null;
for (const one of document.querySelectorAll('[draggable]')) one.ondragstart = event => { held = one;
  event.dataTransfer.setData('text/plain', one.textContent) };
for (const box of document.querySelectorAll('#todo, #doing, #done')) { box.ondragover = event => event.preventDefault();
  box.ondrop = event => { event.preventDefault(); box.append(held);
    tell('move', { card: held.dataset.k, to: box.id }) } }</script>"""
    return {"index": look.page("Board", look.card("Tasks", f"<div class={look.css('cols')}>{columns}</div>{script}"))}


def _moves_card(person: Person) -> None:
    person.drag("card-0", onto="done")


def _pager(look: Look) -> Pages:
    def page(number: int) -> str:
        items = _rows(5 * number - 4, 5)
        links = "".join(f'<a href="{"index" if n == 1 else f"p{n}"}">{n}</a> ' for n in (1, 2, 3) if n != number)
        turn = f'<a href="p{number + 1}" data-k=next>{look.word("Next", "Next page")}</a>' if number < 3 else ""
        return look.page(
            "Lenses", look.order(look.card(f"Page {number} of 3", items + links + turn), look.card("Guide", "<p>x"))
        )

    return {"index": page(1), "p2": page(2), "p3": page(3)}


def _turns_pages(person: Person) -> None:
    person.click("next")
    person.click("next")
    person.click("lens-13")


def _table(look: Look) -> Pages:
    rows = "".join(f"<tr><td>{one}<td>{(n * 37) % 100} €<td>{n} in stock" for n, one in enumerate(LENSES, 1))
    heads = "".join(
        f"<th><button data-k={key} onclick=\"sortBy({n}); tell('sorted', {{ by: '{key}' }})\">{name}</button>"
        for n, (key, name) in enumerate((("name", "Name"), ("price", look.word("Price", "Cost")), ("stock", "Stock")))
    )
    script = """<script>const sortBy = n => { const body = document.querySelector('main table tbody');
  const text = row => row.cells[n].textContent;
  body.append(...[...body.rows].sort((a, b) => text(a).localeCompare(text(b)))) }</script>"""
    table = f"<table><thead><tr>{heads}<tbody>{rows}</table>{script}"
    return {"index": look.page("Prices", look.order(look.card("Today", table), look.card("Yesterday", "<p>No data")))}


def _sorts(person: Person) -> None:
    person.click("price")


def _brands(look: Look) -> Pages:
    script = "tell('brands', { on: [...document.querySelectorAll('[name=brand]:checked')].map(one => one.value) })"
    names = ("Arden", look.word("Bellis", "Bellis & Co"), "Corvo", "Dunlin")
    boxes = "".join(
        f'<p><label><input type=checkbox name=brand value={n} data-k=brand-{n} onchange="{script}"> {one}</label> '
        f"({9 - n})"
        for n, one in enumerate(names)
    )
    colours = "".join(f"<p><label><input type=checkbox name=colour> {one}</label>" for one in ("Black", "Silver"))
    return {"index": look.page("Lenses", look.order(look.card("Brand", boxes), look.card("Colour", colours)))}


def _filters(person: Person) -> None:
    person.click("brand-1")
    person.click("brand-3")


def _rows_of_buttons(look: Look) -> Pages:
    word = look.word("Add to cart", "Add to bag")
    items = "".join(
        f"<li><h3><a href=p-{n}>{one}</a></h3> <p>{30 + n} € "
        f"<button data-k=add-{n} onclick=\"tell('add', {{ n: {n} }})\">{word}</button> <button>Details</button>"
        for n, one in enumerate(LENSES)
    )
    return {
        "index": look.page(
            "Lenses", look.order(look.card("In stock", f"<ul>{items}</ul>"), look.card("Soon", "<p>More"))
        )
    }


def _adds_third(person: Person) -> None:
    person.click("add-2")


PICTURE = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='40' height='24'/>"


def _picture_button(look: Look) -> Pages:
    form = f"""<form action="do/flights"><label>From <input name=from data-k=from></label>
<input type=image src="{PICTURE}" alt="{look.word("Search flights", "Find flights")}" data-k=go></form>"""
    trains = f'<label>Station <input name=at></label> <input type=image src="{PICTURE}" alt="Search trains">'
    trains = f'<form action="do/trains">{trains}</form>'
    return {"index": look.page("Getting there", look.order(look.card("Flights", form), look.card("Trains", trains)))}


def _flies(person: Person) -> None:
    person.type("from", "Porto")
    person.click("go")


def _icons(look: Look) -> Pages:
    icon = "<svg width=16 height=16><circle cx=8 cy=8 r=7 /></svg>"
    names = ("Share", look.word("Open settings", "Preferences"), "Help")
    buttons = "".join(
        f"<button aria-label='{one}' data-k=icon-{n} onclick=\"tell('icon', {{ n: {n} }})\">{icon}</button> "
        for n, one in enumerate(names)
    )
    return {
        "index": look.page("Viewer", look.order(look.card("Picture", buttons), look.card("About", "<p>Taken in May")))
    }


def _opens_settings(person: Person) -> None:
    person.click("icon-1")


def _link_in_text(look: Look) -> Pages:
    text = f"""<p>Our lenses are made in the valley. Read about <a href="do/story?of=glass">the glass</a>, about
<a href="do/story?of=people" data-k=people>{look.word("the people", "our people")}</a>, and how we
<a href="do/story?of=test">test every lens</a> before it is sent."""
    return {"index": look.page("About us", look.order(look.card("Our story", text), look.card("Jobs", "<p>Two open")))}


def _reads_on(person: Person) -> None:
    person.click("people")


WIDGETS = (
    Journey("slider", _slider, _slides),
    Journey("slider-drawn", _drawn_slider, _drags_knob),
    Journey("infinite-list", _endless, _scrolls),
    Journey("load-more", _load_more, _loads_more),
    Journey("hover-menu", _hover_menu, _hovers),
    Journey("tabs", _tabs, _turns_tab),
    Journey("accordion", _accordion, _unfolds),
    Journey("modal", _modal, _views),
    Journey("cookie-banner", _cookies, _accepts_cookies),
    Journey("switch", _switch, _flips),
    Journey("drag-and-drop", _board, _moves_card),
    Journey("pager", _pager, _turns_pages),
    Journey("table-sort", _table, _sorts),
    Journey("filter", _brands, _filters),
    Journey("rows-of-buttons", _rows_of_buttons, _adds_third),
    Journey("picture-button", _picture_button, _flies),
    Journey("icon-button", _icons, _opens_settings),
    Journey("link-in-text", _link_in_text, _reads_on),
)
