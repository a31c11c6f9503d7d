"""Whether a product can be had, by the words that shops show beside its price."""

import re
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from sightline.extract.about._candidates import BLOCK, PIECE, Candidates

GONE = (
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
THERE = (
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
    for state, several in (("OutOfStock", GONE), ("InStock", THERE))
}
LONGEST = 60  # characters; more is a sentence about something else
REACH = 60  # blocks from the name or the price
NEAR_PRICE = 0.3


def stock_seen(found: Candidates, likely: Mapping[str, npt.NDArray[np.float64]]) -> tuple[str, int, float] | None:
    """What is shown nearest to the price, or to the name where no price is seen, with its candidate and its chance."""
    anchor = _anchor(found, likely)
    best: tuple[float, str, int] | None = None
    for row in np.flatnonzero((found.kind == BLOCK) | (found.kind == PIECE)).tolist():
        one = found.all[row]
        away = abs(one.block - anchor)
        if len(one.text) > LONGEST or away > REACH:
            continue
        state = next((state for state, pattern in PATTERNS.items() if pattern.search(one.text)), None)
        if state and (best is None or away < best[0]):
            best = (away, state, row)
    return None if best is None else (best[1], best[2], 1 - best[0] / (REACH + 1))


def _anchor(found: Candidates, likely: Mapping[str, npt.NDArray[np.float64]]) -> int:
    for name, least in (("price", NEAR_PRICE), ("name", 0.0)):
        chances = likely[name]
        if len(chances) and chances.max() > least:
            return int(found.block[int(chances.argmax())])
    return 0
