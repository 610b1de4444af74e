"""Draw the pictures, or the named ones, into the forum's data: `python -m workshop.pictures [NAME ...]`."""

import sys

from longtrail.web.sites.forum.images import FOLDER
from workshop.pictures.gallery import encoded, files

if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for file, drawing in files().items():
        if sys.argv[1:] and drawing.__name__ not in sys.argv[1:]:
            continue
        data = encoded(drawing(), file.rpartition(".")[2])
        (FOLDER / file).write_bytes(data)
        print(f"{drawing.__name__:14} {file} {len(data):7,} bytes")
