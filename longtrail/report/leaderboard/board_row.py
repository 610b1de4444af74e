"""Board row: one contender in one suite, from one run, with the addresses of the cases behind its figures."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from longtrail.agents.spec import AgentRole, AgentSpec
from longtrail.report.addresses import case_list
from longtrail.report.figures import context
from longtrail.report.leaderboard.papers import PaperLine
from longtrail.report.leaderboard.ranking import UNRANKED, Rank
from longtrail.statistics.aggregate import ResultRow
from longtrail.tasks.cases import slug


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
