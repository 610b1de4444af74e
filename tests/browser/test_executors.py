"""Executors: no action of `--actions full` is without one."""

from collections.abc import Callable
from typing import get_args

import pytest

from longtrail.browser.session import Session
from longtrail.records.action import ACTION, Finish
from longtrail.records.full_actions import FullAction
from tests.browser.hands import number_of


def test_every_action_is_carried_out(open_page: Callable[..., Session]) -> None:
    """Without an executor, an action would raise, as those do that are not for the browser."""
    session = open_page("<input aria-label=Name><button>Row</button>")
    id, row = number_of(session, "Name"), {"id": number_of(session, "Row")}
    fields = {"press": {"keys": "Tab"}, "type_text": {"text": "x"}, "clear": {"id": id}, "hover": row}
    fields |= {"right_click": row, "double_click": row, "drag": {**row, "onto": id}, "mouse": {"x": 1, "y": 1}}
    fields |= {"wait": {"seconds": 0}, "answer_dialog": {}, "upload": {**row, "file": "a"}, "read_file": {"file": "a"}}
    fields |= {"new_tab": {}, "switch_tab": {"tab": 1}, "close_tab": {}, "forward": {}}
    actions = [ACTION.validate_python({"type": name, **more}) for name, more in fields.items()]
    assert {type(action) for action in actions} == {*get_args(FullAction)}
    failed = {action.type for action in actions if session.act(action).error}
    assert failed == {"answer_dialog", "upload", "read_file", "forward"}  # there is nothing for them
    with pytest.raises(TypeError, match="no action 'finish'"):
        session.act(Finish())
