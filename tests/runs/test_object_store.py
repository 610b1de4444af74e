"""Object stores: a copy is kept up to date, resumed elsewhere, merged and reported; wrong addresses are one line."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from longtrail.commands.main import main
from longtrail.errors import HarnessTrouble, UsageError
from longtrail.runs.checked import check_run
from longtrail.runs.object_store import Mirror, Store, fetched
from longtrail.runs.store import Run
from tests.runs.test_merging import CASES, played


def pushed(reports: Path, address: str, name: str, mine: tuple[str, ...], shard: tuple[int, int] | None = None) -> Run:
    """A finished run, here and at the address."""
    run = played(reports / "runs" / name, mine, shard)
    Mirror(run.folder, address).push()
    return run


def there(address: str) -> set[str]:
    return set(Store(address).files())


def test_what_is_new_or_changed_is_sent_once(tmp_path: Path, address: str) -> None:
    run = played(tmp_path / "runs" / "night", ("one", "two"))
    (run.folder / ".draft.tmp").write_text("half")
    with closing(sqlite3.connect(run.folder / "calls.sqlite")) as db, db:
        db.execute("CREATE TABLE entry (usd REAL)")
    mirror = Mirror(run.folder, address)
    mirror.claim()
    assert mirror.push() == len(there(mirror.address))
    names = there(f"{address}/runs/night")
    assert {"run.json", "results.jsonl", "SHA256SUMS", "episodes/one.a0.json", "calls.sqlite", "report.html"} <= names
    assert not names & {"lock", "controller", "stop", ".draft.tmp"}
    assert mirror.push() == 0
    (run.folder / "report.html").write_text("another page")
    assert mirror.push() == 1
    with pytest.raises(UsageError, match="already contains a run"):
        Mirror(tmp_path / "elsewhere" / "night", address).claim()


def test_a_run_goes_on_elsewhere(tmp_path: Path, address: str) -> None:
    """Another machine fetches it and plays on. Then the first machine fetches the rest."""
    first = pushed(tmp_path / "a", address, "night", ("one",))
    second = Mirror(tmp_path / "b" / "runs" / "night", address)
    second.pull()
    assert check_run(Run.open(second.folder)).problems() == ()
    shutil.rmtree(second.folder)
    played(second.folder, ("one", "two"))
    shutil.copy(first.folder / "episodes" / "one.a0.json", second.folder / "episodes")
    assert second.push() > 0
    Mirror(first.folder, address).pull()
    assert sorted(path.name for path in (first.folder / "episodes").iterdir()) == ["one.a0.json", "two.a0.json"]
    assert not list(first.folder.glob(".*"))


def test_episodes_of_two_places_are_not_mixed(tmp_path: Path, address: str) -> None:
    run = pushed(tmp_path, address, "night", ("one",))
    episode = next(run.episodes())
    run.write_episode(episode.model_copy(update={"seconds": 1234567.5}))
    with pytest.raises(
        UsageError, match=r"episodes/one\.a0\.json differs from the file in .*the run was continued in two places"
    ):
        Mirror(run.folder, address).pull()


def test_shards_are_merged_and_reported_from_an_address(
    tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = played(tmp_path / "alone" / "runs" / "night", tuple(CASES))
    for number, mine in ((1, ("one", "four")), (2, ("two", "three"))):
        pushed(tmp_path / f"machine{number}", address, f"night-{number}of2", mine, (number, 2))
    monkeypatch.chdir(tmp_path)
    assert main(["merge", "night-*of2", f"--reports={address}"]) == 0
    assert f"copy:        {address}/runs/night" in capsys.readouterr().out
    with fetched(Store(f"{address}/runs/night")) as folder:
        assert (folder / "results.jsonl").read_bytes() == whole.results_file.read_bytes()
        assert check_run(Run.open(folder)).problems() == ()
    assert main(["merge", "night-1of2", "night-2of2", f"--reports={address}"]) == 4
    assert main(["report", f"--reports={address}"]) == 0
    assert f"{address}/leaderboard.html" in capsys.readouterr().out
    assert "leaderboard.html" in there(address)
    assert main(["merge", "other-*of2", f"--reports={address}"]) == 4
    assert "there is no such run" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("s3://key:secret@bucket/lab", "--reports s3://...: an address must not contain a user name or password"),
        ("nonsense://bucket/lab", "--reports nonsense://bucket/lab: "),
        ("memory://nothing-here", "memory://nothing-here: there is nothing here"),
    ],
)
def test_a_wrong_address_is_one_line(given: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", f"--reports={given}"]) == 4
    said = capsys.readouterr().err
    assert told in said
    assert said.count("\n") == 1
    assert "secret" not in said


def test_a_bucket_that_is_not_there_is_not_made(
    tmp_path: Path, s3: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in s3.items():
        monkeypatch.setenv(name, value)
    run = played(tmp_path / "runs" / "night", ("one",))
    for _ in range(2):
        with pytest.raises(HarnessTrouble, match=r"s3://no-such-bucket/x/runs/night can't be written: "):
            Mirror(run.folder, "s3://no-such-bucket/x").push()
