"""A forum made from a seed: boards in groups, threads on lists of several pages, and a profile for each member.

Threads are what one looks for; most links of a thread lead to profiles and to the answers' own addresses.
"""

from dataclasses import dataclass
from functools import cached_property
from random import Random

from bench.crawl.shop import WORDS

__all__ = ["Forum"]

BOARDS, MEMBERS = 24, 1_500
LEAST_THREADS, MOST_THREADS = 5, 90  # of a board
THREADS_ON_A_PAGE, POSTS_ON_A_PAGE, MOST_POSTS = 20, 10, 35


@dataclass(frozen=True)
class Thread:
    """A thread: its board, its title, and the members that wrote its posts."""

    board: int
    title: str
    authors: tuple[int, ...]


class Forum:
    """The pages of a forum, each made when it is asked for."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    @cached_property
    def threads(self) -> list[Thread]:
        """All threads, those of one board together."""
        random = Random(f"forum {self._seed}")
        return [
            Thread(
                board,
                f"{random.choice(WORDS)} {random.choice(WORDS)} {random.choice(WORDS)}".capitalize(),
                tuple(random.randrange(MEMBERS) for _ in range(random.randint(1, MOST_POSTS))),
            )
            for board in range(BOARDS)
            for _ in range(random.randint(LEAST_THREADS, MOST_THREADS))
        ]

    def is_target(self, path: str) -> bool:
        """Whether an address is a page of a thread."""
        return path.startswith("/thread/")

    def page(self, path: str) -> bytes | None:
        """The page at an address, if there is one."""
        kind, _, rest = path.strip("/").partition("/")
        first, _, second = rest.partition("/")
        number, turn = (int(part) if part.isdigit() else None for part in (first or "0", second or "1"))
        if number is None or turn is None:
            return None
        makers = {"": self._front, "board": self._board, "thread": self._thread, "member": self._member}
        content = makers[kind](number, turn) if kind in makers else None
        return None if content is None else _framed(*content).encode()

    def _front(self, number: int, turn: int) -> tuple[str, str] | None:
        if number or turn != 1:
            return None
        rows = "".join(
            f'<tr class="board"><td><a href="/board/{board}">{_name(board)}</a></td></tr>' for board in range(BOARDS)
        )
        newest = "".join(self._link_to(thread) for thread in range(0, len(self.threads), len(self.threads) // 8))
        return "Forum", f'<table class="boards">{rows}</table><ul class="newest">{newest}</ul>'

    def _board(self, number: int, turn: int) -> tuple[str, str] | None:
        own = [index for index, thread in enumerate(self.threads) if thread.board == number]
        shown = own[(turn - 1) * THREADS_ON_A_PAGE : turn * THREADS_ON_A_PAGE]
        if not shown:
            return None
        rows = "".join(
            f'<tr class="row">{self._link_to(index)}<td>{_member(self.threads[index].authors[0])}</td></tr>'
            for index in shown
        )
        pages = -(-len(own) // THREADS_ON_A_PAGE)
        return f"Board {_name(number)}", f'<table class="threads">{rows}</table>{_pager(f"/board/{number}", pages)}'

    def _thread(self, number: int, turn: int) -> tuple[str, str] | None:
        if number >= len(self.threads):
            return None
        thread = self.threads[number]
        shown = thread.authors[(turn - 1) * POSTS_ON_A_PAGE : turn * POSTS_ON_A_PAGE]
        if not shown:
            return None
        random = Random(f"{self._seed} {number} {turn}")
        posts = "".join(
            f'<article class="post"><header>{_member(author)}</header><p>{" ".join(random.choices(WORDS, k=30))}</p>'
            '<footer><button class="like">Like</button></footer></article>'
            for author in shown
        )
        up = f'<nav class="up"><a href="/board/{thread.board}">{_name(thread.board)}</a></nav>'
        pages = -(-len(thread.authors) // POSTS_ON_A_PAGE)
        return thread.title, f"{up}<h1>{thread.title}</h1>{posts}{_pager(f'/thread/{number}', pages)}"

    def _member(self, number: int, turn: int) -> tuple[str, str] | None:
        if number >= MEMBERS or turn != 1:
            return None
        random = Random(f"{self._seed} member {number}")
        latest = "".join(self._link_to(random.randrange(len(self.threads))) for _ in range(3))
        friends = "".join(f"<li>{_member(random.randrange(MEMBERS))}</li>" for _ in range(6))
        return (
            f"Member {number}",
            f'<h1>Member {number}</h1><dl class="profile"><dt>Joined</dt><dd>20{number % 20:02}</dd></dl>'
            f'<ul class="latest">{latest}</ul><ul class="friends">{friends}</ul>',
        )

    def _link_to(self, number: int) -> str:
        return f'<td class="title"><a href="/thread/{number}">{self.threads[number].title}</a></td>'


def _name(board: int) -> str:
    return f"{WORDS[board * 5]} {WORDS[board * 5 + 1]}".title()


def _member(number: int) -> str:
    return f'<a class="member" href="/member/{number}">member {number}</a>'


def _pager(base: str, pages: int) -> str:
    links = (f'<a href="{base}/{page}">{page}</a>' for page in range(2, pages + 1))
    return f'<div class="pager">{"".join(links)}</div>'


def _framed(title: str, content: str) -> str:
    return (
        f"<!DOCTYPE html><html><head><title>{title}</title></head><body>"
        f'<nav id="top"><a href="/">Boards</a><a href="/member/1">Staff</a></nav><main>{content}</main>'
        "<footer>A forum</footer></body></html>"
    )
