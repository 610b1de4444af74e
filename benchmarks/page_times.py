"""The CPU time for making pages of the worlds and the replicas, in milliseconds, without browser and network.

    python -m benchmarks.page_times

The median and the maximum of nine requests each.
"""

import asyncio
import time
from statistics import median

from longtrail.authoring.validity.crawl import fetch
from longtrail.web.registry import all_sites
from longtrail.web.world import Templates, World, in_world

PAGES = {
    "shopadmin.test": (
        "/admin/admin/dashboard/",
        "/admin/sales/order/",
        "/admin/sales/order/?search=Johnson",
        "/admin/sales/order/view/order_id/635/",
        "/admin/sales/order/commentsHistory/order_id/635/",
        "/admin/customer/index/",
        "/admin/customer/index/edit/id/15/",
        "/admin/customer/index/orders/id/15/",
        "/admin/sales/creditmemo/",
        "/admin/sales/order_creditmemo/new/order_id/635/",
        "/admin/cms/page/edit/page_id/6/",
    ),
    "forum.test": ("/", "/all/new", "/f/personalfinance", "/user/WrenHalloway", "/comments", "/forums"),
    "www.nfl.com": ("/",),
    "www.ikea.com": ("/us/en/",),
    "www.flightaware.com": ("/",),
}


def main() -> None:
    sites = {host: site for site in all_sites() for host in site.hosts}
    for host, paths in PAGES.items():
        site = sites[host]
        world = World("timed", Templates([site]))
        app = in_world(site.app, world)
        print(f"\n{host:52} {'median':>8} {'longest':>8}")
        for path in paths:
            times = []
            for _ in range(10):
                start = time.process_time()
                status, *_ = asyncio.run(fetch(app, host, path))
                times.append(1000 * (time.process_time() - start))
                if status != 200:
                    raise SystemExit(f"{path} answered {status}")
            del times[0]  # compiles templates and renders texts that later requests reuse
            print(f"{path:52} {median(times):8.1f} {max(times):8.1f}")
        world.close()


if __name__ == "__main__":
    main()
