"""The scripts that run in pages are joined into one program, so no name may be defined twice."""

import re
from collections import Counter

from longtrail.browser.page_scripts import FOLDER, PARTS

NAMES = re.compile(r"^(?:async )?(?:function|class|const|let|var) (\w+)|^const \w+ = .*?, (\w+) = ", re.MULTILINE)


def test_every_name_is_defined_once() -> None:
    names: Counter[str] = Counter()
    for part in PARTS:
        source = (FOLDER / f"{part}.js").read_text("utf-8")
        names.update(name for found in NAMES.finditer(source) for name in found.groups() if name)
    assert len(names) > 80
    assert [name for name, count in names.items() if count > 1] == []
