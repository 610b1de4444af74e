"""Orders."""

from django.db import models


class Order(models.Model):
    """One order, as the back office knows it."""

    STATUSES = [("paid", "Paid"), ("shipped", "Shipped"), ("refunded", "Refunded"), ("on_hold", "On hold")]
    number = models.PositiveIntegerField(unique=True)
    customer = models.CharField(max_length=80)
    amount = models.DecimalField(max_digits=8, decimal_places=2)
    status = models.CharField(max_length=20, choices=STATUSES, default="paid")
    note = models.TextField(blank=True)

    def __str__(self) -> str:
        return f"Order {self.number}"
