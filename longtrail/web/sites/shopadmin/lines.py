"""Lines: an order's items with their prices, taxes and discounts, in cents."""

from dataclasses import dataclass

from longtrail.errors import DataError
from longtrail.web.sites.shopadmin.catalogue import Product
from longtrail.web.sites.shopadmin.money import cents, split
from longtrail.web.sites.shopadmin.story import Order


@dataclass
class OrderLine:
    """One item of an order; `shipped` and `refunded` count up while documents are written."""

    id: int
    product: Product
    listed: float
    """The article's price on that day, in dollars."""
    qty: int
    price: int
    row: int
    discount: int
    percent: float
    tax: int
    shipped: int = 0
    refunded: int = 0

    @property
    def total(self) -> int:
        """The price that the customer pays for it."""
        return self.row - self.discount + self.tax


def lines_of(order: Order, products: dict[str, Product], percent: float) -> list[OrderLine]:
    """The items in the order given. Raises DataError on an unknown sku."""
    ordered: list[tuple[Product, float, int, int]] = []
    for sku, quantity in order.items.items():
        if sku not in products:
            raise DataError("story", f"orders.{order.id}.items", f"there is no product {sku}")
        product = products[sku]
        listed = order.prices.get(sku, product.price)
        qty, price = quantity if isinstance(quantity, tuple) else (quantity, listed)
        ordered.append((product, listed, qty, cents(price)))
    discounts = split(cents(order.discount), [qty * price for _, _, qty, price in ordered])
    lines = []
    for index, ((product, listed, qty, price), discount) in enumerate(zip(ordered, discounts, strict=True)):
        row = qty * price
        tax = round((row - discount) * percent / 100)
        lines.append(OrderLine(order.id * 20 + index, product, listed, qty, price, row, discount, percent, tax))
    return lines
