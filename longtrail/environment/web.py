"""The web and the browser that all environments of a process share; started when first needed, stopped at its end."""

import atexit
import threading
import weakref
from functools import cache, lru_cache

from longtrail.browser.session import Browser
from longtrail.browser.view import ViewSettings
from longtrail.llm.tokens import count
from longtrail.variants import shipped_tasks, vary
from longtrail.web.registry import all_sites
from longtrail.web.sealed import SealedWeb
from longtrail.web.site import VARIANTS_KEPT

_LOCK = threading.Lock()


class SharedWeb:
    """The sealed web of one variant."""

    def __init__(self, variant: int | None) -> None:
        tasks = () if variant is None else shipped_tasks(variant).values()
        self.web = SealedWeb(all_sites(shipped=tasks, vary=vary(variant))).start()
        weakref.finalize(self, self.web.stop)


def shared_web(variant: int | None = None) -> SharedWeb:
    """The web of a variant; None: of the tasks as they ship. A third one ends the first, once nobody holds it."""
    with _LOCK:
        return _web(variant)


def shared_browser() -> Browser:
    """The browser of all episodes of the process."""
    with _LOCK:
        return _browser()


_web = lru_cache(maxsize=VARIANTS_KEPT)(SharedWeb)


@cache
def _browser() -> Browser:
    browser = Browser(ViewSettings(), count=count)
    atexit.register(browser.close)
    return browser
