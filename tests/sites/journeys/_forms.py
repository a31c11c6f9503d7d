"""Journeys through forms: log-in, searches, dates, boxes, files, several pages."""

from ._kit import Journey, Look, Pages
from ._person import Person

__all__ = ["FORMS"]

CITIES = ("Lisbon", "Lisburn", "Lille", "Limerick", "Linz")
SUGGEST = f"""<script>
const cities = {list(CITIES)};
const suggest = (input, list, chosen) => {{ let at = -1;
  const close = () => {{ list.hidden = true; list.textContent = ''; at = -1 }};
  const take = text => {{ input.value = text; close(); chosen(text) }};
  input.addEventListener('input', () => {{ close();
    const found = cities.filter(one => input.value && one.toLowerCase().startsWith(input.value.toLowerCase()));
    for (const one of found) {{ const item = document.createElement('li'); item.role = 'option'; item.textContent = one;
      item.dataset.k = one; item.addEventListener('mousedown', event => event.preventDefault());
      item.addEventListener('click', () => take(one)); list.append(item) }}
    list.hidden = !found.length }});
  input.addEventListener('keydown', event => {{ const items = [...list.children];
    if (event.key === 'ArrowDown') {{ at = Math.min(at + 1, items.length - 1);
      items.forEach((item, n) => item.ariaSelected = n === at) }}
    if (event.key === 'Enter' && at >= 0) {{ event.preventDefault(); take(items[at].textContent) }} }}) }};
</script>"""


def _log_in(look: Look) -> Pages:
    form = f"""<form method=post action="do/session"><p><label>User name <input name=user data-k=user></label>
<p><label>Password <input type=password name=password data-k=password></label>
<p><label><input type=checkbox name=keep data-k=keep> Keep me signed in</label>
<p><button data-k=enter>{look.word("Sign in", "Log in")}</button> <a href=forgot>Forgot your password?</a></form>"""
    new = """<form action="do/account"><p><label>Email address <input name=email></label>
<p><label>New password <input type=password name=new></label><p><button>Create account</button></form>"""
    return {
        "index": look.page("Your account", look.order(look.card("Welcome back", form), look.card("New here?", new)))
    }


def _logs_in(person: Person) -> None:
    person.type("user", "anna")
    person.type("password", "open sesame")
    person.click("keep")
    person.click("enter")


def _search(look: Look) -> Pages:
    label = look.word("Search products", "Find products")
    form = f"""<form action="do/search"><label>{label} <input name=q data-k=q></label>
<label>In <select name=in><option>All departments<option>Cameras<option>Lenses</select></label>
<button>Show results</button></form>"""
    orders = (
        '<form action="do/orders"><label>Search your orders <input name=q></label> <button>Show orders</button></form>'
    )
    return {"index": look.page("Catalogue", look.order(look.card("Products", form), look.card("Orders", orders)))}


def _searches(person: Person) -> None:
    person.type("q", "macro lens 100 mm")
    person.press("Enter")


def _trips(look: Look, chosen: str, more: str = "") -> str:
    form = f"""<form action="do/trips" autocomplete=off><p><label>{look.word("Destination", "Where to")}
<input name=to data-k=to></label><ul id=list role=listbox hidden></ul>
<p><label>Travellers <input name=n value=2></label> {more}</form>{SUGGEST}
<script>suggest(document.querySelector('[data-k=to]'), document.getElementById('list'), {chosen})</script>"""
    hotels = '<form action="do/hotels"><label>Hotel in <input name=to></label> <button>Show hotels</button></form>'
    return look.page("Photo trips", look.order(look.card("Trips", form), look.card("Hotels", hotels)))


def _suggestions(look: Look) -> Pages:
    return {"index": _trips(look, "() => 0", "<button data-k=show>Show trips</button>")}


def _picks_suggestion(person: Person) -> None:
    person.type("to", "lis")
    person.click("Lisbon")
    person.click("show")


def _keyboard(look: Look) -> Pages:
    return {"index": _trips(look, "text => tell('city', { text })", "<button>Show trips</button>")}


def _picks_by_keys(person: Person) -> None:
    person.type("to", "li")
    person.press("ArrowDown", "ArrowDown", "ArrowDown", "Enter")


def _native_date(look: Look) -> Pages:
    form = f"""<form action="do/dates"><p>
<label for=from data-k=from>{look.word("Pick-up date", "Collection date")}</label>
<input type=date name=from id=from> <label for=until data-k=until>Return date</label>
<input type=date name=until id=until>
<p><button data-k=check>Check availability</button></form>"""
    ask = (
        '<form action="do/call"><label>Call me on <input type=date name=on></label> <button>Ask for it</button></form>'
    )
    return {"index": look.page("Rent a lens", look.order(look.card("Dates", form), look.card("Advice", ask)))}


