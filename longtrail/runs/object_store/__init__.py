"""Object store: copies of runs at an address. Imported only when a command names an address."""

from longtrail.runs.object_store.mirror import Mirror
from longtrail.runs.object_store.store import Store, fetched

__all__ = ["Mirror", "Store", "fetched"]
