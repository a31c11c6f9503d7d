"""Scripts are played in a real browser, and nothing is clicked that is not certain."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests._wait import wait_until

import sightline as sl
from sightline.errors import UsageError
from sightline.jobs import Progress
from sightline.navigate import Played
from sightline.navigate.play import _browsing
from sightline.net import CrawlPolicy
from sightline.sources._loop import RUNTIME

from .._site import Served, served
from ._sites import NAMES, page, pages_of, shop

POLITE = CrawlPolicy(delay=0)
SECRET = "xK9-geheim/42"


@pytest.fixture(scope="module")
def session() -> Iterator[sl.Session]:
    """A session that the tests share."""
    with sl.session(policy=POLITE) as opened:
        yield opened


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Targets that are not there are hardly waited for: `test_what_comes_late_is_waited_for` tells that they are."""
    monkeypatch.setattr(_browsing, "PATIENCE", 0.3)


def played(session: sl.Session, site: Served, steps: str, **choices: Any) -> Played:
    """What comes of some steps after the first page of a site is opened."""
    text = f"navigation: 1\nvariables: {{site: {site.url}}}\nsteps:\n  - open: '{{site}}/'\n{steps}"
    return sl.play(sl.Script.loads(text, "test.nav.yaml"), session=session, **choices)


def texts(found: Played, name: str) -> list[Any]:
    """One column of what was extracted."""
    return [record.get(name) for record in found.records.to_dicts()]


# ---------------------------------------------------------------------- targets


@pytest.mark.slow
@pytest.mark.parametrize(
    "target",
    ["Search", "{button: search}", "{css: '#go'}", "{xpath: '//button[1]'}", "{button: Nothing, css: '#go'}"],
)
def test_a_button_is_clicked_however_it_is_named(session: sl.Session, target: str) -> None:
    """By its name, its role, a selector, or a selector that stands in for a name."""
    form = "<input aria-label=Text><button id=go onclick=\"document.title='done'\">Search</button>"
    with served(pages_of(home=form)) as site:
        found = played(session, site, f"  - click: {target}\n  - set: {{t: {{read: {{css: title}}}}}}\n")
        assert (found.verdict, found.why) == ("ok", "")
        assert session.capture().title == "done"


@pytest.mark.slow
def test_what_is_there_twice_is_not_clicked(session: sl.Session) -> None:
    """The script ends with where it is, and how to say which one is meant; `number` and `in` do."""
    button = "<section><h2>{0}</h2><button onclick=\"document.title='{0}'\">Buy</button></section>"
    rows = "".join(map(button.format, "AB"))
    with served(pages_of(home=rows)) as site:
        found = played(session, site, "  - click: {button: Buy}\n")
        assert found.verdict == "failed"
        assert "line 5, step 2 (click button “Buy”): Button “Buy” is on the page 2 times" in found.why
        assert session.capture().title == "Home"
        assert played(session, site, "  - click: {button: Buy, number: 2}\n").verdict == "ok"
        assert session.capture().title == "B"
        assert played(session, site, "  - click: {button: Buy, in: {css: section}}\n").verdict == "failed"
        assert played(session, site, "  - click: {button: Buy, in: {xpath: '//section[1]'}}\n").verdict == "ok"
        assert session.capture().title == "A"


@pytest.mark.usefixtures("impatient")
def test_what_is_not_there_is_reported_with_what_is(session: sl.Session) -> None:
    """And what comes close to it."""
    with served(pages_of(home="<button>Search</button>")) as site:
        found = played(session, site, "  - click: {button: Serch}\n")
    assert "Button “Serch” is not on the page; close to it is “Search”" in found.why


@pytest.mark.slow
def test_what_comes_late_is_waited_for(session: sl.Session) -> None:
    """A little for every target, and as long as told by `wait for`."""
    add = "document.body.insertAdjacentHTML('beforeend', '<button>Late</button>')"
    late = f"<script>setTimeout(() => {add}, 1200)</script>"
    with served(pages_of(home=late)) as site:
        assert played(session, site, "  - wait for: {button: Late}\n    seconds: 20\n").verdict == "ok"
        assert played(session, site, "  - click: {button: Late}\n").verdict == "ok"
        found = played(session, site, "  - wait for: {button: Never}\n    seconds: 1\n")
    assert "was not there after 1 s" in found.why


