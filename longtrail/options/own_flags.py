"""Own flags: options for the user's own tasks, sites and apps."""

from pathlib import Path

from longtrail.options.flag import Flag

OWN_FLAGS = (
    Flag(
        "--tasks",
        help="a folder of your own task files, played together with the shipped tasks (-m own: only yours)",
        converts_to=Path,
        metavar="DIR",
        field="own_tasks",
    ),
    Flag(
        "--site",
        help="use this site or app at your own address, e.g. shopping_admin=http://host:7780/admin",
        repeated=True,
        metavar="NAME=ADDRESS",
        field="sites",
    ),
    Flag(
        "--live-host",
        help="live: send requests for this host to your own staging server, e.g. "
        "shop.example.com=http://127.0.0.1:8000",
        repeated=True,
        metavar="NAME=ADDRESS",
        effect="measured",
        field="live_hosts",
    ),
)
