"""Whether a wrapper needs the browser: only if pages read otherwise without one."""

import json
from collections.abc import Callable

import pytest

import sightline as sl
from sightline.extract.wrappers import Wrapper
from sightline.jobs import tried_without_browser

from ..sources.browser._site import rendered


def _product(number: int, price: str) -> str:
    return f"<title>Camera {number}</title><h1>Camera {number}</h1><p>Price: {price}</p><footer>Imprint</footer>"


def _plain(number: int) -> str:
    return _product(number, f"<b>{number}9 €</b>")


def _scripted(number: int) -> str:
    return _product(number, f"<b id=p></b><script>p.textContent = '{number}9 €'</script>")


def _stated(number: int) -> str:
    """A page that a script makes of its state."""
    state = {"name": f"Camera {number}", "cents": number * 1000 + 990, "maker": ("Acme", "Lumo", "Ferro")[number % 3]}
    return (
        f"<title>Cameras</title><div id=app></div><script>window.__STATE__ = {json.dumps({'item': state})};"
        "const i = window.__STATE__.item; app.innerHTML = `<h1>${i.name}</h1><p>Price: <b>"
        "${(i.cents / 100).toFixed(2)} €</b></p><p>Made by <i>${i.maker}</i></p>`</script><footer>Imprint</footer>"
    )


def _learned(make: Callable[[int], str]) -> tuple[Wrapper, list[tuple[str, sl.Page]]]:
    pages = [(str(number), rendered(make(number))) for number in range(1, 5)]
    return sl.induce([page for _, page in pages]), pages


@pytest.mark.parametrize(("make", "needs"), [(_plain, "static"), (_stated, "static"), (_scripted, "rendered")])
def test_a_browser_is_needed_where_scripts_write_values(make: Callable[[int], str], needs: str) -> None:
    """The same records without a doubt, on pages spread over the training, or the browser it is; the file keeps it.

    Where a script writes what the page carries in a state, the state gives the same.
    """
    wrapper, pages = _learned(make)
    asked: list[str] = []

    def open_static(source: str) -> sl.Page:
        asked.append(source)
        return sl.open(f"<!doctype html><meta charset=utf-8>{make(int(source))}", static=True)

    tried = tried_without_browser(wrapper, pages, open_static)
    assert (wrapper.needs, tried.needs) == ("rendered", needs)
    assert Wrapper.loads(tried.dumps()).needs == needs
    assert asked == (["1", "3", "4"] if needs == "static" else ["1"])


def test_pages_that_cannot_be_opened_again_need_the_browser() -> None:
    """Nothing is supposed of what was not tried."""
    wrapper, pages = _learned(_plain)
    assert tried_without_browser(wrapper, pages, lambda _: None).needs == "rendered"
    assert tried_without_browser(wrapper, [], lambda _: None).needs == "rendered"


def test_a_wrapper_learned_without_a_browser_needs_none() -> None:
    """There is nothing to try."""
    pages = [sl.open(f"<!doctype html><meta charset=utf-8>{_plain(number)}", static=True) for number in range(1, 5)]
    assert sl.induce(pages).needs == "static"
