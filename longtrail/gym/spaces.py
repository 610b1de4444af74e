"""Spaces: the types of BrowserGym's observations and actions as Gymnasium spaces."""

from typing import Any

import gymnasium
import numpy as np

LONGEST = 1_000_000


class ObjectSpace(gymnasium.Space[Any]):
    """A space of objects of one type, without sampling."""

    def __init__(self, kind: type) -> None:
        super().__init__()
        self._kind = kind

    def contains(self, x: Any) -> bool:
        return isinstance(x, self._kind)

    def __repr__(self) -> str:
        return f"Anything({self._kind.__name__})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ObjectSpace) and other._kind is self._kind

    __hash__ = None  # type: ignore[assignment]


OBSERVATION = {
    "chat_messages": tuple,
    "goal": str,
    "goal_object": tuple,
    "open_pages_urls": tuple,
    "open_pages_titles": tuple,
    "active_page_index": np.ndarray,
    "url": str,
    "screenshot": np.ndarray,
    "dom_object": dict,
    "axtree_object": dict,
    "extra_element_properties": dict,
    "focused_element_bid": str,
    "last_action": str,
    "last_action_error": str,
    "elapsed_time": np.ndarray,
}


def observation_space() -> gymnasium.spaces.Dict:
    """The space of observations."""
    return gymnasium.spaces.Dict({name: ObjectSpace(kind) for name, kind in OBSERVATION.items()})


def action_space() -> ObjectSpace:
    """The space of actions: text."""
    return ObjectSpace(str)
