"""The kinds of web and of history that a run can choose. A separate module, because the command line needs these types
before any record."""

from typing import Literal

WebKind = Literal["embedded", "live"]
"""The web that an episode was played on."""
ActionSet = Literal["paper", "full"]
"""What an agent may do: the seven actions of the long-context paper, or also what `records/full_actions.py` adds."""
NoiseKind = Literal["orthogonal", "similar"]
"""`orthogonal`: noise from other sites about other things (the paper). `similar`: every other trajectory is on the
task's own site, as long as the pool has any."""
InterferenceKind = Literal["off", "high"]
"""`high`: the history also has entries that are easily confused with the first part, and the instructions tell them
apart by their purposes (tasks/interference.py)."""
NeedlePlace = Literal["first", "middle", "last", "random"]
"""The position of the first part in the history (the paper: first)."""
Placement = Literal["distraction", "lost_guidance", "lost_evidence"]
"""What comes before the noise of a decision task: nothing; the guidance (hint or plan); an earlier episode that found
half of the evidence."""
