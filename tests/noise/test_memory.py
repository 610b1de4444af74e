"""Entries of a history are alike in length, whoever wrote them: the words of the pages fill up what was written."""

from statistics import mean

from longtrail.noise.pool import shipped_pool
from longtrail.records.memory import LEAST, STEP, MemoryStep, page_words, recall
from tests.made import step

ROWS = "\n".join(f' listitem\n  [{n}] link "Coach {n}": leaves at {n % 12 + 1}:45 PM, $1{n}.99' for n in range(3, 90))
PAGE = f"""banner
 [1] link "Home"
main
 heading "Choose your bus" level=1
 [2] combobox "From" value="New York" options: "Any town" | "Albany"
{ROWS}
contentinfo
 [99] link "Imprint"
"""


def length(memory: MemoryStep) -> int:
    return len(memory.seen) + len(memory.thought) + len(memory.action) + len(memory.reflection)


def test_a_page_is_remembered_by_the_words_of_its_main_part() -> None:
    words = page_words(PAGE)
    assert words.startswith('Choose your bus From value="New York" Coach 3: leaves at 4:45 PM, $13.99 Coach 4')
    assert not any(other in words for other in ("Home", "Imprint", "Albany", "[4]"))


def test_the_steps_of_a_terse_agent_are_as_long_as_those_of_the_noise() -> None:
    took = [step(n, {"type": "scroll"}, text=PAGE, thought="Next." * n) for n in (1, 2, 90, 400)]
    terse, short, wordy, endless = recall(took)
    for memory in (terse, short, wordy):
        assert STEP - LEAST <= length(memory) <= STEP + 3
    assert endless.seen == took[3].observation.title, "the page adds nothing to a step that is long already"
    noise = mean(length(each) for trajectory in shipped_pool().trajectories for each in trajectory.episode.steps)
    assert 0.75 * noise <= length(terse) <= 1.35 * noise
