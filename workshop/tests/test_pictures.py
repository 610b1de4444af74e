"""The forum's pictures: the scripts draw the checked-in files."""

import io

import pytest
from PIL import Image, ImageChops, ImageStat

from longtrail.web.sites.forum.reading import FOLDER, REDRAWN
from workshop.pictures import redrawn
from workshop.pictures.gallery import Drawing, encoded, files

FILES = sorted(path.name for path in FOLDER.glob("*.*"))
DRAWINGS = files()
AGAIN = {f"{REDRAWN}/{name}": redrawn.REDRAWN[each] for name, each in DRAWINGS.items() if each in redrawn.REDRAWN}


def test_every_file_is_drawn() -> None:
    assert sorted(DRAWINGS) == FILES
    assert sorted(AGAIN) == sorted(f"{REDRAWN}/{path.name}" for path in (FOLDER / REDRAWN).iterdir())


@pytest.mark.sampled(4, ci=2)
@pytest.mark.parametrize(("name", "drawing"), [*DRAWINGS.items(), *AGAIN.items()])
def test_the_script_draws_what_is_checked_in(name: str, drawing: Drawing) -> None:
    """Equal, except that other versions of the libraries may draw edges slightly differently."""
    again = Image.open(io.BytesIO(encoded(drawing(), name.rpartition(".")[2]))).convert("RGB")
    kept = Image.open(FOLDER / name).convert("RGB")
    assert again.size == kept.size
    assert max(ImageStat.Stat(ImageChops.difference(again, kept)).mean) < 2.0
