"""Which of Playwright's traces, videos and screenshots a run keeps, and what is taken out of a trace."""

import json
import shutil
import zipfile
from pathlib import Path

import pytest

from longtrail.runs import recordings
from longtrail.runs.recordings import Recordings, kept_files, write_without_secrets
from tests.made import trajectory

KEY = "sk-canary/7+Qz=recording-3b27d1c4"


@pytest.fixture
def raw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A trace with keys wherever one may be."""
    monkeypatch.setenv("SHOP_API_KEY", KEY)
    options = {"viewport": {}, "proxy": {"password": "of the proxy"}, "storageState": {"cookies": [{"value": "c1"}]}}
    headers = [{"name": "Cookie", "value": "c2"}, {"name": "Proxy-Authorization", "value": "c3"}]
    request = {"headers": [*headers, {"name": "Accept", "value": "text/html"}], "cookies": [{"value": "c4"}]}
    files = {
        "trace.trace": json.dumps({"options": options, "title": f"1. type {KEY}", "stack": ["/home/me"]}).encode(),
        "trace.network": json.dumps({"snapshot": {"request": request}}).encode(),
        "resources/page.html": f"<p>{KEY}".encode(),
        "screencast/one.jpeg": b"\xff\xd8" + bytes(1000),
    }
    for name, data in files.items():
        path = tmp_path / "raw" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return tmp_path / "raw"


def contents(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as trace:
        return {name: trace.read(name) for name in trace.namelist()}


def test_a_trace_is_kept_without_secrets(raw: Path, tmp_path: Path) -> None:
    write_without_secrets(raw, tmp_path / "clean.zip")
    files = contents(tmp_path / "clean.zip")
    everything = b"".join(files.values()).decode("latin-1")
    assert not [secret for secret in (KEY, "of the proxy", "/home/me", "c1", "c2", "c3", "c4") if secret in everything]
    assert files["resources/page.html"] == b"<p>[key]"
    assert json.loads(files["trace.network"])["snapshot"]["request"]["headers"][2]["value"] == "text/html"
    assert len(files["screencast/one.jpeg"]) == 1002


def test_each_step_begins_with_its_picture(raw: Path, tmp_path: Path) -> None:
    (tmp_path / "shot.webp").write_bytes(b"RIFF")
    records = [
        {"type": "context-options", "options": {"viewport": {"width": 393, "height": 727}}},
        {"type": "event", "params": {"pageId": "page@1"}},
        *({"type": "before", "title": f"{number}. click", "startTime": float(number)} for number in (1, 2, 3)),
    ]
    (raw / "trace.trace").write_text("\n".join(map(json.dumps, records)))
    write_without_secrets(raw, tmp_path / "clean.zip", [(1, tmp_path / "none.webp"), (2, tmp_path / "shot.webp")])
    files = contents(tmp_path / "clean.zip")
    written = [json.loads(line) for line in files["trace.trace"].splitlines()]
    assert [each["type"] for each in written[2:]] == ["before", "before", "screencast-frame", "before"]
    assert {"pageId": "page@1", "width": 393, "timestamp": 2.0}.items() <= written[4].items()
    assert files[written[4]["file"]] == b"RIFF"


def test_what_exceeds_the_limit_is_left_out_pictures_first(
    raw: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recordings, "MAX_BYTES", 1000)
    write_without_secrets(raw, tmp_path / "clean.zip")
    assert sorted(contents(tmp_path / "clean.zip")) == ["resources/page.html", "trace.network", "trace.trace"]


def test_the_rules_decide_what_stays(raw: Path, tmp_path: Path) -> None:
    run, output, episode = tmp_path / "run", tmp_path / "output", trajectory(())
    name = f"{episode.case.id}.a{episode.attempt}"
    rules = {"tracing": "retain-on-failure", "video": "on", "screenshot": "off"}
    with Recordings(rules, run, output) as kept:
        for passed in (True, False):
            recording = kept.begin(name)
            assert recording is not None
            folder = recording.context_options["record_video_dir"]
            shutil.copytree(raw, folder / "trace")
            (folder / "video-of-page.webm").write_bytes(b"video")
            kept.keep(episode, passed=passed)
            kinds = [kind for kind, _, _ in kept_files(episode, run)]
            assert kinds == (["video"] if passed else ["tracing", "video"])
            assert not folder.exists()
    assert [path.name for path in sorted(output.rglob("*.*")) if path.is_file()] == ["trace.zip", "video.webm"]


def test_a_shared_first_part_is_kept_for_the_case_that_fails(raw: Path, tmp_path: Path) -> None:
    """It was played in another case, which passed."""
    first = trajectory(())
    played_in = f"{first.case.id}.a0"
    later = first.model_copy(update={"case": first.case.model_copy(update={"id": "later"}), "first_part_of": played_in})
    with Recordings({"tracing": "retain-on-failure"}, tmp_path / "run") as kept:
        recording = kept.begin(f"{played_in}-first")
        assert recording is not None
        shutil.copytree(raw, next(iter(kept._folder.iterdir())) / "trace")
        kept.keep(first, passed=True)
        assert not (tmp_path / "run").exists()
        kept.keep(later, passed=False)
        assert [path for _, path, _ in kept_files(later, tmp_path / "run")] == [
            f"playwright/{played_in}-first/trace.zip"
        ]


def test_nothing_is_recorded_without_an_option(tmp_path: Path) -> None:
    with Recordings({"tracing": "off"}, tmp_path) as kept:
        assert kept.begin("case.a0") is None
