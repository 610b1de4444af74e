"""Object stores: a copy is kept up to date, resumed elsewhere, merged and reported; wrong addresses are one line."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from longtrail.commands.main import main
from longtrail.errors import HarnessTrouble, UsageError
from longtrail.llm.call_book import FILE as CALL_BOOK
from longtrail.llm.call_book import CallBook
from longtrail.llm.limits import CallEnd, CallRequest
from longtrail.report.build import write_site
from longtrail.runs.checked import check_run
from longtrail.runs.object_store import Mirror, Store, fetched
from longtrail.runs.store import Run
from longtrail.runs.sums import seal
from tests.runs.test_merging import CASES, played


def pushed(reports: Path, address: str, name: str, mine: tuple[str, ...], shard: tuple[int, int] | None = None) -> Run:
    """A finished run, here and at the address."""
    run = played(reports / "runs" / name, mine, shard)
    Mirror(run.folder, address).push()
    return run


def push_both_parts(folder: Path, address: str) -> None:
    """The two shards of a run, each played on a machine of its own and sent to the address."""
    for number, mine in ((1, ("one", "four")), (2, ("two", "three"))):
        pushed(folder / f"machine{number}", address, f"night-{number}of2", mine, (number, 2))


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
    assert {"run.json", "results.jsonl", "SHA256SUMS", "episodes/one.a0.json", "calls.sqlite"} <= names
    assert not names & {"lock", "controller", "stop", ".draft.tmp"}
    assert mirror.push() == 0
    (run.folder / "note.html").write_text("another page")
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


def spend(folder: Path, usd: float) -> None:
    """Count this amount in the run's book, in one finished call of a minute ago, which the book has added up."""
    book = CallBook(folder, clock=lambda: 0.0)
    book.end(book.admit(CallRequest(model="any", tokens=9, usd=usd)).ticket, CallEnd(usd=usd))
    later = CallBook(folder, clock=lambda: 3600.0)
    later.end(later.admit(CallRequest(model="any", tokens=9, usd=0)).ticket, CallEnd(usd=0.0))


def test_what_was_spent_elsewhere_counts(tmp_path: Path) -> None:
    """A spent $2, B continued to $10, and A continues: the book's file stayed as long as it was."""
    address = f"file://{tmp_path / 'kept'}"
    here = played(tmp_path / "a" / "runs" / "night", ("one",))
    (here.folder / CALL_BOOK).unlink()
    spend(here.folder, 2)
    Mirror(here.folder, address).push()
    there = Mirror(tmp_path / "b" / "runs" / "night", address)
    there.pull()
    assert CallBook(there.folder).spent == 2
    spend(there.folder, 5)
    lost = CallBook(there.folder)
    lost.admit(CallRequest(model="any", tokens=9, usd=3))  # this session is killed: the call may have been billed
    there.push()
    again = Mirror(here.folder, address)
    again.pull()
    assert CallBook(here.folder).spent == 10
    again.push()
    with fetched(Store(again.address)) as folder:
        assert CallBook(folder).spent == 10
    spend(here.folder, 1)
    Mirror(here.folder, address).pull()
    assert CallBook(here.folder).spent == 11, "the larger one counts"


@pytest.mark.parametrize("seconds", [1234567.5, None], ids=["other size", "same size"])
def test_episodes_of_two_places_are_not_mixed(tmp_path: Path, address: str, seconds: float | None) -> None:
    run = pushed(tmp_path, address, "night", ("one",))
    Mirror(run.folder, address).pull()
    episode = next(run.episodes())
    digits = f"{episode.seconds}"
    other = seconds or float(digits[:-1] + ("1" if digits[-1] != "1" else "2"))
    before = (run.folder / "episodes" / "one.a0.json").stat().st_size
    run.write_episode(episode.model_copy(update={"seconds": other}))
    assert (before == (run.folder / "episodes" / "one.a0.json").stat().st_size) == (seconds is None)
    with pytest.raises(
        UsageError, match=r"episodes/one\.a0\.json differs from the file in .*the run was continued in two places"
    ):
        Mirror(run.folder, address).pull()


