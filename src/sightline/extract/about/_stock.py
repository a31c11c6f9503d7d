"""Whether a product can be had: by the words and buttons that shops show beside its price, weighed by a small model."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
import numpy.typing as npt
import orjson

from sightline.arrays import BoolArray, IntArray
from sightline.extract.about._candidates import BLOCK, PIECE, Candidates
from sightline.extract.about._concepts import letters_of
from sightline.extract.about._context import name_parts
from sightline.extract.about._typed import GONE
from sightline.page import ABSENT, Page

WORDS_GONE = (
    *(
        "out of stock",
        "sold out",
        "currently unavailable",
        "no longer available",
        "temporarily unavailable",
        "discontinued",
    ),
    *(
        "ausverkauft",
        "nicht auf lager",
        "nicht verfügbar",
        "nicht lieferbar",
        "vergriffen",
        "épuisé",
        "rupture de stock",
    ),
    *(
        "indisponible",
        "agotado",
        "sin existencias",
        "no disponible",
        "sin stock",
        "esgotado",
        "indisponível",
        "esaurito",
    ),
    *(
        "non disponibile",
        "uitverkocht",
        "niet op voorraad",
        "slutsåld",
        "slut i lager",
        "udsolgt",
        "utsolgt",
        "loppunut",
    ),
    *("wyprzedane", "niedostępny", "brak w magazynie", "vyprodáno", "není skladem", "elfogyott", "nincs készleten"),
    *("stoc epuizat", "indisponibil", "нет в наличии", "распродано", "немає в наявності", "tükendi", "stokta yok"),
    *(
        "売り切れ",
        "在庫切れ",
        "在庫なし",
        "缺货",
        "售罄",
        "품절",
        "نفدت الكمية",
        "אזל מהמלאי",
        "εξαντλήθηκε",
        "notify me when",
    ),
)
WORDS_THERE = (
    *("in stock", "add to cart", "add to bag", "add to basket", "add to trolley", "buy now", "in den warenkorb"),
    *("auf lager", "sofort lieferbar", "ajouter au panier", "en stock", "añadir al carrito", "agregar al carro"),
    *("añadir a la cesta", "comprar", "adicionar ao carrinho", "em stock", "em estoque", "aggiungi al carrello"),
    *(
        "disponibile",
        "in winkelwagen",
        "op voorraad",
        "lägg i varukorg",
        "i lager",
        "læg i kurv",
        "på lager",
        "legg i handlekurv",
    ),
    *(
        "lisää ostoskoriin",
        "varastossa",
        "do koszyka",
        "dodaj do koszyka",
        "do košíku",
        "skladem",
        "kosárba",
        "raktáron",
    ),
    *(
        "adaugă în coș",
        "în stoc",
        "в корзину",
        "в наличии",
        "купить",
        "у кошик",
        "в наявності",
        "sepete ekle",
        "stokta",
    ),
    *(
        "カートに入れる",
        "在庫あり",
        "加入购物车",
        "加入購物車",
        "立即購買",
        "장바구니",
        "أضف إلى السلة",
        "הוסף לסל",
        "στο καλάθι",
    ),
)
PATTERNS = {
    state: re.compile("|".join(rf"(?<!\w){re.escape(words)}" for words in several), re.IGNORECASE)
    for state, several in (("OutOfStock", WORDS_GONE), ("InStock", WORDS_THERE))
}
NAMES_OF_GONE = re.compile(
    r"(?:out[-_ ]?of[-_ ]?stock|sold[-_ ]?out|no[-_ ]?stock|unavailable|not[-_ ]?available|agotado|esgotado|indispon)",
    re.IGNORECASE,
)
CONTROLS = ("button", "input", "a", "form", "select")
CONTROL_NAMES = ("class", "id", "name", "href", "action", "value", "title", "aria-label", "onclick", "data-action")
CART, LONGEST_NAME = "#cart", 120
LONGEST = 60  # characters; more is a sentence about something else
REACH = 60  # blocks from the name or the price
NEAR_PRICE = 0.3
FAR = 9.0
STOCK_MEASURES = (
    *("from words there", "words there", "from words gone", "words gone", "gone first"),
    *("from control", "controls", "controls near", "named gone", "price", "says there", "says gone"),
)


@dataclass(frozen=True)
class SeenStock:
    """The chance that the product can be had, that by what is seen alone, and the place that says most of it."""

    chance: float
    seen_chance: float
    nodes: tuple[int, ...]
    text: str


@dataclass(frozen=True, eq=False)
class StockSigns:
    """All that tells whether a product can be had, in the order of `STOCK_MEASURES`, and where it stands."""

    row: tuple[float, ...]
    there: int | None
    gone: int | None
    control: int | None
    price: int | None


def stock_signs(found: Candidates, likely: Mapping[str, npt.NDArray[np.float64]], said: str | None) -> StockSigns:
    """What is shown near the price, or near the name where no price is seen, and what the page says."""
    page = found.page
    anchor = _anchor(found, likely)
    words = {state: _words(found, pattern, anchor) for state, pattern in PATTERNS.items()}
    there, gone = words["InStock"], words["OutOfStock"]
    at = int(found.blocks.start[anchor]) if len(found.blocks) else 0
    controls = _controls(page)
    near = controls[np.argsort(np.abs(controls - at))] if len(controls) else controls
    prices = likely["price"]
    row = (
        there[0][1] if there else FAR,
        float(np.log1p(len(there))),
        gone[0][1] if gone else FAR,
        float(np.log1p(len(gone))),
        float(bool(gone) and (not there or gone[0][1] < there[0][1])),
        float(np.log1p(abs(int(near[0]) - at))) if len(near) else FAR,
        float(np.log1p(len(controls))),
        float(np.log1p((np.abs(controls - at) < NEAR_NODES).sum())),
        float(np.log1p(_named_gone(page, at))),
        float(prices.max()) if len(prices) else 0.0,
        float(said is not None and said not in GONE),
        float(said in GONE),
    )
    return StockSigns(
        row,
        there[0][0] if there else None,
        gone[0][0] if gone else None,
        int(near[0]) if len(near) else None,
        int(prices.argmax()) if len(prices) and prices.max() > NEAR_PRICE else None,
    )


NEAR_NODES = 150


def stock_seen(found: Candidates, likely: Mapping[str, npt.NDArray[np.float64]], said: str | None) -> SeenStock | None:
    """How likely a product can be had by all that is seen and said, with the place that shows it."""
    if not len(found):
        return None
    signs = stock_signs(found, likely, said)
    weights = stock_weights()
    chance, seen = stock_chance(weights["all"], signs.row), stock_chance(weights["seen"], signs.row)
    row = (signs.there if chance >= EVEN else signs.gone) or signs.price
    if row is not None:
        one = found.all[row]
        return SeenStock(chance, seen, one.nodes, one.text)
    return SeenStock(chance, seen, (), "")


EVEN = 0.5


def stock_chance(weights: Mapping[str, Any], row: tuple[float, ...]) -> float:
    """The chance that a product can be had, by its signs and some weights."""
    score = weights["bias"] + sum(
        weights["weights"][name] * value for name, value in zip(STOCK_MEASURES, row, strict=True)
    )
    return float(1 / (1 + np.exp(-score)))


@cache
def stock_weights() -> Mapping[str, Any]:
    """The weights of all signs, and those of what is seen, as `python -m bench.about.grow_weighing` found them."""
    document: Mapping[str, Any] = orjson.loads(
        resources.files("sightline.extract.about").joinpath("stock.json").read_bytes()
    )
    return document


def _words(found: Candidates, pattern: re.Pattern[str], anchor: int) -> list[tuple[int, float]]:
    """The candidates that say something in words near a block, the nearest first, with how far each is."""
    near = np.flatnonzero(((found.kind == BLOCK) | (found.kind == PIECE)) & (np.abs(found.block - anchor) <= REACH))
    rows = [
        (row, float(np.log1p(abs(found.all[row].block - anchor))))
        for row in near.tolist()
        if len(found.all[row].text) <= LONGEST and pattern.search(found.all[row].text)
    ]
    return sorted(rows, key=lambda pair: pair[1])


def _controls(page: Page) -> IntArray:
    """The buttons, links and forms whose names have to do with a cart or with buying."""
    nodes = page.with_tag(*CONTROLS)
    chosen: BoolArray = np.zeros(len(nodes), dtype=bool)
    for name in CONTROL_NAMES:
        values = page.attribute(name)[nodes]
        distinct = np.unique(values[values != ABSENT]).tolist()
        chosen |= np.isin(values, [number for number in distinct if _is_of_cart(page.strings[number][:LONGEST_NAME])])
    return nodes[chosen]


def _is_of_cart(name: str) -> bool:
    return bool(letters_of(CART).search(name)) and CART in name_parts(name)


def _named_gone(page: Page, at: int) -> int:
    """How many elements near a node are named after something that cannot be had."""
    classes = page.attribute("class")[max(0, at - NEAR_NODES) : at + NEAR_NODES]
    named = [
        number
        for number in np.unique(classes[classes != ABSENT]).tolist()
        if NAMES_OF_GONE.search(page.strings[number])
    ]
    return int(np.isin(classes, named).sum())


def _anchor(found: Candidates, likely: Mapping[str, npt.NDArray[np.float64]]) -> int:
    for name, least in (("price", NEAR_PRICE), ("name", 0.0)):
        chances = likely[name]
        if len(chances) and chances.max() > least:
            return int(found.block[int(chances.argmax())])
    return 0
