"""Step changes: each step lists the rows that it changed; only steps that sent data are checked."""

from longtrail.episode.phase_loop import StepChanges, since
from longtrail.records.trajectory import Change, Request
from longtrail.web.world import Templates, World
from tests.web.test_world import FIRST, Ledger, change, entry


def row(number: int, *texts: str | None) -> Change:
    """A change of an entry: its text before and after."""
    before, after = (None if text is None else entry(number, text) for text in texts)
    return change("entries", str(number), before, after)


def sent(*methods: str) -> list[Request]:
    """The requests of a step."""
    return [Request(method=method, url="https://ledger.test/", status=200) for method in methods]


def test_each_step_tells_its_own_changes() -> None:
    world = World("one", Templates([Ledger()]))
    db = world.db("ledger")
    db.execute("UPDATE entries SET text = 'nine' WHERE id = 4")  # in an earlier phase
    changes = StepChanges(world)
    db.execute("UPDATE entries SET text = 'one' WHERE id = 1")
    db.execute("DELETE FROM entries WHERE id = 2")
    assert changes.of(sent("GET", "POST")) == (row(1, FIRST.format(1), "one"), row(2, FIRST.format(2), None))
    assert changes.of(sent("POST")) == ()
    db.execute("UPDATE entries SET text = 'two' WHERE id = 1")
    db.execute("UPDATE entries SET text = ? WHERE id = 4", (FIRST.format(4),))
    db.execute("INSERT INTO accounts VALUES ('gold', 1)")
    assert changes.of(sent("GET", "HEAD")) == (), "such a step is not checked"
    gold = change("accounts", "gold", None, {"code": "gold", "balance": 1})
    assert changes.of(sent("POST")) == (gold, row(1, "one", "two"), row(4, "nine", FIRST.format(4)))
    assert since((), world.changes()) == world.changes()
    world.close()
