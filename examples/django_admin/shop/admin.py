"""How orders look in the admin."""

from django.contrib import admin

from shop.models import Order


@admin.register(Order)
class OrderAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """A list to search, and a form."""

    list_display = ("number", "customer", "amount", "status")
    search_fields = ("number", "customer")