def _picks_native_dates(person: Person) -> None:
    person.type("from", "11242026")
    person.type("until", "11282026")
    person.click("check")


CALENDAR = """<script>
let month = new Date(2026, 10, 1);
const field = document.querySelector('[name=arrival]'), box = document.getElementById('calendar');
const draw = () => { box.hidden = false;
  const name = month.toLocaleString('en', { month: 'long', year: 'numeric' });
  const days = new Date(month.getFullYear(), month.getMonth() + 1, 0).getDate();
  box.innerHTML = `<button type=button aria-label="Previous month" data-k=previous>‹</button> <b>${name}</b>
    <button type=button aria-label="Next month" data-k=next>›</button><div role=grid></div>`;
  const grid = box.querySelector('div');
  for (let day = 1; day <= days; day++) { const one = document.createElement('button');
    one.type = 'button'; one.textContent = day; one.dataset.k = 'day-' + day;
    one.onclick = () => { field.value = `${month.getFullYear()}-${month.getMonth() + 1}-${day}`; box.hidden = true };
    grid.append(one) }
  const turn = by => () => { month = new Date(month.getFullYear(), month.getMonth() + by, 1); draw() };
  box.querySelector('[data-k=next]').onclick = turn(1); box.querySelector('[data-k=previous]').onclick = turn(-1) };
field.onclick = draw;
</script>"""


def _drawn_date(look: Look) -> Pages:
    form = f"""<form action="do/reserve"><p><label>Arrival <input name=arrival readonly data-k=arrival></label>
<div id=calendar class={look.css("calendar")} hidden></div><p><label>Nights <input name=nights value=3></label>
<p><button data-k=reserve>{look.word("Reserve", "Book now")}</button></form>{CALENDAR}"""
    return {
        "index": look.page(
            "Workshop hotel", look.order(look.card("Your stay", form), look.card("Rooms", "<p>12 rooms"))
        )
    }


def _picks_drawn_date(person: Person) -> None:
    person.click("arrival")
    person.click("next")
    person.click("day-17")
    person.click("reserve")


def _select(look: Look) -> Pages:
    form = f"""<form action="do/sort"><label>{look.word("Sort by", "Order by")} <select name=by data-k=by>
<option>Relevance<option>Price, low to high<option>Price, high to low<option>Newest</select></label>
<label>Show <select name=show><option>20<option>50<option>100</select></label>
<button data-k=apply>Apply</button></form>"""
    return {
        "index": look.page(
            "Tripods", look.order(look.card("34 products", form), look.card("Guide", "<p>How to choose"))
        )
    }


def _selects(person: Person) -> None:
    person.select("by", "Price, high to low")
    person.click("apply")


def _autosubmit(look: Look) -> Pages:
    form = f"""<form action="do/country"><label>{look.word("Ship to", "Deliver to")}
<select name=to data-k=to onchange="form.submit()"><option>Austria<option>Belgium<option>Portugal<option>Spain</select>
</label></form>"""
    money = "<form action='do/money'><label>Currency <select name=in><option>EUR<option>USD</select></label></form>"
    return {"index": look.page("Shipping", look.order(look.card("Country", form), look.card("Currency", money)))}


def _autosubmits(person: Person) -> None:
    person.select("to", "Portugal")


def _multiple(look: Look) -> Pages:
    form = f"""<form action="do/alerts"><label>{look.word("Brands to watch", "Brands you follow")}
<select name=brand multiple size=6 data-k=brands><option>Arden<option>Bellis<option>Corvo<option>Dunlin<option>Egret
</select></label> <button data-k=save>Save alerts</button></form>"""
    return {
        "index": look.page("Alerts", look.order(look.card("Brands", form), look.card("Prices", "<p>No alerts yet")))
    }


def _selects_several(person: Person) -> None:
    person.select("brands", "Bellis", "Dunlin")
    person.click("save")


def _terms(look: Look) -> Pages:
    style = (
        "<style>.box input { position: absolute; opacity: 0 } .box span { border: 2px solid; padding: 0 6px }</style>"
    )
    form = f"""{style}<form action="do/order"><p class=box><label data-k=terms-label><input type=checkbox name=terms
data-k=terms><span></span> {look.word("I accept the terms", "I agree to the terms")}</label>
<p><label><input type=checkbox name=letter checked data-k=letter> Send me the newsletter</label>
<p><label><input type=checkbox name=gift> This is a gift</label> <p><button data-k=order>Order now</button></form>"""
    return {
        "index": look.page("Checkout", look.order(look.card("Last step", form), look.card("Summary", "<p>2 items")))
    }


def _accepts_terms(person: Person) -> None:
    person.click("terms-label")
    person.click("letter")
    person.click("order")


