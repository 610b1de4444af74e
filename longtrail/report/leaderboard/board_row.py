"""Board row: one contender in one suite, from one run, with its rank and the addresses of the cases behind its figures.
Only comparable cases are compared.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean

from longtrail.agents.spec import AgentRole, AgentSpec
from longtrail.records.result import Result
from longtrail.records.trajectory import Case
from longtrail.report.addresses import case_list
from longtrail.report.figures import context
from longtrail.report.leaderboard.papers import PaperLine
from longtrail.statistics.aggregate import ResultRow
from longtrail.tasks.cases import slug


@dataclass(frozen=True, slots=True)
class Rank:
    """One contender's rank, and what it is based on."""

    place: int | None = None
    """From 1; None: it ran with other data, or shares no case with the others."""
    common: int = 0
    """Cases that all ranked contenders ran."""
    mean: float | None = None
    """The headline over these cases: the mean of the tasks' means, 0 to 1."""
    note: str = ""
    """How its run differs from the others: `other data`, `edited`, `incomplete`, `other cases`."""


UNRANKED = Rank()
"""The rank of lines that are not contenders."""


@dataclass(frozen=True, slots=True)
class CasePlay:
    """How a valid case was played."""

    steps: int
    minutes: float
    """Of a person, while their page was open; otherwise 0."""
    decision: str
    """Empty: none was made."""


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One contender in one suite, from one run."""

    row: ResultRow
    run: str
    data: str
    """Checksums of the data of the cases; several if they differ."""
    kind: AgentRole
    paper: tuple[PaperLine, ...] = ()
    normalised: float | None = None
    """Headline rescaled from the best trivial baseline (0) to the oracle (1); None without both."""
    between: tuple["BoardRow", "BoardRow"] | None = None
    """These two lines."""
    foreign: bool = False
    """Made with other data or other settings than most lines of the suite: not comparable with them."""
    at: str = ""
    """Path of its run's pages, relative to the page that shows it; ends in a slash or is empty."""
    settings: tuple[str, ...] = ()
    """The run's flags that change what is measured; the same contender with other flags is another line."""
    cases: Mapping[str, float] = field(default_factory=dict)
    """The cases behind the headline, and its value in each."""
    plays: Mapping[str, CasePlay] = field(default_factory=dict)
    """How each valid case was played."""
    missing: int = 0
    """Planned cases of its run without a record."""
    changed: int = 0
    """Results of its run without a matching episode."""
    rank: Rank = UNRANKED
    """Its rank among the contenders of the suite, over their common cases."""

    @property
    def tasks(self) -> int:
        """The number of tasks behind the headline."""
        return len({key.partition(" ")[0] for key in self.cases})

    @property
    def web(self) -> str:
        """Which web the run was played on."""
        return self.row.web

    @property
    def title(self) -> str:
        """The model, or the agent if it has no model; a person's name."""
        contender = self.row.contender
        name = contender.options.get("name", "") if self.kind == "person" else ""
        return str(name) or contender.model or contender.agent

    @property
    def subtitle(self) -> str:
        """The subtitle: the agent, and what distinguishes it from others of the same name."""
        contender = self.row.contender
        plain = {"oracle": "reference solution", "baseline": "baseline", "contender": "agent", "person": "a person"}
        parts = [contender.agent if contender.model else plain[self.kind]]
        parts += [] if contender.profile == "default" else [contender.profile]
        parts += [] if self.kind == "person" else [AgentSpec.parse(contender.agent).trust(self.row.web)]
        parts += [self.row.setting] if self.row.setting else []
        parts += ["vision"] if contender.vision else []
        parts += ["text only"] if self.blind else []
        parts += [] if self.web == "embedded" else [f"{self.web} web"]
        parts += [setting.removeprefix("--") for setting in self.settings]
        options = {
            key: value for key, value in contender.options.items() if key != "vision" and value != self.title
        }  # said above
        return " · ".join([*parts, *(f"{key}={value}" for key, value in sorted(options.items()))])

    @property
    def identity(self) -> tuple[str, str, tuple[str, ...], str]:
        """The key of a contender: on the real web, or with settings that change what is measured, it is another
        contender."""
        return self.row.contender.model_dump_json(), self.web, self.settings, self.row.setting

    @property
    def slug(self) -> str:
        """The contender's name in addresses; unique in its run."""
        return slug(self.row.contender.label)

    def seen_from(self, at: str) -> "BoardRow":
        """The line for a page from which its run's pages are at `at`; `between` must be of the same run."""
        both = self.between and (replace(self.between[0], at=at), replace(self.between[1], at=at))
        return replace(self, at=at, between=both)

    @property
    def run_page(self) -> str:
        """Address of its run's page."""
        return f"{self.at}index.html"

    def case_list(self, measure: str = "", basis: str = "all", **where: object) -> str:
        """Address of exactly the cases behind one of its figures (see `addresses`)."""
        conditions = {"suite": self.row.suite, **where}
        return case_list(self.at, conditions.pop("suite"), self.slug, measure, basis, **conditions)

    def at_length(self, length: int) -> str:
        """Long context: the condition of its cases with a history of this length."""
        return f"{context(length)} {self.row.setting}".strip()

    def under(self, prompt: str) -> str:
        """Decision tasks: the conditions behind its rates under a prompt; of crossed cases, only those without
        guidance or evidence before the noise."""
        cells = [cell for cell in self.row.crossed if (cell.placement, cell.prompt) == ("distraction", prompt)]
        return ",".join(f"distraction {prompt} {context(cell.length)}" for cell in cells) or prompt

    @property
    def blind(self) -> bool:
        """Whether it competes in a suite with picture cases but gets no images."""
        return self.row.suite == "reddit" and self.kind == "contender" and not self.row.contender.vision

    @property
    def score(self) -> float:
        """The headline's mean; below zero if undefined, so it sorts last."""
        return self.row.headline.mean if self.row.headline else -1.0


