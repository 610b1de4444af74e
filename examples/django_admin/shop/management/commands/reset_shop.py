"""Reset the shop to its initial state (`app.reset` in tasks/apps.yaml)."""

from django.core.management import BaseCommand, call_command

from shop import stock


class Command(BaseCommand):
    """Make the tables if needed, and fill them."""

    help = "Reset the shop to its initial state"

    def handle(self, **_: object) -> None:
        """Run it."""
        call_command("migrate", run_syncdb=True, verbosity=0)
        stock.fill()
