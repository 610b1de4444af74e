"""Files that a worker writes reach the run once, and no file name leads out of the run's folder."""

from pathlib import Path

import pytest

from longtrail.errors import HarnessTrouble
from longtrail.pytest_plugin.remote.outbox import Outbox, attempts_of, put
from longtrail.runs.store import Run
from longtrail.runs.under_way import no_longer_under_way


@pytest.fixture
def there(tmp_path: Path) -> Path:
    folder = tmp_path / "there"
    for part in ("episodes", "results", "shots", "running", "calls"):
        (folder / part).mkdir(parents=True)
    return folder


def test_each_file_is_handed_out_once(there: Path) -> None:
    outbox = Outbox(there)
    (there / "shots" / "one.webp").write_bytes(b"1")
    (there / "running" / "case.json").write_bytes(b"{}")
    assert outbox.progress_files() == {"shots/one.webp": b"1", "running/case.json": b"{}"}
    assert outbox.progress_files() == {}
    assert (there / "shots" / "one.webp").exists(), "the trace page looks for it"
    (there / "shots" / "two.webp").write_bytes(b"2")
    (there / "episodes" / "case.a0.json").write_bytes(b"e")
    (there / "episodes" / ".case.a1.json.tmp").write_bytes(b"half")
    assert outbox.all() == {"shots/two.webp": b"2", "episodes/case.a0.json": b"e"}
    assert outbox.all() == {}
    (there / "shots" / "one.webp").write_bytes(b"1")
    assert outbox.all() == {"shots/one.webp": b"1"}, "a later case shows it again"


def test_files_are_put_into_the_run(there: Path, tmp_path: Path) -> None:
    here = tmp_path / "here"
    here.mkdir()
    put(here, {"episodes/case.a0.json": b"e", "results/case.a0.json": b"r", "running/case.json": b"{}"})
    run = Run(here)
    assert attempts_of(run, "case") == {"episodes/case.a0.json": b"e", "results/case.a0.json": b"r"}
    put(here, {"episodes/case.a1.json": b"f", "shots/x.webp": b"s"})
    assert set(attempts_of(run, "case")) == {
        f"{part}.json" for part in ("episodes/case.a0", "results/case.a0", "episodes/case.a1")
    }
    assert attempts_of(run, "another") == {}
    no_longer_under_way(here, "case")
    assert not list((here / "running").iterdir())


@pytest.mark.parametrize(
    "name", ["../evil", "run.json", "episodes/../../evil", "/etc/evil", "stop", "episodes/.x", "other/x", "shots/a/b"]
)
def test_nothing_leads_out_of_the_run(tmp_path: Path, name: str) -> None:
    here = tmp_path / "here"
    here.mkdir()
    with pytest.raises(HarnessTrouble, match="which is no part of a run"):
        put(here, {"episodes/case.a0.json": b"e", name: b"evil"})
    assert not list(tmp_path.rglob("*.json"))


def test_records_of_earlier_attempts_stay_for_all_tests_of_a_unit(there: Path) -> None:
    """A test of the unit that ends must not take the record of the next one along, which would be played again."""
    outbox = Outbox(there)
    outbox.put_earlier({"episodes/short.a0.json": b"s", "episodes/long.a0.json": b"l"})
    (there / "episodes" / "short.a1.json").write_bytes(b"again")
    assert outbox.all() == {"episodes/short.a1.json": b"again"}
    assert (there / "episodes" / "long.a0.json").read_bytes() == b"l"
    outbox.put_earlier({"episodes/other.a0.json": b"o"})
    assert [path.name for path in (there / "episodes").iterdir()] == ["other.a0.json"]


def test_an_earlier_record_that_was_damaged_is_replaced(there: Path) -> None:
    """Its case is played again under the same number: the new record belongs to the run."""
    outbox = Outbox(there)
    outbox.put_earlier({"episodes/case.a0.json": b"damaged"})
    assert outbox.all() == {}
    (there / "episodes" / "case.a0.json").write_bytes(b"new")
    assert outbox.all() == {"episodes/case.a0.json": b"new"}
