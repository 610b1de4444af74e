"""The pages for the comparison with BrowserGym: one table of orders in three sizes."""

SIZES = {"small": (10, 20), "medium": (100, 16), "large": (750, 15)}
"""Rows of the table, and links above it."""
PER_ROW = 4
"""Interactive elements per row."""
SCRIPT = "function hold(b) { b.textContent = (b.textContent.startsWith('Held') ? 'Hold' : 'Held') + b.dataset.n; }"


def interactive(size: str) -> int:
    """The number of interactive elements of this page."""
    rows, links = SIZES[size]
    return rows * PER_ROW + links


def html(size: str) -> str:
    """The page."""
    rows, links = SIZES[size]
    menu = "".join(f"<li><a href='/section/{n}'>Section {n}</a></li>" for n in range(links))
    body = "".join(
        f"<tr><td><input type=checkbox aria-label='Choose order {n}'></td>"
        f"<td><a href='/order/{n}'>#{100000 + n}</a></td>"
        f"<td>Customer number {n}</td><td>{n % 28 + 1} March 2026</td><td>${n * 7.31:.2f}</td>"
        f"<td><select aria-label='State of order {n}'><option>Open<option>Sent<option>Closed</select></td>"
        f"<td><button data-n=' {n}' onclick='hold(this)'>Hold {n}</button></td></tr>"
        for n in range(rows)
    )
    head = "<tr><th></th><th>Order</th><th>Customer</th><th>Date</th><th>Total</th><th>State</th><th></th></tr>"
    return (
        f"<!doctype html><title>Orders ({size})</title>"
        "<style>td { padding: 2px 8px } li { display: inline }</style>"
        f"<script>{SCRIPT}</script><nav><ul>{menu}</ul></nav><h1>Orders</h1><table>{head}{body}</table>"
    )