def test_a_covered_button_is_not_clicked(session: sl.Session) -> None:
    """The error says what covers it."""
    covered = (
        "<button>Buy</button><div id=cookies style='position: fixed; inset: 0; background: white'>We value you</div>"
    )
    with served(pages_of(home=covered)) as site:
        found = played(session, site, "  - click: {button: Buy}\n")
    assert "is covered by <div#cookies>" in found.why


# ---------------------------------------------------------------------- forms


@pytest.mark.slow
def test_a_form_is_filled_as_told(session: sl.Session) -> None:
    """Texts, boxes, checkboxes, radio buttons and keys arrive at the site."""
    form = (
        "<form action=/done><label>Name <input name=name></label>"
        "<label>Size <select name=size><option>S<option>M</select></label>"
        "<label><input type=checkbox name=new> New</label><label><input type=checkbox name=old checked> Old</label>"
        "<label><input type=radio name=colour value=red> Red</label><button>Send</button></form>"
    )
    steps = (
        "  - fill: {label: Name}\n    with: 'Anna {site}'\n  - select: {combobox: Size}\n    option: M\n"
        "  - check: {checkbox: New}\n  - uncheck: Old\n  - check: {radio: Red}\n"
        "  - fill: {label: Name}\n    with: Anna\n  - press: Enter\n"
    )
    with served(pages_of(home=form, done="<p>Thank you")) as site:
        found = played(session, site, steps)
        assert found.verdict == "ok", found.why
        assert site.asked[-1] == "/done?name=Anna&size=M&new=on&colour=red"


def test_steps_in_a_frame_find_only_what_is_there(session: sl.Session) -> None:
    """The same button outside is not meant."""
    frame = "<button onclick=\"document.title='outer'\">Go</button><iframe title=inner src=/inner></iframe>"
    inner = "<button onclick=\"parent.document.title='inner'\">Go</button>"
    with served(pages_of(home=frame, inner=inner)) as site:
        found = played(session, site, "  - frame: {css: iframe}\n    steps:\n      - click: {button: Go}\n")
        assert found.verdict == "ok", found.why
        assert session.capture().title == "inner"


def test_dialogs_tabs_and_history(session: sl.Session) -> None:
    """Answered as told, gone on in, and gone back in."""
    home = (
        "<button onclick=\"document.title = prompt('Name?')\">Ask</button><a href=/other target=_blank>New</a>"
        "<a href=/other>Same</a>"
    )
    steps = (
        "  - dialog: accept\n    text: Anna\n  - click: {button: Ask}\n  - click: {link: Same}\n  - back\n"
        "  - click: {link: New}\n  - tab: newest\n  - extract: content\n    as: texts\n  - tab: first\n"
    )
    with served(pages_of(home=home, other="<p>Nothing but a page.")) as site:
        found = played(session, site, steps)
    assert found.verdict == "ok", found.why
    assert session.dialogs[-1].text == "Anna"


# ---------------------------------------------------------------------- secrets