def headline_cases(results: Sequence[Result], measure: str) -> dict[str, float]:
    """Case -> the primary measure, 0 for an invalid case. Without appeals and the relocated control."""
    main = [result for result in results if not result.case.appeal and not result.case.relocated]
    return {case_key(result.case): result.number(measure) or 0.0 for result in main}


def case_key(case: Case) -> str:
    """A case's identity across contenders: task, condition and repeat."""
    condition = f"{case.noise_tokens or 0} {case.prompt or ''} {case.placement or ''} {case.noise} {case.needle}"
    return f"{case.task} {condition} {case.interference} {case.shift or ''} {case.notebook or ''} {case.repeat}"


def ranks(
    rows: Sequence[Mapping[str, float]], *, foreign: Sequence[bool], missing: Sequence[int], changed: Sequence[int]
) -> tuple[Rank, ...]:
    """The rank of each row of `headline_cases`; rows that are `foreign` (other data) have none.

    All ranked rows are compared over the cases that all of them have. Equal means share a rank.
    """
    alike = [cases for cases, is_foreign in zip(rows, foreign, strict=True) if not is_foreign and cases]
    common = set.intersection(*(set(cases) for cases in alike)) if alike else set()
    union = set().union(*alike)
    means = [
        None if is_foreign or not cases else _mean(cases, common)
        for cases, is_foreign in zip(rows, foreign, strict=True)
    ]
    order = sorted((mean for mean in means if mean is not None), reverse=True)
    ranked = []
    for cases, mean, is_foreign, lacking, edited in zip(rows, means, foreign, missing, changed, strict=True):
        reasons = {
            "other data": is_foreign,
            "edited": edited,
            "incomplete": lacking,
            "other cases": set(cases) != union,
        }
        note = next((word for word, so in reasons.items() if so), "")
        place = None if mean is None else 1 + order.index(mean)
        ranked.append(Rank(place, len(common), mean, note))
    return tuple(ranked)


def _mean(cases: Mapping[str, float], common: set[str]) -> float | None:
    tasks: dict[str, list[float]] = {}
    for key in common:
        tasks.setdefault(key.split(" ")[0], []).append(cases[key])
    return fmean(fmean(values) for values in tasks.values()) if tasks else None
