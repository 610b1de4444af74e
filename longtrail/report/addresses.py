"""Addresses: the links of the site. The part of an address after the `#` selects what a page of cases shows."""

from urllib.parse import quote, urlencode

from longtrail.runs.attempts import file_stem

PLAYS = "data/tasks/"
"""Folder, in the reports folder, of the lists of each task's episodes."""


def run_folder(run: str) -> str:
    """A run's folder, relative to the reports folder; ends in a slash."""
    return f"runs/{quote(run, safe='', errors='replace')}/"


def plays_file(task: str) -> str:
    """The list of a task's episodes in all runs, relative to the reports folder."""
    return f"{PLAYS}{file_stem(task)}.js"


def case_list(at: str, suite: object, contender: object, measure: str = "", basis: str = "all", **where: object) -> str:
    """Address of exactly the cases behind a figure: those for which `measure` is defined, on this basis, and that
    match `where` (`condition`, `category`, `outcome`, `group` ..., or `is_` with conditions on measures such as
    `harm:wrong`). By default, appeals and the control are left out, as in rates.
    """
    conditions: dict[str, object] = {"suite": suite, "who": contender, "group": "main", "has": measure}
    conditions |= {"outcome": "passed,failed"} if basis in ("valid", "completed") else {}
    conditions |= {"is": "completed:1"} if basis == "completed" else {}
    conditions |= {name.rstrip("_"): value for name, value in where.items()}
    query = {name: value for name, value in conditions.items() if value != ""}
    return f"{at}cases.html#{urlencode(query, safe=':,', quote_via=quote, errors='replace')}"


def side_name(run: str, who: str) -> str:
    """A contender of a run, in the names of pairs and in the addresses of comparisons. `who`: its label as a slug."""
    return f"{quote(run, safe='', errors='replace')}/{who}"


def comparison_address(a: str, b: str, suite: str = "") -> str:
    """Address, seen from the reports folder, of the comparison of two sides."""
    first, second = (quote(each, safe="") for each in (a, b))
    return f"compare.html#a={first}&b={second}" + (f"&suite={suite}" if suite else "")
