"""Redrawn: the pictures of counterfactual twins. Each differs from its task's picture in its deciding text alone."""

from collections.abc import Mapping
from functools import partial

from workshop.pictures import charts, maps, papers, streets, things
from workshop.pictures.gallery import Drawing

BAKER = (
    "For the eleventh time the hill town of Fennick has drawn its deputy mayor by lot, as its charter of 1611 demands, "
    "from all households with a chimney. The lot fell on Matilda Orsi, a baker of forty-four. Her predecessor, a "
    "shepherd, retires after two terms.",
    papers.GOAT[1].replace("is fed", "is paid"),
)
SODA = (
    "Pour three spoons into the dry drain, then half a litre of vinegar. Close the drain, rinse after one minute. "
    "Contains sodium carbonate. Irritates the eyes."
)
JUNIOR = (
    things.DOSES[0],
    ("12 and over", "4 tablets", "4 hours", "16 tablets"),
    ("6 to 11", "2 tablets", "4 hours", "8 tablets"),
    things.DOSES[3],
)
REDRAWN: Mapping[Drawing, Drawing] = {
    charts.battery_bars: partial(charts.battery_bars, (5, 7, 10), (3, 5, 7, 9, 11)),
    charts.parcel_bars: partial(charts.parcel_bars, (6687, 7058, 7365), range(6000, 7501, 250)),
    charts.lead_lines: partial(charts.lead_lines, (11.9, 11.4, 10.1, 9.6, 7.8, 6.3, 5.1, 4.0), zero_on_top=False),
    charts.savings_axes: partial(charts.savings_axes, (100, 112, 131, 134, 153, 172, 186), (88, 200)),
    charts.visitor_axes: partial(charts.visitor_axes, 10),
    charts.gap_years: partial(charts.gap_years, (312, 268, 221, 178, 146, 147, 146, 147)),
    maps.winter_map: partial(
        maps.winter_map,
        "Tarn path. Sheltered, marked with poles, the way in winter, 40 minutes shorter.",
        "Fell track. June to October only. In snow closed: runs through two avalanche tracks.",
    ),
    maps.pets_map: partial(maps.pets_map, "dogs", "cats"),
    papers.goat_table: partial(papers.goat_table, "baker", BAKER),
    papers.money_table: partial(papers.money_table, "took the money"),
    papers.poster: partial(
        papers.poster, "of making two hours feel like ten minutes, as bright as the crossing is dark."
    ),
    streets.finish_clock: partial(streets.finish_clock, "0:39:41"),
    streets.flood_inn: partial(streets.flood_inn, "THE ANCHOR HOUSE", "S 18TH ST"),
    streets.tower_fire: partial(streets.tower_fire, "CITROEN"),
    things.comet_sky: partial(
        things.comet_sky,
        "Nadir X2    35 mm f/2    8.0 s    ISO 1600    14 Mar 2026 05:10    frame 1 of 1    straight from the camera",
    ),
    things.drain_bottle: partial(things.drain_bottle, SODA, struck=False),
    things.lawn_pair: partial(things.lawn_pair, "6", "28"),
    things.lozenge_box: partial(things.lozenge_box, " You may drive after taking it."),
    things.rim_weight: partial(things.rim_weight, "DESIGNED AND MADE IN PORTUGAL"),
    things.tablet_box: partial(things.tablet_box, 125, JUNIOR),
}
"""The drawing of a task's picture, and the one of its twin's. Both are sent under the same name."""