LOGIN = "<form action=/in method=get><label>Password <input type=password name=p></label><button>Log in</button></form>"


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["password", "text"])
@pytest.mark.usefixtures("impatient")
def test_a_secret_is_typed_and_found_nowhere_else(
    session: sl.Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """Not in the trace, the output, the errors or the progress, though the site repeats it in a page and an address."""
    monkeypatch.setenv("SHOP_PASSWORD", SECRET)
    form = LOGIN.replace("type=password", f"type={kind}")

    def answer(path: str) -> str | None:
        if path.startswith("/in"):
            return page("In", f"<p>Your password is {SECRET}</p><ul><li>{SECRET}<li>one<li>two<li>three</ul>")
        return page("Log in", form) if path == "/" else None

    steps = (
        "  - fill: {label: Password}\n    with: {secret: password}\n  - click: {button: Log in}\n"
        "  - extract: lists\n  - set: {said: {read: {css: p}}}\n  - click: {button: '{said}'}\n"
    )
    told: list[str] = []
    with served(answer) as site:
        text = (
            f"navigation: 1\nvariables: {{site: {site.url}}}\nsecrets: {{password: {{environment: SHOP_PASSWORD}}}}\n"
            f"steps:\n  - open: '{{site}}/'\n{steps}"
        )
        found = sl.play(
            sl.Script.loads(text),
            session=session,
            trace=tmp_path / "trace",
            on_progress=lambda progress: told.append(str(progress)),
        )
        assert any("p=xK9-geheim%2F42" in path for path in site.asked)
    everything = [repr(found), json.dumps(found.records.to_dicts()), *told]
    everything += [path.read_bytes().decode("latin-1") for path in (tmp_path / "trace").iterdir()]
    pages = [sl.open(path) for path in (tmp_path / "trace").glob("*.page")]
    everything += [text for page in pages for text in (*page.strings, page.url, page.title)]
    assert found.ended == "failed"  # the last button is not there, and its error is one more place to look
    assert len(told) == 6
    for written in (SECRET, "xK9-geheim%2F42"):
        assert not [one for one in everything if written in one]


def test_a_secret_that_is_nowhere_is_asked_for(session: sl.Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the place where it should be."""
    monkeypatch.delenv("SHOP_PASSWORD", raising=False)
    with served(pages_of(home=LOGIN)) as site:
        text = (
            f"navigation: 1\nsecrets: {{password: {{environment: SHOP_PASSWORD}}}}\nsteps:\n  - open: {site.url}/\n"
            "  - fill: {label: Password}\n    with: {secret: password}\n"
        )
        found = sl.play(sl.Script.loads(text), session=session)
    assert "set the environment variable SHOP_PASSWORD first" in found.why


# ---------------------------------------------------------------------- records and loops


@pytest.mark.slow
def test_records_are_extracted(session: sl.Session) -> None:
    """Lists and tables, each into its own output."""
    table = "<table><tr><th>Town<th>People<tr><td>Ulm<td>126,000<tr><td>Jena<td>111,000<tr><td>Bonn<td>336,000</table>"
    with served(pages_of(home=table + "<ul><li>one</li><li>two</li><li>three</li></ul>")) as site:
        found = played(session, site, "  - extract: tables\n    as: towns\n  - extract: lists\n    as: words\n")
    assert found.verdict == "ok", found.why
    assert found.outputs["towns"].to_dicts()[1] == {"Town": "Jena", "People": "111,000"}
    assert len(found.outputs["words"]) == 3


@pytest.mark.slow
def test_each_record_is_acted_on_in_its_own_place(session: sl.Session) -> None:
    """`in: record` presses the button of that record, and `set` adds a field to it."""
    steps = (
        "  - for each: lists\n    take: {name: title}\n    steps:\n"
        "      - click: {button: Keep, in: record}\n"
        "      - set: {kept: {read: {button: 'Kept {name}'}}}\n"
    )
    with served(shop()) as site:
        found = played(session, site, steps)
    assert found.verdict == "ok", (found.why, found.doubts)
    assert texts(found, "kept") == [f"Kept {name} 1" for name in NAMES]


@pytest.mark.slow
def test_each_record_is_followed_to_its_own_page(session: sl.Session) -> None:
    """And the next one is found again on the list."""
    steps = (
        "  - for each: lists\n    take: {name: title}\n    steps:\n      - follow: {link: '{name}', in: record}\n"
        "        steps:\n          - set: {weight: {read: {css: dd}}}\n"
    )
    with served(shop()) as site:
        found = played(session, site, steps)
    assert found.verdict == "ok", (found.why, found.doubts)
    assert texts(found, "weight") == [f"{(len(name) + 1) * 100} g" for name in NAMES]


@pytest.mark.slow
@pytest.mark.usefixtures("impatient")
def test_a_record_that_fails_does_not_stop_the_others(session: sl.Session) -> None:
    """It says why, and the whole is not called ok."""
    steps = (
        "  - for each: lists\n    take: {name: title}\n    steps:\n      - if present: {text: Kestrel 1, in: record}\n"
        "        then:\n          - click: {button: Sell, in: record}\n"
    )
    with served(shop()) as site:
        found = played(session, site, steps)
    assert (found.ended, found.verdict) == ("end", "suspicious")
    problems = texts(found, "problem")
    assert [bool(one) for one in problems] == [name == "Kestrel" for name in NAMES]
    assert "Button “Sell” in the record is not on the page" in problems[2]


@pytest.mark.slow
@pytest.mark.usefixtures("impatient")
def test_steps_that_fail_for_all_records_end_the_script(session: sl.Session) -> None:
    """After three in a row, with what was read so far."""
    steps = "  - for each: lists\n    steps:\n      - click: {button: Sell, in: record}\n"
    with served(shop()) as site:
        found = played(session, site, steps)
    assert (found.ended, found.verdict, len(found.records)) == ("failed", "suspicious", 3)


def test_all_pages_are_walked(session: sl.Session) -> None:
    """Without saying how they are turned."""
    with served(shop(3)) as site:
        found = played(session, site, "  - next pages:\n    steps:\n      - extract: lists\n")
    assert found.verdict == "ok", (found.why, found.doubts)
    assert texts(found, "title") == [f"{name} {number}" for number in (1, 2, 3) for name in NAMES]


def test_more_pages_than_allowed_are_told(session: sl.Session) -> None:
    """The result is not called ok."""
    with served(shop(3)) as site:
        found = played(session, site, "  - next pages: 2\n    steps:\n      - extract: lists\n")
    assert (found.verdict, len(found.records)) == ("suspicious", 12)
    assert any("there are more; raise the number of `next pages`" in doubt for doubt in found.doubts)


MORE = (
    '<ul id=l></ul><button onclick="const n = l.children.length; l.innerHTML += `<li>Item ${n + 1}</li>`; '
    "if (n == 3) this.outerHTML = '<p>That is all</p>'\">More</button>"
)


def test_steps_are_repeated_until_something_is_there(session: sl.Session) -> None:
    """And not for ever: reaching the most is told."""
    with served(pages_of(home=MORE)) as site:
        steps = "  - repeat until: That is all\n    steps:\n      - click: More\n"
        assert played(session, site, f"{steps}  - extract: lists\n").verdict == "ok"
        found = played(session, site, f"{steps}    at most: 2\n")
    assert found.verdict == "suspicious"
    assert "line 5 was repeated 2 times without “That is all”" in found.doubts


def test_conditions_choose_between_steps(session: sl.Session) -> None:
    """By what is on the page, by a variable, and by the address."""
    steps = (
        "  - if present: {button: More}\n    then:\n      - set: {a: there}\n    else:\n      - set: {a: not there}\n"
        "  - if missing: {button: Less}\n    then:\n      - set: {b: missing}\n"
        "  - if present: {address: '{site}/*'}\n    then:\n      - set: {c: here}\n"
        "  - if present: {value: a}\n    then:\n      - stop: '{a} {b} {c}'\n"
    )
    with served(pages_of(home=MORE)) as site:
        found = played(session, site, steps)
    assert (found.ended, found.why, found.verdict) == ("stop", "there missing here", "ok")


# ---------------------------------------------------------------------- how it goes


@pytest.mark.usefixtures("impatient")
def test_a_script_begins_where_it_is_told(session: sl.Session) -> None:
    """With the last address before that step."""
    steps = "  - click: {button: Nowhere}\n  - extract: lists\n"
    with served(shop()) as site:
        assert played(session, site, steps).verdict == "failed"
        assert len(played(session, site, steps, start=3).records) == 6
        with pytest.raises(UsageError, match="no step 9"):
            played(session, site, steps, start=9)


def test_progress_tells_each_step(session: sl.Session) -> None:
    """With its number and the record that it is about."""
    told: list[Progress] = []
    with served(shop()) as site:
        played(session, site, "  - for each: lists\n    steps:\n      - set: {x: y}\n", on_progress=told.append)
    assert told[2].current == "2.1 set x · Arden 1"


@pytest.mark.usefixtures("impatient")
def test_a_trace_shows_the_window_before_each_step(session: sl.Session, tmp_path: Path) -> None:
    """With the page itself, a log, and a report; a later run replaces it, other files do not suffer."""
    folder = tmp_path / "trace"
    with served(shop()) as site:
        played(session, site, "  - click: {link: Kestrel 1}\n  - click: {button: Sell}\n", trace=folder)
        first = [json.loads(line) for line in (folder / "steps.jsonl").read_text().splitlines()]
        assert [(one["step"], one["ok"]) for one in first] == [("1", True), ("2", True), ("3", False)]
        assert sl.open(folder / first[2]["page"]).title == "Kestrel1"
        assert (folder / first[1]["picture"]).read_bytes().startswith(b"\x89PNG")
        report = sl.open(folder / "index.html").text_of(0)
        assert "click button “Sell”" in report
        assert "is not on the page" in report
        played(session, site, "", trace=folder)
        assert [path.name for path in folder.glob("*.png")] in ([], ["0001.png"])
        (tmp_path / "mine.txt").write_text("precious")
        with pytest.raises(UsageError, match="has other files"):
            played(session, site, "", trace=tmp_path)


def test_a_log_in_in_the_middle_ends_it_with_what_is_there(session: sl.Session) -> None:
    """And is named."""

    def answer(path: str) -> str | None:
        wall = "<form><h2>Please log in to continue</h2><label>Password <input type=password></label></form>"
        return page("Log in", wall) if "page=2" in path else shop(3)(path)

    with served(answer) as site:
        found = played(session, site, "  - extract: lists\n  - click: {link: Next}\n  - extract: lists\n")
    assert (found.ended, found.verdict, len(found.records)) == ("failed", "suspicious", 6)
    assert "log-in" in found.why


def test_a_busy_site_is_waited_for(session: sl.Session) -> None:
    """Once it answers, the script goes on."""
    asked: list[str] = []

    def answer(path: str) -> tuple[int, str] | str | None:
        asked.append(path)
        return (503, page("Busy", "<p>Come back")) if len(asked) == 1 else shop()(path)

    with served(answer) as site:
        found = played(session, site, "  - extract: lists\n")
    assert (found.verdict, len(found.records)) == ("ok", 6)


def test_a_crashed_tab_is_replaced_once(session: sl.Session) -> None:
    """The step is done in a fresh one, and that is told."""

    def crash(progress: Progress) -> None:
        if progress.current and progress.current.startswith("2 "):
            tab = session._opened().tabs.current.tab
            RUNTIME.loop.call_soon_threadsafe(lambda: tab.connection.send("Page.crash", session=tab.session))
            wait_until(lambda: tab.worn)

    with served(pages_of(home="<button onclick=\"document.title='done'\">Go</button>")) as site:
        found = played(session, site, "  - click: {button: Go}\n", on_progress=crash)
        assert session.capture().title == "done"
    assert found.ended == "end", found.why
    assert any("crashed at step 2" in doubt for doubt in found.doubts)


# ---------------------------------------------------------------------- what newcomers met


def test_a_script_logs_in_where_it_has_to(session: sl.Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that asks for a password is a page like others, until data is to be taken from it."""
    monkeypatch.setenv("SHOP_PASSWORD", SECRET)
    form = "<form action=/in><label>Password <input type=password name=p></label><button>Log in</button></form>"

    def answer(path: str) -> str | None:
        if path.startswith("/in"):
            return shop()("/") if "geheim" in path else (302, "/login?wrong")
        return page("Log in", form) if path.startswith("/login") else page("Home", "<a href=/login>Log in</a>")

    steps = (
        "  - click: {link: Log in}\n  - if present: {text: Wrong password}\n    then:\n      - stop: wrong\n"
        "  - fill: Password\n    with: {secret: password}\n  - click: {button: Log in}\n  - extract: lists\n"
    )
    with served(answer) as site:
        head = "navigation: 1\nsecrets: {password: {environment: SHOP_PASSWORD}}\n"
        text = f"{head}steps:\n  - open: {site.url}/\n{steps}"
        assert len(sl.play(sl.Script.loads(text), session=session).records) == 6
        monkeypatch.setenv("SHOP_PASSWORD", "nonsense")
        found = sl.play(sl.Script.loads(text), session=session)
    assert found.verdict == "failed"
    assert "asks for a log-in" in found.why


def test_a_page_that_comes_again_gives_nothing_twice(session: sl.Session) -> None:
    """The first page also has an address with its number, to which a pager leads back."""

    def answer(path: str) -> str | None:
        found = shop(3)(path)
        numbers = "".join(f"<a href=/?page={number}>{number}</a> " for number in (1, 2, 3))
        return found.replace("<p class=pager>", f"<p class=pager>{numbers}") if found else None

    with served(answer) as site:
        found = played(session, site, "  - next pages:\n    steps:\n      - extract: lists\n")
    assert found.verdict == "ok", found.doubts
    assert sorted(texts(found, "title")) == sorted(f"{name} {number}" for number in (1, 2, 3) for name in NAMES)


GROWING = (
    "<ul id=l></ul><button onclick='more()'>Load more</button><script>let n = 0; const more = () => { "
    "for (const end = Math.min(n + 6, 15); n < end; n++) l.insertAdjacentHTML('beforeend', `<li class=item>"
    "<h3><a href=/item/${n}>Item ${n}</a></h3><p>Some words about item ${n}</p></li>`); "
    "if (n == 15) document.querySelector('button').remove() }; more()</script>"
)


@pytest.mark.slow
@pytest.mark.parametrize(
    "step",
    [
        "follow: {link: '{title}', in: record}\n            steps:\n              - set: {said: {read: {css: h1}}}",
        "set: {said: x}",
    ],
)
def test_a_list_that_grows_gives_each_record_once(session: sl.Session, step: str) -> None:
    """Also if steps visit other pages: the list stays as it has grown."""

    def answer(path: str) -> str | None:
        return page(path, "<p>Nothing more") if path.startswith("/item") else page("Items", GROWING)

    steps = f"  - next pages:\n    steps:\n      - for each: lists\n        steps:\n          - {step}\n"
    with served(answer) as site:
        found = played(session, site, steps)
    assert found.verdict == "ok", (found.why, found.doubts)
    assert texts(found, "title") == [f"Item {number}" for number in range(15)]
    assert texts(found, "said") in (["x"] * 15, [f"/item/{number}" for number in range(15)])


def test_a_last_page_with_one_record_is_read(session: sl.Session) -> None:
    """One record is no list by itself, but it is of the list that the pages before have."""

    def answer(path: str) -> str | None:
        found = shop(2)(path)
        return re.sub(r"(?s)(</li>).*</ul>", r"\1</ul>", found) if found and "page=2" in path else found

    with served(answer) as site:
        found = played(session, site, "  - next pages:\n    steps:\n      - extract: lists\n")
    assert texts(found, "title") == [*(f"{name} 1" for name in NAMES), f"{NAMES[0]} 2"]


@pytest.mark.slow
def test_a_loop_finds_its_list_again(session: sl.Session) -> None:
    """Steps that leave the page need no way back."""
    steps = (
        "  - for each: lists\n    take: {name: title}\n    steps:\n      - click: {link: '{name}', in: record}\n"
        "      - set: {weight: {read: {css: dd}}}\n"
    )
    with served(shop()) as site:
        found = played(session, site, steps)
    assert found.verdict == "ok", (found.why, found.doubts)
    assert texts(found, "weight") == [f"{(len(name) + 1) * 100} g" for name in NAMES]


def test_a_step_means_what_it_is_for(session: sl.Session) -> None:
    """`fill: Search` is the input, `frame: Register` the frame, though other things are called the same."""
    home = "<input aria-label=Search><button>Search</button><iframe title=Register src=/inner></iframe>"
    inner = "<h2>Register</h2><input aria-label=Company>"
    with served(pages_of(home=home, inner=inner)) as site:
        steps = (
            "  - fill: Search\n    with: x\n  - frame: Register\n    steps:\n      - fill: Company\n        with: y\n"
        )
        found = played(session, site, steps)
        assert found.verdict == "ok", found.why
        told = played(session, site, "  - click: Search\n").why
    assert "say what it is: {textbox: Search} or {button: Search}" in told


@pytest.mark.usefixtures("impatient")
def test_a_wrong_role_is_told_with_the_right_one(session: sl.Session) -> None:
    """Links look like buttons."""
    with served(pages_of(home="<a href=/x>Cameras</a>")) as site:
        found = played(session, site, "  - click: {button: Cameras}\n")
    assert "there is the link “Cameras”; write {link: Cameras}" in found.why


@pytest.mark.usefixtures("impatient")
def test_a_new_tab_is_told_where_a_step_fails_because_of_it(session: sl.Session) -> None:
    """With how to go on there."""
    with served(pages_of(home="<a href=/x target=_blank>Open</a>", x="<button>Go</button>")) as site:
        found = played(session, site, "  - click: Open\n  - click: {button: Go}\n")
    assert "Step 2 opened a new tab; go on there with `tab: newest`." in found.why


def test_downloads_are_told_with_their_names(tmp_path: Path) -> None:
    """And a script that stores one is ok, though it extracts nothing."""
    link = "<a href='data:text/csv,a' download='report.csv'>Report</a>"
    with served(pages_of(home=link)) as site, sl.session(policy=POLITE, downloads=tmp_path) as storing:
        found = played(storing, site, "  - download: Report\n    set: file\n")
    assert (found.verdict, [one.name for one in found.downloads]) == ("ok", ["report.csv"])


def test_a_download_without_a_folder_is_told_before_it_begins(session: sl.Session) -> None:
    """With both ways to name one."""
    with served(pages_of(home="<a href='data:text/csv,a' download>Report</a>")) as site:
        found = played(session, site, "  - download: Report\n")
    assert "name one: `--downloads DIR`, or sl.session(downloads=…)" in found.why


def test_steps_are_repeated_while_something_is_there(session: sl.Session) -> None:
    """And not for ever."""
    with served(pages_of(home=MORE)) as site:
        steps = "  - repeat while: {button: More}\n    steps:\n      - click: More\n"
        assert len(played(session, site, f"{steps}  - extract: lists\n").records) == 4
        found = played(session, site, f"{steps}    at most: 2\n")
    assert "line 5 was repeated 2 times, and button “More” is still there" in found.doubts


FACTS = (
    "<h1>EOS 5D</h1><p>Maker: Canon</p><dl><dt>Weight<dd>350 <b>g</b><dt>Size<dd>7 cm</dl>"
    "<table><tr><th>Colour<td>black<tr><th>Price<td>500 €</table>"
)


def test_one_record_is_made_of_values_of_a_page(session: sl.Session) -> None:
    """By element, label, and place; what is missing is told."""
    steps = (
        "  - add:\n      name: {read: {heading: 'EOS*'}}\n      maker: {beside: Maker}\n"
        "      weight: {beside: 'weight:'}\n"
        "      price: {beside: Price}\n      none: {beside: Nothing}\n      where: {address: true}\n    as: cameras\n"
    )
    with served(pages_of(home=FACTS)) as site:
        found = played(session, site, steps)
        [record] = found.outputs["cameras"].to_dicts()
        assert record.pop("where") == site("/")
    assert record == {"name": "EOS 5D", "maker": "Canon", "weight": "350 g", "price": "500 €", "none": None}
    assert any("no value for “none”" in doubt for doubt in found.doubts)


ROWS = (
    "<h2>Cameras</h2><ul><li>EOS <b>new</b> <button>Buy</button></li><li>Z8 <button>Buy</button></li></ul>"
    "<h2>Lenses</h2><p>All of them</p><button>Buy</button>"
    "<script>document.querySelectorAll('button').forEach((one, n) => one.onclick = () => document.title = n)</script>"
)


@pytest.mark.parametrize(
    ("inside", "clicked"), [("{text: new}", "0"), ("{heading: Lenses}", "2"), ("{css: 'li:nth-child(2)'}", "1")]
)
def test_a_target_is_found_by_what_is_beside_it(session: sl.Session, inside: str, clicked: str) -> None:
    """In the row with a text, and below a heading."""
    with served(pages_of(home=ROWS)) as site:
        found = played(session, site, f"  - click: {{button: Buy, in: {inside}}}\n")
        assert found.verdict == "ok", found.why
        assert session.capture().title == clicked


def test_a_place_that_is_not_there_has_nothing_in_it(session: sl.Session) -> None:
    """As a condition, it is just not there; two of it are an error."""
    with served(pages_of(home=ROWS)) as site:
        steps = "  - if missing: {button: Buy, in: {text: X100}}\n    then:\n      - stop: missing\n"
        assert played(session, site, steps).why == "missing"
        assert "3 times" in played(session, site, "  - click: {text: new, in: {button: Buy}}\n").why