def _radio(look: Look) -> Pages:
    ways = (("Standard", "3 to 5 days"), (look.word("Express", "Next day"), "tomorrow"), ("Pick up", "in the store"))
    boxes = "".join(
        f"<p><label><input type=radio name=way value={n} data-k=way-{n}> {name}</label> <small>{when}</small>"
        for n, (name, when) in enumerate(ways)
    )
    pay = "".join(f"<p><label><input type=radio name=pay> {one}</label>" for one in ("Invoice", "Card", "Cash"))
    main = look.order(look.card("Delivery", boxes + "<button data-k=go>Continue</button>"), look.card("Payment", pay))
    return {"index": look.page("Checkout", f'<form action="do/way">{main}</form>')}


def _picks_radio(person: Person) -> None:
    person.click("way-1")
    person.click("go")


def _number(look: Look) -> Pages:
    form = f"""<form action="do/cart">
<p><label>Quantity <input type=number name=n value=1 min=1 max=99 data-k=n></label>
<p><label>{look.word("Comment", "Remarks")} <textarea name=text rows=4 data-k=text></textarea></label>
<p><label>Gift message <textarea name=gift></textarea></label>
<p><button data-k=put>Place order</button></form>"""
    return {"index": look.page("Lens cloth", look.order(look.card("Order", form), look.card("Reviews", "<p>4.5 of 5")))}


def _orders(person: Person) -> None:
    person.click("n")
    person.press("ArrowUp", "ArrowUp")
    person.type("text", "Please wrap it.\nThank you!")
    person.click("put")


def _wizard(look: Look) -> Pages:
    def step(number: int, content: str, last: str = "Next") -> str:
        forms = ("two", "three", "do/claim")
        head = f"Step {number} of 3"
        form = f'<form action="{forms[number - 1]}">{content} <p><button data-k=next-{number}>{last}</button></form>'
        return look.page("Make a claim", look.order(look.card(head, form), look.card("Help", "<p>Call us")))

    return {
        "index": step(1, "<p><label>Order number <input name=order data-k=order></label>"),
        "two": step(2, "<p><label>Reason <select name=why data-k=why><option>Broken<option>Late<option>Wrong</select>"),
        "three": step(
            3,
            "<p><label><input type=checkbox name=photo data-k=photo> I have photos</label>",
            look.word("Submit claim", "Send claim"),
        ),
    }


def _claims(person: Person) -> None:
    person.type("order", "A-1047")
    person.click("next-1")
    person.select("why", "Wrong")
    person.click("next-2")
    person.click("photo")
    person.click("next-3")


def _note(look: Look) -> Pages:
    form = f"""<p id=label>Your note<div contenteditable=true role=textbox aria-labelledby=label data-k=note
style="border: 1px solid; min-height: 60px"></div>
<p id=private>Private memo<div contenteditable=true role=textbox aria-labelledby=private></div>
<button onclick="tell('note', {{ text: document.querySelector('[data-k=note]').innerText }})" data-k=post>
{look.word("Post note", "Publish note")}</button>"""
    return {"index": look.page("Notes", look.order(look.card("Write", form), look.card("Older notes", "<p>None yet")))}


def _posts_note(person: Person) -> None:
    person.type("note", "Sharp at f/8")
    person.click("post")


def _upload(look: Look) -> Pages:
    form = f"""<form onsubmit="tell('receipt', {{ name: file.files[0].name, size: file.files[0].size }}); return false">
<p><label>{look.word("Receipt", "Proof of purchase")} <input type=file name=file data-k=file></label>
<p><label>Photo of the damage <input type=file name=photo></label>
<p><button data-k=send>Send documents</button></form>"""
    return {"index": look.page("Guarantee", look.order(look.card("Documents", form), look.card("Terms", "<p>2 years")))}


def _uploads(person: Person) -> None:
    person.choose_file("file", "receipt.txt")
    person.click("send")


FORMS = (
    Journey("log-in", _log_in, _logs_in),
    Journey("search", _search, _searches),
    Journey("suggestions", _suggestions, _picks_suggestion),
    Journey("suggestions-keys", _keyboard, _picks_by_keys),
    Journey("date-native", _native_date, _picks_native_dates),
    Journey("date-drawn", _drawn_date, _picks_drawn_date),
    Journey("select", _select, _selects),
    Journey("select-submits", _autosubmit, _autosubmits),
    Journey("select-several", _multiple, _selects_several),
    Journey("terms", _terms, _accepts_terms),
    Journey("radio", _radio, _picks_radio),
    Journey("number-and-text", _number, _orders),
    Journey("several-pages", _wizard, _claims),
    Journey("editor", _note, _posts_note),
    Journey("upload", _upload, _uploads),
)
