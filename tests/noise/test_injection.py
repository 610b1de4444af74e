"""Injection: histories of the asked-for length, irrelevant, the same for the same seed; and the lengths of entries."""

from pathlib import Path
from statistics import mean

import pytest

from longtrail.errors import DataError, UsageError
from longtrail.llm.tokens import count
from longtrail.noise.injection import TOLERANCE, elsewhere, inject
from longtrail.noise.pool import NoisePool, NoiseTrajectory, load_pool, save_pool, shipped_pool
from longtrail.noise.selection import orthogonal, shuffled, similar
from longtrail.records.memory import LEAST, STEP, MemoryStep, PastTask, page_words, recall, render_history
from longtrail.tasks.task import TASK, LongContextTask
from tests.made import step
from tests.tasks.examples import long_context

TEXT = "ferry timetable harbour quay ticket window winter crossing deck crew weather island bus return morning"
WORDS = TEXT.split()


def task(**changes: object) -> LongContextTask:
    parsed = TASK.validate_python(long_context(**changes))
    assert isinstance(parsed, LongContextTask)
    return parsed


def trajectory(number: int, **changes: object) -> NoiseTrajectory:
    """About 1,400 tokens each, all different."""
    steps = tuple(
        MemoryStep(
            url=f"https://host{number}.example/{step}",
            thought=" ".join(WORDS[(number * 7 + step * 3 + word) % len(WORDS)] for word in range(60))
            + f" {number}.{step}",
            action=f'click link "Quay {number} {step}"',
            reflection=" ".join(WORDS[(number + step * 5 + word * 2) % len(WORDS)] for word in range(70)) + ".",
        )
        for step in range(8)
    )
    episode = PastTask(instruction=f"Look up crossing number {number} of the island ferry", steps=steps)
    base = {"id": f"n{number:03}", "host": f"host{number}.example", "topics": ("ferries",), "episode": episode}
    return NoiseTrajectory.model_validate({**base, **changes})


def pool(*trajectories: NoiseTrajectory) -> NoisePool:
    return NoisePool(trajectories=trajectories, sha256="0" * 12)


POOL = pool(*(trajectory(number) for number in range(130)))
FIRST = PastTask(
    instruction="On tiny.test open the page of the brass lamp.",
    steps=(MemoryStep(url="https://tiny.test/", thought="There it is.", action='click link "Brass lamp"'),),
)


@pytest.mark.parametrize("target", [5_000, 25_000, 50_000, 75_000, 100_000, 125_000, 150_000, 33_333])
def test_the_history_has_the_length_asked_for(target: int) -> None:
    injected = inject(task(), FIRST, lambda: POOL, target, seed=0)
    counted = count(render_history(injected.episodes))
    assert abs(counted - target) <= TOLERANCE * target
    assert abs(counted - injected.history.tokens) <= len(injected.episodes)
    assert len(set(injected.history.injected)) == len(injected.history.injected)
    assert injected.episodes[0] == FIRST
    assert injected.history.last_url == injected.episodes[-1].steps[-1].url


def test_nothing_is_injected_at_zero() -> None:
    injected = inject(task(), FIRST, lambda: POOL, 0, seed=0)
    assert injected.episodes == (FIRST,)
    assert injected.history.injected == ()
    assert injected.history.last_url == ""


def test_deterministic_by_task_length_and_seed() -> None:
    history = inject(task(), FIRST, lambda: POOL, 25_000, seed=3).history
    assert history == inject(task(), FIRST, lambda: POOL, 25_000, seed=3).history
    assert history.injected != inject(task(), FIRST, lambda: POOL, 25_000, seed=4).history.injected
    assert history.injected != inject(task(id="other_task"), FIRST, lambda: POOL, 25_000, seed=3).history.injected


def test_a_longer_history_begins_with_the_shorter_one() -> None:
    short = inject(task(), FIRST, lambda: POOL, 25_000, seed=0).history.injected
    long = inject(task(), FIRST, lambda: POOL, 75_000, seed=0).history.injected
    assert long[: len(short) - 1] == short[:-1]


def test_only_irrelevant_trajectories_are_taken() -> None:
    same_site = trajectory(1, host="www.tiny.test")
    same_topic = trajectory(2, topics=("lighting", "home"))
    same_goal = trajectory(
        3, episode=PastTask(instruction="Open the page of a brass lamp", steps=trajectory(3).episode.steps)
    )
    telling = trajectory(
        4,
        episode=PastTask(
            instruction="Look up a crossing",
            steps=(MemoryStep(url="https://x.example/", thought="I like the Brass Lamp here.", action="go back"),),
        ),
    )
    fine = trajectory(5)
    assert orthogonal(task(), pool(same_site, same_topic, same_goal, telling, fine)) == (fine,)


