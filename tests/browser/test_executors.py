"""Executors: no action of `--actions full` is without one."""

from collections.abc import Callable
from typing import get_args

import pytest

from longtrail.browser.session import Session
from longtrail.records.action import Finish
from longtrail.records.full_actions import (
    AnswerDialog,
    Clear,
    CloseTab,
    DoubleClick,
    Drag,
    Forward,
    FullAction,
    Hover,
    Mouse,
    NewTab,
    Press,
    ReadFile,
    RightClick,
    SwitchTab,
    TypeText,
    Upload,
    Wait,
)
from tests.browser.hands import number_of


def test_every_action_is_carried_out(open_page: Callable[..., Session]) -> None:
    """Without an executor, an action would raise, as those do that are not for the browser."""
    session = open_page("<input aria-label=Name><button>Row</button>")
    field, row = number_of(session, "Name"), number_of(session, "Row")
    actions = (Press(keys="Tab"), TypeText(text="x"), Clear(id=field), Hover(id=row), RightClick(id=row))
    actions += (DoubleClick(id=row), Drag(id=row, onto=row), Mouse(x=1, y=1), Wait(seconds=0), AnswerDialog())
    actions += (Upload(id=row, file="a.txt"), ReadFile(file="a.txt"), NewTab(), SwitchTab(tab=1), CloseTab(), Forward())
    assert {type(action) for action in actions} == {*get_args(FullAction)}
    failed = {action.type for action in actions if session.act(action).error}
    assert failed == {"answer_dialog", "upload", "read_file", "forward"}  # there is nothing for them
    with pytest.raises(TypeError, match="no action 'finish'"):
        session.act(Finish())
