"""The shop's initial state for every episode."""

from django.contrib.auth import get_user_model

from shop.models import Order

STAFF, PASSWORD = "clerk", "clerk-1234"  # an account of this test project
ORDERS = (
    (1011, "Ines Falk", "48.00", "shipped", ""),
    (1012, "Omar Reyes", "129.90", "paid", "Wrong size ordered, parcel not packed yet."),
    (1013, "Ines Falk", "12.50", "refunded", ""),
    (1014, "Tomas Lind", "310.00", "shipped", "Carrier: signed for by T. Lind on 4 May at the front door."),
)


def fill() -> None:
    """Restore the initial state."""
    Order.objects.all().delete()
    for number, customer, amount, status, note in ORDERS:
        Order.objects.create(number=number, customer=customer, amount=amount, status=status, note=note)
    users = get_user_model().objects
    if not users.filter(username=STAFF).exists():
        users.create_superuser(STAFF, password=PASSWORD)
