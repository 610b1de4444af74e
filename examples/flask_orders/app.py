"""A shop's orders in Flask and SQLite, behind a log-in: `python app.py PORT DATABASE`."""

import secrets
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

from flask import Flask, abort, redirect, request, session

ORDERS = ((12, "Omar Reyes", "paid"), (13, "Ida Lund", "paid"), (14, "Ben Okoro", "shipped"))
PAGE = "<!doctype html><html lang=en><title>{title}</title><h1>{title}</h1>{body}</html>"
LOG_IN = """<form method=post><label>Name <input name=name></label>
<label>Password <input name=password type=password></label><button>Log in</button></form>"""
DELIVERY = """<p id=delivery></p><script>
fetch("/delivery").then(answer => answer.json()).then(told => { delivery.textContent = `Delivery: ${told.days} days` })
</script>"""


def fill(database: Path) -> None:
    """The state before each test."""
    with closing(sqlite3.connect(database)) as db, db:
        db.execute("DROP TABLE IF EXISTS orders")
        db.execute("CREATE TABLE orders (number INTEGER PRIMARY KEY, customer TEXT, status TEXT)")
        db.executemany("INSERT INTO orders VALUES (?, ?, ?)", ORDERS)


def make(database: Path) -> Flask:
    """The app on this database. The clerk's password is `pass`."""
    app = Flask("orders")
    app.config["SECRET_KEY"] = secrets.token_hex()

    def query(sql: str, *values: object) -> list[Any]:
        with closing(sqlite3.connect(database)) as db, db:
            return db.execute(sql, values).fetchall()

    @app.before_request
    def only_the_clerk() -> Any:
        return None if "clerk" in session or request.path in ("/login", "/reset") else redirect("/login")

    @app.route("/login", methods=["GET", "POST"])
    def log_in() -> Any:
        if request.form.get("name") == "clerk" and request.form.get("password") == "pass":
            session["clerk"] = True
            return redirect("/")
        return PAGE.format(title="Log in", body=LOG_IN)

    @app.post("/reset")
    def reset() -> Any:
        fill(database)
        return {}

    @app.get("/")
    def orders() -> Any:
        rows = query("SELECT number, customer, status FROM orders")
        items = "".join(
            f"<li><a href=/orders/{number}>Order {number}</a> {who}: {state}" for number, who, state in rows
        )
        return PAGE.format(title="Orders", body=f"<ul>{items}</ul><a href=/report>Report</a>{DELIVERY}")

    @app.get("/orders/<int:number>")
    def order(number: int) -> Any:
        state = query("SELECT status FROM orders WHERE number = ?", number) or abort(404)
        form = f"<form method=post action=/orders/{number}/refund><button>Refund</button></form>"
        return PAGE.format(title=f"Order {number}", body=f"<p>{state[0][0].capitalize()}</p>{form}<a href=/>Orders</a>")

    @app.post("/orders/<int:number>/refund")
    def refund(number: int) -> Any:
        query("UPDATE orders SET status = 'refunded' WHERE number = ?", number)
        return redirect(f"/orders/{number}")

    @app.get("/delivery")
    def delivery() -> Any:
        return {"days": 3}

    @app.get("/report")
    def report() -> Any:
        return PAGE.format(title="Report", body="<script>throw new Error('no figures')</script>"), 500

    return app


if __name__ == "__main__":
    port, path = int(sys.argv[1]), Path(sys.argv[2])
    fill(path)
    make(path).run(port=port)