def test_shards_are_merged_and_reported_from_an_address(
    tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = played(tmp_path / "alone" / "runs" / "night", tuple(CASES))
    push_both_parts(tmp_path, address)
    monkeypatch.chdir(tmp_path)
    assert main(["merge", "night-*of2", f"--reports={address}"]) == 0
    assert f"copy:        {address}/runs/night" in capsys.readouterr().out
    with fetched(Store(f"{address}/runs/night")) as folder:
        assert (folder / "results.jsonl").read_bytes() == whole.results_file.read_bytes()
        assert check_run(Run.open(folder)).problems() == ()
    assert main(["merge", "night-1of2", "night-2of2", f"--reports={address}"]) == 0, "the same parts again"
    assert main(["report", f"--reports={address}"]) == 0
    assert f"{address}/leaderboard.html" in capsys.readouterr().out
    assert "leaderboard.html" in there(address)
    assert main(["merge", "other-*of2", f"--reports={address}"]) == 4
    assert "there is no such run" in capsys.readouterr().err


def test_reports_from_an_address_have_every_run_and_episode(
    tmp_path: Path, address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever they are called."""
    names = ("report-2026", "shots", "traces-of-may")
    for name in names:
        run = played(tmp_path / "runs" / name, ("report_bug", "shots"))
        write_site(tmp_path, only=name)
        Mirror(run.folder, address).push()
    pages = {f"runs/{name}/index.html": (tmp_path / "runs" / name / "index.html").read_bytes() for name in names}
    assert main(["report", f"--reports={address}"]) == 0, capsys.readouterr().out
    with fetched(Store(address)) as folder:
        board = (folder / "leaderboard.html").read_text("utf-8")
        assert all(name in board for name in names)
        assert {name: (folder / name).read_bytes() for name in pages} == pages


def test_a_half_sent_merged_run_is_completed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By the same command, with the local folder or without it; it may be repeated when the copy is complete."""
    address = f"file://{tmp_path / 'kept'}"
    push_both_parts(tmp_path, address)
    monkeypatch.chdir(tmp_path)
    words = ["merge", "night-*of2", f"--reports={address}"]
    assert main(words) == 0
    whole = there(f"{address}/runs/night")
    for keep_folder in (True, False):
        store = Store(f"{address}/runs/night")
        for name in ("SHA256SUMS", "results.jsonl", "episodes/two.a0.json"):
            store._files.rm(f"{store._path}/{name}")
        if not keep_folder:
            shutil.rmtree(tmp_path / "reports")
        assert main(words) == 0, capsys.readouterr().err
        assert there(f"{address}/runs/night") >= whole
    shutil.rmtree(tmp_path / "reports")
    assert main(words) == 0, capsys.readouterr().err
    assert there(f"{address}/runs/night") >= whole
    assert main([*words[:1], "night-1of2", "night-2of2", words[-1], "--into=night-1of2"]) == 4


def test_a_merged_run_that_went_on_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its copy has an attempt that the parts don't have. Where it went on, merging may be repeated."""
    address = f"file://{tmp_path / 'kept'}"
    push_both_parts(tmp_path, address)
    monkeypatch.chdir(tmp_path)
    words = ["merge", "night-*of2", f"--reports={address}"]
    assert main(words) == 0
    run = Run.open(tmp_path / "reports" / "runs" / "night")
    run.write_episode(next(run.episodes()).model_copy(update={"attempt": 1}))
    seal(run)
    Mirror(run.folder, address).push()
    assert main(words) == 0, capsys.readouterr().err
    sums = (tmp_path / "kept" / "runs" / "night" / "SHA256SUMS").read_bytes()
    shutil.rmtree(tmp_path / "reports")
    assert main(words) == 4
    assert "was continued after it was merged" in capsys.readouterr().err
    assert not (tmp_path / "reports").exists()
    assert (tmp_path / "kept" / "runs" / "night" / "SHA256SUMS").read_bytes() == sums


def test_another_run_s_wrong_file_costs_only_the_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    address = f"file://{tmp_path / 'kept'}"
    push_both_parts(tmp_path, address)
    monkeypatch.chdir(tmp_path)
    wrong = played(tmp_path / "reports" / "runs" / "wrong", ("one",)).folder / "tasks" / "mine.json"
    wrong.parent.mkdir()
    wrong.write_text("{}")
    assert main(["merge", "night-*of2", f"--reports={address}"]) == 4
    said = capsys.readouterr()
    assert f"copy:        {address}/runs/night" in said.out
    assert f"{wrong}: is not a task of a run" in said.err
    assert "`longtrail report` writes its pages" in said.err
    assert said.err.count("\n") == 1


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("s3://AKIA:ab/secret@bucket/lab", "--reports s3://...: an address must not contain"),
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


def test_a_book_that_can_t_be_copied_is_trouble_of_the_store(tmp_path: Path) -> None:
    run = played(tmp_path / "runs" / "night", ("one",))
    (run.folder / CALL_BOOK).write_bytes(b"no database" * 1000)
    mirror = Mirror(run.folder, f"file://{tmp_path / 'kept'}")
    for _ in range(2):
        with pytest.raises(HarnessTrouble, match=r"calls\.sqlite can't be copied: "):
            mirror.push()
    assert "results.jsonl" not in there(mirror.address)
