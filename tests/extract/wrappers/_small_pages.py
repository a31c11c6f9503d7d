"""Small pages at random, which HTML and XML parsers read alike, for properties that hold on all pages."""

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

__all__ = ["BODIES", "CLASSES", "TAGS", "TRIED", "document"]

TAGS = ("div", "span", "b", "section")
CLASSES = ("a", "b", "price")
TRIED = settings(
    max_examples=40,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)

_texts = st.sampled_from(("Price:", "price", "Weight", "12 €", "one", "Two words"))


def _marked_up(tag: str, classes: list[str], id: str, title: str, children: list[str]) -> str:
    marks = {"class": " ".join(classes), "id": id, "title": title}
    told = "".join(f' {name}="{value}"' for name, value in marks.items() if value)
    return f"<{tag}{told}>{''.join(children)}</{tag}>"


def _elements(children: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(
        _marked_up,
        st.sampled_from(TAGS),
        st.lists(st.sampled_from(CLASSES), max_size=2, unique=True),
        st.sampled_from(("", "", "main")),
        st.sampled_from(("", "", "t1", "t2")),
        st.lists(children, max_size=3),
    )


_headings = st.builds(lambda tag, text: f"<{tag}>{text}</{tag}>", st.sampled_from(("h2", "h3")), _texts)
BODIES = st.lists(_elements(st.recursive(_texts | _headings, _elements, max_leaves=10)), min_size=1, max_size=3).map(
    "".join
)


def document(body: str) -> str:
    """A page with a text in its head that nobody sees."""
    return f'<html lang="en"><head><title>price</title></head><body>{body}</body></html>'
