"""What can be set about inducing a schema, and the rules that can be left out one by one."""

from dataclasses import dataclass

from sightline.settings import Settings, check_rules, setting

__all__ = ["INDUCE_RULES", "InduceSettings"]

INDUCE_RULES: dict[str, str] = {
    "rows": "rows and headings whose labels several pages share are fields, in any order",
    "groups": "records may be several neighbours, such as a term and its explanation",
    "places": "siblings that say the same kind of thing in the same place on every page are fields and no set",
    "variants": "siblings whose classes differ and that are made alike are items of one set",
    "prose": "free text is one value, however it is marked up",
    "constants": "a text that stands once among the items of a set on every page is no item",
    "decorative": "marks around a text that come and go do not make it another field",
    "make": "elements are also told apart by what is in them",
    "rivals": "labels that stand beside each other are never one slot",
    "beside labels": "what stands alone beside a label, or in the cell of a table, is data even if it never changed",
}


@dataclass(frozen=True, kw_only=True)
class InduceSettings(Settings):
    """How a schema and its wrapper are induced."""

    learn_from: int | None = setting(
        None,
        help="learn from at most so many pages: two at first, then whichever fails; all pages by default",
        minimum=2,
    )
    without: tuple[str, ...] = setting((), help="rules to leave out, by name, to see what each is worth")

    def __post_init__(self) -> None:
        """Refuse rules that do not exist."""
        super().__post_init__()
        check_rules(self.without, INDUCE_RULES)
