"""The canary is in NOTICE, every text file of `longtrail/data`, and every YAML file of the tests and the workshop."""

from pathlib import Path

from longtrail.paths import CANARY, DATA, NOTICE

ROOT = Path(__file__).resolve().parent.parent
TEXTS = {".yaml", ".j2", ".json", ".jsonl"}
PICTURES = {".jpg", ".png"}


def test_every_data_file_carries_the_canary_at_its_top() -> None:
    yaml = [path for folder in ("tests", "workshop") for path in (ROOT / folder).rglob("*.yaml")]
    files = [path for path in [*DATA.rglob("*"), *yaml] if path.is_file()]
    assert {path.suffix for path in files} <= TEXTS | PICTURES
    texts = [path for path in files if path.suffix in TEXTS]
    assert len(texts) > 250
    without = [str(path.relative_to(ROOT)) for path in texts if NOTICE not in path.read_text("utf-8")[:200]]
    assert without == []


def test_the_notice_names_it() -> None:
    assert CANARY in (ROOT / "NOTICE").read_text("utf-8")
