"""Settings for inducing a schema, and the rules that can be switched off one by one."""

from dataclasses import dataclass

from sightline.settings import Settings, check_rules, setting

__all__ = ["INDUCE_RULES", "InduceSettings"]

INDUCE_RULES: dict[str, str] = {
    "rows": "rows and headings whose labels occur on several pages are fields, in any order",
    "groups": "records may consist of several neighbours, such as a term and its explanation",
    "places": "siblings with the same kind of text in the same place on every page are fields, not a set",
    "variants": "siblings with different classes but a similar structure are items of one set",
    "prose": "free text is one value, whatever its markup",
    "constants": "a text that occurs once among the items of a set on every page is not an item",
    "decorative": "inline markup around a text that comes and goes does not make it another field",
    "make": "elements are also told apart by what they contain",
    "rivals": "labels that occur side by side never share a slot",
    "unchanged": "a text with a label, a date or an amount is data even if it never changed",
    "beside labels": "a text alone beside a label, or in a table cell, is data even if it never changed",
}


@dataclass(frozen=True, kw_only=True)
class InduceSettings(Settings):
    """How a schema and its wrapper are induced."""

    learn_from: int | None = setting(
        None,
        help="learn from at most so many pages: two at first, then those that fail; all pages by default",
        minimum=2,
    )
    all_fields: bool = setting(
        default=False,
        help="also keep as fields: menus, related items, repetitions and texts that hardly differ",
    )
    without: tuple[str, ...] = setting((), help="names of rules to switch off, to see what each is worth", hidden=True)

    def __post_init__(self) -> None:
        """Reject rules that do not exist."""
        super().__post_init__()
        check_rules(self.without, INDUCE_RULES)
