"""Action effect: what an action did to the page, and where its element is."""

from dataclasses import dataclass
from typing import Any

from longtrail.browser.tab import Tab
from longtrail.records.trajectory import Target


@dataclass(frozen=True, slots=True)
class ActionEffect:
    """What an action did, before the page has settled."""

    error: str = ""
    target: Target | None = None
    value: str = ""
    note: str = ""
    violation: str = ""

    @classmethod
    def of(cls, spot: dict[str, Any]) -> "ActionEffect":
        """The element that the page's `locate` found, or its error."""
        target = Target(**spot["target"]) if "target" in spot else None
        error = spot.get("error", "")
        return cls(error=f"{error}; look again" if error and target is None else error, target=target)


async def located(number: str, tab: Tab) -> tuple[dict[str, Any], ActionEffect]:
    """Where to put the mouse for an element (`x`, `y`, `kind`, `editable`), and the element or the error."""
    spot: dict[str, Any] = await tab.ask_json("locate", int(number))
    effect = ActionEffect.of(spot)
    tab.acted_on = effect.target
    return spot, effect
