"""What documents of one template say: names, goods, bookings, amounts and days, drawn by chance, always the same.

Each family draws its own: short and long texts, few and many rows, and parts that some documents do not have. What a
document says is its truth; how it is set is the matter of `family_sources`.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

Row = Mapping[str, str]

FIRST = ("Ada", "Bela", "Carla", "Dmitri", "Elif", "Jean-Baptiste", "Greta", "Hugo", "Ines", "Maria Magdalena", "Kofi")
LAST = (
    "Abbott",
    "Brandt",
    "Castillo",
    "Dupont",
    "Eriksen-Holm",
    "Farkas",
    "Gruber",
    "Ivanova",
    "Li",
    "Moreau",
    "Novak",
)
FIRMS = ("Acme", "Bolt and Sons", "Castellan", "Dunmore Paper", "Elm Street Bakery", "Fennel", "Gull Rock Boatyard")
FORMS = ("Ltd", "GmbH", "plc", "Cooperative Society", "and Partners", "S.A.", "Trading Company of Northern England")
STREETS = ("Mill Lane", "Harbour Square", "Quarry Hill", "Old Station Road", "Ferry Street", "Upper Compass Terrace")
TOWNS = ("Leeds", "Whitby", "Newcastle upon Tyne", "Ely", "Stow-on-the-Wold", "York", "Bath", "Berwick")
GOODS = (
    *("Brush", "Blue paint, 2 l", "Ladder, aluminium, 3 x 9 rungs", "Oak board 20 x 200 mm", "Wood screws, box of 200"),
    *("Workshop lamp with magnetic base and spare bulb, adjustable arm", "Masking tape", "Varnish, matt, for floors"),
    *(
        "Delivery",
        "Saw blade 190 mm",
        "Hinge, brass",
        "Sandpaper, mixed grades, ten sheets of each, in a box",
        "Filler",
    ),
    *("Training for four people, one day, including the printed manual and lunch", "Rope 8 mm", "Pulley", "Gloves, L"),
)
BOOKINGS = (
    *("Card payment Elm Street Bakery", "Standing order rent", "Cash withdrawal", "Salary Castellan plc", "Refund"),
    *("Direct debit Northern Water, customer 4471209, bill of last quarter", "Transfer to savings", "Interest"),
    *("Card payment Gull Rock Boatyard, mooring fee, thank you for your visit", "Insurance", "Transfer from I. Novak"),
)
PAY = (
    *(
        "Basic salary",
        "Overtime",
        "Night shifts",
        "Travel",
        "Meal vouchers",
        "Bonus for the completed project",
        "Sundays",
    ),
    *("Compensation for work on public holidays as agreed",),
)
TAKEN = ("Income tax", "Pension", "Health insurance", "Union fee", "Repayment of an advance from last month", "Parking")
DEPARTMENTS = (
    "Sales",
    "Accounts",
    "Research and Development of Marine Instruments",
    "Stores",
    "IT",
    "Customer service",
)
STOPS = (
    *("Harbour Square", "Mill Lane", "Quarry Hill", "Old Station", "Hospital, main entrance", "Ely Road", "University"),
    *("Compass Terrace", "Ferry Street (on request)", "Market", "Town Hall", "Swimming pool", "Willow Park", "Airport"),
    *(
        "Lantern Lane",
        "Orchard End",
        "St Mary's Church",
        "Technology Park North, west gate",
        "Depot",
        "Zoo",
        "Fire station",
    ),
)
CARRIERS = ("Northern Parcels", "Gull Freight", "Own van", "Hill and Dale Express Carriers", "Rail")
UNITS = ("pcs", "m", "box", "kg", "set")
DAYS = ("Monday to Friday", "Saturday", "Sunday and public holidays", "Monday to Friday", "Daily")
REMARKS = (
    "Please leave the goods with the porter if nobody is in the office.",
    "Two boxes follow next week. We apologise for the delay, which our supplier has caused.",
    "Thank you.",
    "The prices of this year hold until the end of December; ask for our new catalogue.",
)
ROWS = (3, 4, 5, 6, 7, 8, 10, 12, 14, 18, 24, 34, 46)  # of a table; from some 30 on, they go on on another sheet


@dataclass(frozen=True)
class Said:
    """What a document says: its own values by name, None where it has none, and the rows of its table."""

    fields: Mapping[str, str | None]
    rows: Sequence[Row]
    beside: Mapping[str, Sequence[str]]  # lines of a block, and what else is set and is no truth


@dataclass(frozen=True)
class Draw:
    """Chance, always the same for a document."""

    chance: random.Random

    def one(self, several: Sequence[str]) -> str:
        """One of them."""
        return self.chance.choice(several)

    def maybe(self, text: str, share: float = 0.5) -> str | None:
        """The text, on a share of the documents."""
        return text if self.chance.random() < share else None

    def digits(self, count: int) -> str:
        """A number of so many digits."""
        return str(self.chance.randint(10 ** (count - 1), 10**count - 1))

    def day(self) -> date:
        """A day of some years."""
        return date(2021, 1, 1) + timedelta(days=self.chance.randint(0, 1500))

    def person(self) -> str:
        """A first and a last name."""
        return f"{self.one(FIRST)} {self.one(LAST)}"

    def address(self) -> list[str]:
        """Three or four lines."""
        name = self.person() if self.chance.random() < 0.4 else f"{self.one(FIRMS)} {self.one(FORMS)}"
        house = f"{self.chance.randint(1, 199)} {self.one(STREETS)}"
        care = [f"c/o {self.person()}"] if self.chance.random() < 0.25 else []
        return [name, *care, house, f"{self.one(TOWNS)} LS{self.chance.randint(1, 28)} {self.chance.randint(1, 9)}AP"]

    @property
    def count(self) -> int:
        """How many rows a table has."""
        return self.chance.choice(ROWS)


def money(cents: int) -> str:
    """An amount as it is printed.

    >>> money(-123456), money(5)
    ('-1,234.56', '0.05')
    """
    return f"{cents / 100:,.2f}"


def long_day(day: date) -> str:
    """A day in words: 3 May 2021."""
    return f"{day.day} {day:%B %Y}"


def statement(draw: Draw) -> Said:
    """A month of an account: bookings with a debit or a credit, and the balance after each."""
    day = draw.day().replace(day=1)
    last = (day + timedelta(days=31)).replace(day=1) - timedelta(days=1)
    balance = opening = draw.chance.randint(-20_000, 900_000)
    rows, debits, credits = [], 0, 0
    for offset in sorted(draw.chance.randint(0, last.day - 1) for _ in range(draw.count)):
        cents = draw.chance.choice((1, 10, 100, 1000)) * draw.chance.randint(99, 900)
        is_debit = draw.chance.random() < 0.7
        debits, credits = debits + cents * is_debit, credits + cents * (not is_debit)
        balance += -cents if is_debit else cents
        rows.append(
            {
                "date": f"{day + timedelta(days=offset):%d.%m.%Y}",
                "text": draw.one(BOOKINGS),
                "debit": money(cents) if is_debit else "",
                "credit": "" if is_debit else money(cents),
                "balance": money(balance),
            }
        )
    lines = draw.address()
    number = draw.digits(8)
    return Said(
        {
            "holder": " ".join(lines),
            "account": number,
            "iban": f"GB{draw.digits(2)} HHSB {draw.digits(4)} {number[:4]} {number[4:]}",
            "statement": f"{draw.chance.randint(1, 12)}/{day.year}",
            "period": f"{long_day(day)} to {long_day(last)}",
            "overdraft": draw.maybe(money(draw.chance.randint(5, 90) * 10_000)),
            "opening": money(opening),
            "debits": money(debits),
            "credits": money(credits),
            "closing": money(balance),
        },
        rows,
        {"holder": lines},
    )


def invoice(draw: Draw) -> Said:
    """Goods with quantities and prices, and what they come to."""
    day = draw.day()
    rows, net = [], 0
    for number in range(1, draw.count + 1):
        quantity, price = draw.chance.choice((1, 1, 2, 3, 5, 12, 100)), draw.chance.randint(90, 90_000)
        net += quantity * price
        rows.append(
            {
                "number": str(number),
                "text": draw.one(GOODS),
                "quantity": str(quantity),
                "price": money(price),
                "amount": money(quantity * price),
            }
        )
    shipping = draw.chance.choice((0, 0, 690, 1250))
    tax = round((net + shipping) * 0.2)
    lines = draw.address()
    return Said(
        {
            "recipient": " ".join(lines),
            "number": f"R-{day.year}-{draw.digits(4)}",
            "date": long_day(day),
            "customer": draw.digits(5),
            "reference": draw.maybe(f"{draw.one(LAST)}, {draw.digits(3)}"),
            "due": long_day(day + timedelta(days=draw.chance.choice((14, 30)))),
            "net": money(net),
            "shipping": money(shipping) if shipping else None,
            "tax": money(tax),
            "total": money(net + shipping + tax),
            "remark": draw.maybe(draw.one(REMARKS), 0.4),
        },
        rows,
        {"recipient": lines},
    )


def payslip(draw: Draw) -> Said:
    """What somebody earned, and what was taken from it."""
    day = draw.day()
    earned = draw.chance.sample(PAY[1:], draw.chance.randint(0, 5))
    rows, gross, taken = [], 0, 0
    for text in (PAY[0], *earned):
        hours, rate = draw.chance.randint(2, 170), draw.chance.randint(1100, 4000)
        gross += hours * rate
        cells = {"units": f"{hours}.0", "rate": money(rate), "earned": money(hours * rate), "taken": ""}
        rows.append({"text": text, **cells})
    for text in (*TAKEN[:2], *draw.chance.sample(TAKEN[2:], draw.chance.randint(0, 3))):
        cents = draw.chance.randint(500, gross // 5)
        taken += cents
        rows.append({"text": text, "units": "", "rate": "", "earned": "", "taken": money(cents)})
    return Said(
        {
            "name": draw.person(),
            "staff": draw.digits(6),
            "department": draw.one(DEPARTMENTS),
            "month": f"{day:%B %Y}",
            "tax code": f"{draw.digits(4)}{draw.one('LMT')}",
            "joined": long_day(draw.day()),
            "holidays": draw.maybe(f"{draw.chance.randint(0, 30)}.5 days"),
            "gross": money(gross),
            "deductions": money(taken),
            "net": money(gross - taken),
        },
        rows,
        {},
    )


def timetable(draw: Draw) -> Said:
    """When the buses of a line call at its stops; a bus passes some of them."""
    stops = draw.chance.sample(STOPS, draw.chance.randint(5, len(STOPS)))
    stops += [f"{stop}, return" for stop in reversed(stops[:-1])] if draw.chance.random() < 0.35 else []
    begins = sorted(draw.chance.sample(range(300, 1200, 7), 4))
    minutes, rows = 0, []
    for number, stop in enumerate(stops):
        minutes += draw.chance.randint(1, 5)
        times = [f"{(start + minutes) // 60 % 24:02}:{(start + minutes) % 60:02}" for start in begins]
        if 0 < number < len(stops) - 1 and draw.chance.random() < 0.2:
            times[draw.chance.randrange(4)] = "–"
        zones = {"stop": stop, "zone": str(1 + number // 5)}
        rows.append(zones | {f"trip {place}": time for place, time in enumerate(times, start=1)})
    day = draw.day()
    return Said(
        {
            "line": f"Line {draw.chance.randint(1, 299)}",
            "route": f"{stops[0]} to {stops[-1]}",
            "days": draw.one(DAYS),
            "from": long_day(day),
            "until": draw.maybe(long_day(day + timedelta(days=180))),
            "operator": f"{draw.one(FIRMS)} {draw.one(FORMS)}",
            "phone": f"0113 {draw.digits(3)} {draw.digits(4)}",
        },
        rows,
        {"trips": [draw.digits(3) for _ in range(4)]},
    )


def delivery(draw: Draw) -> Said:
    """Goods that were ordered and delivered, and what they weigh."""
    rows = []
    for number in range(1, draw.count + 1):
        ordered = draw.chance.choice((1, 2, 5, 10, 24, 250))
        sent = ordered if draw.chance.random() < 0.8 else draw.chance.randint(0, ordered)
        rows.append(
            {
                "number": str(10 * number),
                "article": f"{draw.one('ABK')}{draw.digits(5)}",
                "text": draw.one(GOODS),
                "ordered": str(ordered),
                "sent": str(sent),
                "unit": draw.one(UNITS),
            }
        )
    day = draw.day()
    lines = draw.address()
    return Said(
        {
            "consignee": " ".join(lines),
            "number": f"D{draw.digits(6)}",
            "date": f"{day:%d/%m/%Y}",
            "order": f"{draw.digits(4)}-{draw.digits(2)}",
            "contact": draw.maybe(draw.person()),
            "carrier": draw.one(CARRIERS),
            "packages": str(draw.chance.randint(1, 30)),
            "weight": f"{draw.chance.randint(1, 900)}.{draw.digits(1)} kg",
            "remark": draw.maybe(draw.one(REMARKS), 0.4),
        },
        rows,
        {"consignee": lines},
    )


SAID: dict[str, Callable[[Draw], Said]] = {
    "statements": statement,
    "invoices": invoice,
    "payslips": payslip,
    "timetables": timetable,
    "deliveries": delivery,
}