def test_the_order_depends_on_task_and_seed_only() -> None:
    some = POOL.trajectories[:20]
    assert shuffled(some, "a", 0) == shuffled(tuple(reversed(some)), "a", 0)
    assert shuffled(some, "a", 0) != shuffled(some, "a", 1) != shuffled(some, "b", 1)


def test_too_small_a_pool_and_too_long_a_first_part_are_errors() -> None:
    with pytest.raises(UsageError, match="can't fill 25000 tokens"):
        inject(task(), FIRST, lambda: pool(trajectory(1)), 25_000, seed=0)
    with pytest.raises(UsageError, match="first part alone"):
        inject(task(), FIRST, lambda: POOL, 10, seed=0)
    with pytest.raises(UsageError, match="no trajectory"):
        elsewhere(task(), pool(trajectory(1, host="tiny.test")), seed=0)


def test_the_moved_control_goes_where_noise_ended() -> None:
    assert elsewhere(task(), POOL, 0) in {noise.last_url for noise in POOL.trajectories}


def test_a_pool_survives_its_file(tmp_path: Path) -> None:
    path = tmp_path / "pool.jsonl"
    save_pool(reversed(POOL.trajectories[:3]), path)
    assert load_pool(path).trajectories == POOL.trajectories[:3]
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([lines[1], lines[1]]), encoding="utf-8")
    with pytest.raises(DataError, match=r"line 2\.id: 'n000' is given twice"):
        load_pool(path)
    path.write_text('{"id": "x"}\n', encoding="utf-8")
    with pytest.raises(DataError, match=r"line 1\.host: Field required"):
        load_pool(path)
    with pytest.raises(DataError, match="can't be read"):
        load_pool(tmp_path / "none.jsonl")


@pytest.mark.parametrize("target", [25_000, 75_000])
def test_the_first_part_stands_where_it_is_wanted(target: int) -> None:
    histories = {
        place: inject(task(), FIRST, lambda: POOL, target, seed=0, needle=place)
        for place in ("first", "middle", "last", "random")
    }
    at = {place: injected.episodes.index(FIRST) for place, injected in histories.items()}
    assert at["first"] == 0
    assert at["last"] == len(histories["last"].episodes) - 1
    assert {injected.history.tokens for injected in histories.values()} == {histories["first"].history.tokens}
    assert {injected.history.injected for injected in histories.values()} == {histories["first"].history.injected}
    assert {injected.history.last_url for injected in histories.values()} == {histories["first"].history.last_url}
    share = {place: injected.history.before / injected.history.tokens for place, injected in histories.items()}
    assert share["first"] == 0
    assert share["middle"] == pytest.approx(0.5, abs=0.07)
    assert share["last"] > 0.9
    again = inject(task(), FIRST, lambda: POOL, target, seed=0, needle="random")
    assert again == histories["random"]
    others = {inject(task(), FIRST, lambda: POOL, target, seed, needle="random").history.before for seed in range(9)}
    assert len(others) > 4


LAMP = MemoryStep(url="https://tiny.test/lights", thought="I like the brass lamp here.", action="go back")
ROUTE = ("https://tiny.test/", "https://tiny.test/lamp")


def near(number: int, **changes: object) -> NoiseTrajectory:
    return trajectory(number, **{"host": "tiny.test", "topics": ("chairs",)} | changes)


def test_similar_noise_is_on_the_site_and_can_t_be_taken_for_the_first_part() -> None:
    telling = near(301, episode=PastTask(instruction="x", steps=(*trajectory(301).episode.steps[:2], LAMP)))
    steps = trajectory(302).episode.steps
    at_the_goal = [step.model_copy(update={"url": url}) for step, url in zip(steps, ROUTE, strict=False)]
    passing = near(302, episode=PastTask(instruction="y", steps=tuple(at_the_goal)))
    fine = [near(number) for number in (303, 304)]
    everything = pool(*POOL.trajectories, telling, passing, *fine)
    assert set(similar(task(), everything)) == set(fine)
    history = inject(task(), FIRST, lambda: everything, 25_000, seed=0, kind="similar").history
    assert set(history.similar) == {noise.id for noise in fine}
    assert [name in history.similar for name in history.injected[:5]] == [True, False, True, False, False]
    assert "tiny.test" not in history.last_url, "the browser is not put on the task's own site"
    with pytest.raises(UsageError, match="the noise pool holds no trajectory on tiny"):
        inject(task(), FIRST, lambda: pool(*POOL.trajectories, telling), 25_000, seed=0, kind="similar")
    plain = inject(task(), FIRST, lambda: everything, 25_000, seed=0).history
    assert plain.similar == ()
    assert not set(plain.injected) & {noise.id for noise in (*fine, telling, passing)}


def test_a_history_of_noise_alone() -> None:
    injected = inject(task(), None, lambda: POOL, 25_000, seed=0)
    assert abs(count(render_history(injected.episodes)) - 25_000) <= 250
    assert inject(task(), None, lambda: POOL, 0, seed=0).episodes == ()


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
