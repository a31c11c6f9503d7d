"""Journeys that leave the document: frames, shadow roots, tabs, dialogs, downloads, history."""

from ..._server import reply
from ._kit import SCRIPT, Journey, Look, Pages
from ._person import Person

__all__ = ["WINDOWS"]


def _inner(look: Look, label: str, button: str, name: str) -> str:
    """A document inside a frame."""
    form = f"""<form action="do/{name}"><p><label>{label} <input name=text data-k=text></label>
<button data-k=use>{button}</button> <button type=button>Cancel</button></form>"""
    return f"<!doctype html><meta charset=utf-8><script>{SCRIPT}</script><h3>{look.card('Form', form)}</h3>"


def _framed(look: Look, origin: str, title: str) -> str:
    frame = f'<iframe src="{origin}inner" title="{title}" width=500 height=200></iframe>'
    own = '<form action="do/own"><label>Voucher <input name=v></label> <button>Redeem</button></form>'
    return look.page("Payment", look.order(look.card("Card", frame), look.card("Voucher", own)))


def _frame(look: Look) -> Pages:
    inner = _inner(look, "Card holder", look.word("Use this name", "Take this name"), "holder")
    return {"index": _framed(look, "", "Card"), "inner": inner}


def _other_frame(look: Look) -> Pages:
    inner = _inner(look, "Nickname", look.word("Join the club", "Become a member"), "club")
    here = f"{look.other_origin}/frame-of-another-site/{look.name}/"
    return {"index": _framed(look, here, "Club"), "inner": inner}


def _fills_frame(person: Person) -> None:
    person.type("text", "Anna Arden", inside="//iframe >> ")
    person.click("use", inside="//iframe >> ")


def _shadow(look: Look) -> Pages:
    word = look.word("Send review", "Submit review")
    script = f"""<script>customElements.define('star-rating', class extends HTMLElement {{ constructor() {{ super();
  const root = this.attachShadow({{ mode: 'open' }}); let stars = 0;
  const star = n => `<button data-k=star-${{n}} aria-label="${{n}} stars">★</button>`;
  root.innerHTML = `<p>${{[1, 2, 3, 4, 5].map(star).join('')}}
    <p><label>Headline <input data-k=headline></label> <button data-k=send>{word}</button>`;
  root.querySelectorAll('[data-k^=star]').forEach((one, n) => one.onclick = () => stars = n + 1);
  root.querySelector('[data-k=send]').onclick = () =>
    tell('review', {{ stars, text: root.querySelector('input').value }}) }} }})</script>"""
    questions = '<form action="do/ask"><label>Question <input name=q></label> <button>Ask</button></form>'
    main = look.order(
        look.card("Rate this lens", f"<star-rating></star-rating>{script}"), look.card("Questions", questions)
    )
    return {"index": look.page("Arden 50 mm", main)}


def _reviews(person: Person) -> None:
    host = "//star-rating >> "
    person.click("//button[@data-k='star-4']", inside=host)
    person.type("//input", "Very sharp", inside=host)
    person.click("//button[@data-k='send']", inside=host)


def _new_tab(look: Look) -> Pages:
    links = f"""<p>Not sure? See the
<a href=sizes target=_blank data-k=sizes>{look.word("size guide", "guide to sizes")}</a>
or <a href=stores>visit a store</a>. <button>Add to basket</button>"""
    guide = """<p><button data-k=metric onclick="tell('unit', { unit: 'cm' })">Metric</button>
<button onclick="tell('unit', { unit: 'in' })">Imperial</button>"""
    return {
        "index": look.page("Strap", look.order(look.card("Leather strap", links), look.card("Care", "<p>Wipe it"))),
        "sizes": look.page(
            "Sizes", look.order(look.card("Units", guide), look.card("How to measure", "<p>With a tape"))
        ),
    }


def _reads_guide(person: Person) -> None:
    person.click("sizes")
    person.tab(-1)
    person.click("metric")


def _dialog(look: Look, button: str, script: str) -> Pages:
    main = f"""<p>3 photos <button data-k=act onclick="{script}">{button}</button>
<button onclick="tell('share')">Share</button> <button>Print</button>"""
    other = "<p>12 photos <button onclick=\"tell('share-other')\">Share</button>"
    return {"index": look.page("Albums", look.order(look.card("Drafts", main), look.card("Published", other)))}


def _alert(look: Look) -> Pages:
    return _dialog(look, look.word("Check storage", "Check space"), "alert('40 % used'); tell('storage')")


def _alerted(person: Person) -> None:
    person.click_and_answer("act", accept=True)


def _confirm(look: Look) -> Pages:
    ask = "tell('delete', { yes: confirm('Delete all drafts?') })"
    return _dialog(look, look.word("Delete drafts", "Remove drafts"), ask)


def _declines(person: Person) -> None:
    person.click_and_answer("act", accept=False)


def _prompt(look: Look) -> Pages:
    ask = "tell('rename', { name: prompt('New name?', 'Drafts') })"
    return _dialog(look, look.word("Rename album", "Change name"), ask)


def _renames(person: Person) -> None:
    person.click_and_answer("act", accept=True, text="Autumn")


def _download(look: Look) -> Pages:
    links = f"""<p>
<a href="report.csv" data-k=report onclick="tell('report')">{look.word("Annual report", "Yearly report")}</a>
<p><a href="prices.csv">Price list</a>"""
    head = {"Content-Type": "text/csv", "Content-Disposition": "attachment; filename=report.csv"}
    return {
        "index": look.page(
            "Press", look.order(look.card("Files", links), look.card("Contact", "<p>press@example.org"))
        ),
        "report.csv": reply(b"year,sales\n2025,17\n", headers=head),
        "prices.csv": reply(b"name,price\n", headers=head),
    }


def _downloads(person: Person) -> None:
    person.click("report")


def _back(look: Look) -> Pages:
    second = look.word("Choosing a tripod", "How to choose a tripod")
    titles = (("moon", "Photographing the moon"), ("tripod", second), ("rain", "Out in the rain"))
    links = "".join(f'<p><a href="{path}" data-k={path}>{title}</a>' for path, title in titles)

    def story(title: str, path: str) -> str:
        button = f"<button data-k=like-{path} onclick=\"tell('like', {{ of: '{path}' }})\">Like</button>"
        return look.page(title, look.order(look.card("Story", f"<p>{title}. {button}"), look.card("More", links)))

    stories = {path: story(title, path) for path, title in titles}
    return {
        "index": look.page("Magazine", look.order(look.card("Stories", links), look.card("Archive", "<p>2025"))),
        **stories,
    }


def _goes_back(person: Person) -> None:
    person.click("moon")
    person.back()
    person.click("tripod")
    person.click("like-tripod")


WINDOWS = (
    Journey("frame", _frame, _fills_frame),
    Journey("frame-of-another-site", _other_frame, _fills_frame),
    Journey("shadow-root", _shadow, _reviews),
    Journey("new-tab", _new_tab, _reads_guide),
    Journey("alert", _alert, _alerted),
    Journey("confirm", _confirm, _declines),
    Journey("prompt", _prompt, _renames),
    Journey("download", _download, _downloads),
    Journey("back", _back, _goes_back),
)
