"""The main text as marks: a frame around every part, in the colour of its kind."""

from sightline.data import Content
from sightline.draw._picture import Mark

__all__ = ["marks_of_content"]

# What the legend calls each kind of part, and in which colour it is drawn.
LOOKS = {
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), ("heading", "heading")),
    **dict.fromkeys(("li", "dt", "dd"), ("series 3", "item")),
    **dict.fromkeys(("td", "th"), ("table", "cell")),
    **dict.fromkeys(("figcaption", "caption", "summary"), ("other", "caption")),
    "blockquote": ("series 4", "quotation"),
    "pre": ("control", "code"),
}
PLAIN = ("text", "text")


def marks_of_content(content: Content) -> list[Mark]:
    """What to draw of a main text: every part that was seen, in a frame of the colour of its kind.

    >>> from sightline.data import ContentPart, Origin, Value
    >>> marks_of_content(Content((ContentPart(Value("Bees", origin=Origin("p", (7,), (0, 0, 9, 9))), "h1"),)))
    [Mark(box=(0, 0, 9, 9), kind='heading', label='heading', hollow=False, thin=False, badge='')]
    """
    seen = [(part.kind, part.value.origin.box) for part in content if part.value.origin]
    looks = [(box, *LOOKS.get(kind, PLAIN)) for kind, box in seen if box]
    return [Mark(box, colour, label) for box, colour, label in looks]
