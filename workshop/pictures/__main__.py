"""Draw the pictures, or the named ones, into the forum's data: `python -m workshop.pictures [NAME ...]`."""

import sys

from longtrail.web.sites.forum.reading import FOLDER, REDRAWN
from workshop.pictures.gallery import encoded, files
from workshop.pictures.redrawn import REDRAWN as AGAIN

if __name__ == "__main__":
    (FOLDER / REDRAWN).mkdir(parents=True, exist_ok=True)
    for file, drawing in files().items():
        if sys.argv[1:] and drawing.__name__ not in sys.argv[1:]:
            continue
        for folder, draw in ((FOLDER, drawing), (FOLDER / REDRAWN, AGAIN.get(drawing))):
            if draw:
                data = encoded(draw(), file.rpartition(".")[2])
                (folder / file).write_bytes(data)
                print(f"{drawing.__name__:14} {folder.name}/{file} {len(data):7,} bytes")
