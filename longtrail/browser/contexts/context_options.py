"""Context options: the arguments of Playwright's `new_context`. Every episode gets the same ones, unless --device or
the project's fixture `browser_context_args` says otherwise.
"""

from collections.abc import Mapping
from typing import Any

from longtrail.browser.view_settings import VIEWPORT
from longtrail.errors import UsageError

USUAL: dict[str, Any] = {
    "viewport": {"width": VIEWPORT[0], "height": VIEWPORT[1]},
    "device_scale_factor": 1,
    "locale": "en-US",
    "timezone_id": "UTC",
    "permissions": [],
    "reduced_motion": "reduce",
    "color_scheme": "light",
}
FIXED: dict[str, Any] = {"accept_downloads": False, "service_workers": "block"}
REFUSED = (*FIXED, "proxy", "no_viewport", "record_har_path")
"""Options of the project's that can't work: the web is sealed, and pages have a size."""
SET_LATER = ("record_video_dir", "record_video_size")
"""Options that each recording sets for itself."""


def context_options(given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a context, with the given ones. Raises UsageError for one that can't be changed."""
    for name in REFUSED:
        if given.get(name) not in (None, FIXED.get(name)):
            raise UsageError(f"browser_context_args: {name} can't be changed where Longtrail plays; leave it out")
    return USUAL | {name: value for name, value in given.items() if name not in SET_LATER} | FIXED
