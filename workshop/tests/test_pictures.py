"""The forum's pictures: the scripts draw the checked-in files."""

import io

import pytest
from PIL import Image, ImageChops, ImageStat

from longtrail.web.sites.forum.images import FOLDER
from workshop.pictures.gallery import encoded, files

FILES = sorted(path.name for path in FOLDER.iterdir())


def test_every_file_is_drawn() -> None:
    assert sorted(files()) == FILES


@pytest.mark.sampled(4, ci=2)
@pytest.mark.parametrize("name", FILES)
def test_the_script_draws_what_is_checked_in(name: str) -> None:
    """Equal, except that other versions of the libraries may draw edges slightly differently."""
    again = Image.open(io.BytesIO(encoded(files()[name](), name.rpartition(".")[2]))).convert("RGB")
    kept = Image.open(FOLDER / name).convert("RGB")
    assert again.size == kept.size
    assert max(ImageStat.Stat(ImageChops.difference(again, kept)).mean) < 2.0
