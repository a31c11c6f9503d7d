"""Small sites for scripts to be played on."""

from tests.navigate._site import Answer

HEAD = "<!doctype html><html lang=en><meta charset=utf-8><title>{}</title><body>"
NAMES = ("Arden", "Fennel", "Kestrel", "Lumora", "Orrery", "Quill")


def page(title: str, content: str) -> str:
    """A page."""
    return f"{HEAD.format(title)}<h1>{title}</h1>{content}"


def pages_of(**contents: str) -> Answer:
    """A site whose paths are names: `home` is at the root."""
    made = {f"/{'' if name == 'home' else name}": page(name.title(), content) for name, content in contents.items()}
    return lambda path: made.get(path.partition("?")[0])


def shop(pages: int = 1) -> Answer:
    """A shop with six cameras on each page, each with a page of its own."""

    def answer(path: str) -> str | None:
        place, _, query = path.partition("?")
        if place.startswith("/camera/"):
            name = place.rpartition("/")[2]
            return page(name, f"<dl><dt>Weight<dd>{len(name) * 100} g</dl>")
        number = int(query.rpartition("=")[2] or 1)
        if place != "/" or number > pages:
            return None
        items = "".join(
            f"<li class=camera><h3><a href=/camera/{name}{number}>{name} {number}</a></h3>"
            f"<p class=price>{at}{number}9 €</p>"
            f"<button onclick=\"this.textContent='Kept {name} {number}'\">Keep</button></li>"
            for at, name in enumerate(NAMES, 1)
        )
        further = f"<a href=/?page={number + 1}>Next</a>" if number < pages else "the end"
        return page("Cameras", f"<ul>{items}</ul><p class=pager>{further}</p>")

    return answer
