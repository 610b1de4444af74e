"""Errands: strict records, one file per site, with errors that name file and field."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from longtrail.errors import DataError
from workshop.noise.errand import NoiseTask, load_errands

MOVES: list[dict[str, Any]] = [
    {"goto": "https://shop.example/", "why": "The shop has what is wanted, so I go there."},
    {"click": {"role": "link", "name": "Lamps"}, "why": "Lamps are what this is about.", "turn": True},
    {"back": True, "why": "Not here, one page before there was more."},
    {"finish": "There is none.", "why": "I have seen all there is to see."},
]


def errand(**changes: Any) -> NoiseTask:
    entry = {
        "id": "lamp",
        "host": "shop.example",
        "topics": ["lamps"],
        "instruction": "Find a lamp.",
        "aim": ["find a lamp", "compare lamps"],
        "moves": MOVES,
    }
    return NoiseTask.model_validate({**entry, **changes})


def test_aims_follow_one_another() -> None:
    assert [errand().aim_at(number) for number in (1, 2, 3, 4, 5)] == ["find a lamp"] + ["compare lamps"] * 4


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"moves": MOVES[:3] + MOVES[:1]}, "expected the last move, and no other, to be `finish`"),
        ({"moves": [MOVES[3], *MOVES]}, "expected the last move, and no other, to be `finish`"),
        ({"aim": ["find a lamp"]}, "expected `turn: true` at 0 moves"),
        ({"moves": [{"read": "brass", "why": "It must say so somewhere."}, *MOVES[1:]]}, "`read` or `decide`"),
        ({"moves": [{"goto": "https://shop.example/", "why": "So."}, *MOVES[1:]]}, "at least 8 characters"),
        ({"moves": [{**MOVES[0], "back": True}, *MOVES[1:]]}, "expected exactly one action"),
        ({"id": "Lamp No. 1"}, "pattern"),
    ],
)
def test_what_is_wrong_is_said(changes: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValidationError, match=complaint):
        errand(**changes)


def test_the_file_names_the_host_and_ids_are_unique(tmp_path: Path) -> None:
    text = "\n".join(
        [
            "- id: lamp",
            "  topics: [lamps]",
            "  instruction: Find a lamp.",
            "  aim: [find a lamp]",
            "  moves:",
            "    - {goto: 'https://shop.example/', why: The shop has what is wanted.}",
            "    - {scroll: down, why: I look at what is further down.}",
            "    - {back: true, why: That was of no use to anyone.}",
            "    - {finish: none, why: I have seen all there is to see.}",
        ]
    )
    (tmp_path / "shop.example.yaml").write_text(text, encoding="utf-8")
    (found,) = load_errands(folder=tmp_path)
    assert (found.id, found.host) == ("lamp", "shop.example")
    (tmp_path / "www.example.yaml").write_text(text, encoding="utf-8")
    assert len(load_errands(["shop.example"], tmp_path)) == 1
    with pytest.raises(DataError, match=r"www\.example\.yaml: lamp: another errand has this id"):
        load_errands(folder=tmp_path)
    with pytest.raises(DataError, match=r"no-such-shop\.example: has no errands; there are some for shop\.example"):
        load_errands(["no-such-shop.example"], tmp_path)
