"""What a run can choose: the web, the history, the actions, the form of pages."""

from typing import Literal

WebKind = Literal["embedded", "live"]
"""The web that an episode was played on."""
FirstSubtask = Literal["agent", "reference"]
"""Who plays the first part."""
LiveCommits = Literal["hold", "allow"]
"""What happens to requests with real-world effects on the live web."""
ObservationForm = Literal["axtree", "html", "text"]
"""How pages are shown to the agent."""
ActionChoice = Literal["default", "paper", "full"]
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
