"""The same refund as one file of Python, with pytest-django's `live_server`: `pytest --agent ...` in this folder."""

from typing import Any

import pytest

pytestmark = pytest.mark.django_db(transaction=True)
REFERENCE = [
    {"click": {"role": "link", "name": "Orders"}},
    {"click": {"role": "link", "name": "1012"}},
    {"select": {"role": "combobox", "name": "Status:", "option": "Refunded"}},
    {"click": {"role": "button", "name": "Save"}},
    {"finish": "Order 1012 is refunded."},
]


def fill() -> None:
    """The shop's state before each episode."""
    from shop import stock

    stock.fill()


def test_refund(web_agent: Any, live_server: Any, client: Any) -> None:
    """The order is refunded, and no other one."""
    from django.contrib.auth import get_user_model
    from shop.models import Order

    def signed_in() -> dict[str, str]:
        client.force_login(get_user_model().objects.get(username="clerk"))
        return {"sessionid": client.cookies["sessionid"].value}

    def refunded() -> None:
        assert [order.number for order in Order.objects.filter(status="refunded")] == [1012, 1013]

    result = web_agent(
        live_server.url,
        'Omar Reyes has changed his mind. Set his order to "Refunded" and save it.',
        key_steps=["/admin/shop/order/*/change", {"kind": "text", "text": "was changed successfully"}, refunded],
        start="/admin/",
        reset=fill,
        login=signed_in,
        reference=REFERENCE,
        repeats=2,
    )
    assert result.success_rate >= 0.8, result.reasons
