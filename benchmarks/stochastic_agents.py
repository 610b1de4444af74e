"""Stochastic agents: simulated outcomes of tasks that are solved with different probabilities, to test statistics."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from longtrail.statistics.paired import Stratum


@dataclass(frozen=True)
class Population:
    """Tasks whose success probabilities follow a Beta distribution."""

    rate: float = 0.45
    """Mean success probability; 0.462 is the long-context paper's best at length 0."""
    concentration: float = 1.0
    """Sum of the Beta's parameters: 1 = most tasks are nearly always or nearly never solved, 4 = spread evenly."""

    def chances(self, tasks: int, draw: np.random.Generator) -> np.ndarray:
        """A success probability for each task."""
        return draw.beta(self.rate * self.concentration, (1 - self.rate) * self.concentration, tasks)


def outcomes(chances: np.ndarray, repeats: int, draw: np.random.Generator) -> np.ndarray:
    """0 or 1 for each task and repeat."""
    return (draw.random((len(chances), repeats)) < chances[:, None]).astype(float)


def lowered(chances: np.ndarray, drop: float) -> np.ndarray:
    """Probabilities whose mean is lower by `drop`: every task loses the same share. A negative drop is a gain: every
    task fails less often, by the same share, by at most all of it."""
    if drop < 0:
        failures = 1 - chances
        return 1 - failures * max(0.0, 1 + drop / float(failures.mean()))
    return chances * max(0.0, 1 - drop / float(chances.mean()))


def paired(before: np.ndarray, after: np.ndarray) -> Sequence[Stratum]:
    """Both agents' outcomes as strata, one per task."""
    rows = zip(before.tolist(), after.tolist(), strict=True)
    return [Stratum(f"task{number}", tuple(old), tuple(new)) for number, (old, new) in enumerate(rows)]
