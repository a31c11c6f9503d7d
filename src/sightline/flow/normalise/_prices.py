"""Columns of money as amounts with their currencies: the sign beside a number, another column, or the settings."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from sightline.data import ColumnType, currencies_of, infer_money, read_price
from sightline.errors import UsageError
from sightline.flow.normalise._normalised import CellItem, quoted, texts_of
from sightline.flow.normalise._shapes import ShapedTexts, read_numbers

__all__ = ["Amounts", "MoneyRules", "code_texts", "money_type", "priced", "resolver", "settled_currency"]


@dataclass(frozen=True, slots=True)
class Amounts:
    """The amounts of a column and their currencies, row by row; a code is empty where it is not known."""

    numbers: list[Decimal | None]
    codes: list[str]
    problems: dict[int, str]


@dataclass(frozen=True, slots=True)
class MoneyRules:
    """How a column's signs are understood: its number format, the one currency, and what the settings name."""

    type: ColumnType
    currency: str | None
    meanings: dict[str, str]
    is_needed: bool


def money_type(
    texts: ShapedTexts | Mapping[str, int], language: str | None, decimal: str | None, given: ColumnType | None
) -> ColumnType:
    """The number format of a column, decided once from all its texts, unless it is given."""
    if given is not None and given.kind not in ("money", "number"):
        raise UsageError(f"The type of the column is {given}, and not money; give a column of prices.")
    type = given or infer_money(texts.sample() if isinstance(texts, ShapedTexts) else texts, language)
    if decimal is None:
        return type
    settled = tuple(doubt for doubt in type.ambiguous if not doubt.startswith("decimal separator"))
    return replace(type, decimal=decimal, grouping=None, ambiguous=settled)


def settled_currency(type: ColumnType) -> str | None:
    """The one currency of a column, unless that is in doubt."""
    return None if any(doubt.startswith("currency:") for doubt in type.ambiguous) else type.currency


def priced(
    items: Sequence[CellItem], texts: ShapedTexts, rules: MoneyRules, currencies: Sequence[Any] | None = None
) -> Amounts:
    """Every cell as an amount with its currency, or the reason why not; `texts` are those among the cells."""
    numbers, signs = _numbers(items, texts, rules.type)
    resolve = resolver(rules)
    named = _named(currencies, len(items))
    pairs = list(zip(signs, named, strict=True))
    resolved = {pair: resolve(*pair) for pair in set(pairs)}
    found = [resolved[pair] for pair in pairs]
    problems: dict[int, str] = {}
    for row, (number, (_, problem)) in enumerate(zip(numbers, found, strict=True)):
        if number is None:
            item = items[row]
            if isinstance(item, str) and not rules.type.is_whole(item, None):
                problems[row] = f"{quoted(item)} is not an amount of money."
        elif problem:
            problems[row] = problem
            numbers[row] = None
    return Amounts(numbers, [code for code, _ in found], problems)


def _numbers(items: Sequence[CellItem], texts: ShapedTexts, type: ColumnType) -> tuple[list[Decimal | None], list[str]]:
    """The numbers of a column, and the signs beside them."""

    def read(text: str) -> tuple[Decimal, str] | None:
        price = read_price(text, type)
        return (price.number, price.sign) if price else None

    numbers, signs = read_numbers(texts, type.decimal or ".", read, Decimal)
    if len(texts.texts) == len(items):
        return numbers, [sign or "" for sign in signs]
    rest = iter(zip(numbers, signs, strict=True))
    both = [next(rest) if isinstance(item, str) else (item, "") for item in items]
    return [number for number, _ in both], [sign or "" for _, sign in both]


def _named(currencies: Sequence[Any] | None, count: int) -> list[str | None]:
    """What the column of currencies says of each row; None where there is no such column."""
    if currencies is None:
        return [None] * count
    if len(currencies) != count:
        raise UsageError(f"There are {count} values, but {len(currencies)} currencies; give one for each row.")
    return list(code_texts(currencies))


def code_texts(currencies: Sequence[Any]) -> list[str]:
    """What the cells of a column of currencies say; empty where they say nothing."""
    texts = texts_of(currencies)
    known = {text: _code_text(text) for text in set(texts)}
    return [known[text] for text in texts]


def _code_text(value: str | None) -> str:
    text = (value or "").strip()
    return text.upper() if len(text) == 3 and text.isascii() and text.isalpha() else text


def resolver(rules: MoneyRules) -> Callable[[str, str | None], tuple[str, str]]:
    """A function from a sign, and what the column of currencies says, to a code, or to the problem with them."""

    def resolve(sign: str, named: str | None) -> tuple[str, str]:
        if named is None:
            return _of_sign(sign, rules)
        code, problem = _of_sign(named, rules) if named else ("", "")
        if problem or not sign:
            return (code, problem) if named or problem else _of_sign("", rules)
        if not named:
            return _of_sign(sign, rules)
        if code in _meanings(sign, rules):
            return code, ""
        return "", f"{sign} beside the amount is not {code}, which the column of currencies says."

    return resolve


def _meanings(sign: str, rules: MoneyRules) -> tuple[str, ...]:
    if sign in rules.meanings:
        return (rules.meanings[sign],)
    return currencies_of(sign, rules.type.language)


def _of_sign(sign: str, rules: MoneyRules) -> tuple[str, str]:
    """The currency of a sign, or why it is not known."""
    if not sign:
        needed = "the amount has no currency; name it by from_currency." if rules.is_needed else ""
        return rules.currency or "", "" if rules.currency else needed
    codes = _meanings(sign, rules)
    if len(codes) == 1:
        return codes[0], ""
    if rules.currency in codes:
        return rules.currency or "", ""
    if not codes:
        return "", f"unknown currency {quoted(sign)}."
    if not rules.is_needed:
        return "", ""
    listed = ", ".join(codes[:4]) + (" and others" if len(codes) > 4 else "")
    return "", f"{sign} may be {listed}; name it by from_currency, or by signs such as {sign}={codes[0]}."
