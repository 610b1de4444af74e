"""Tasks as environments: BrowserGym's keys and forms, real steps, our own scores, several at once, and the split."""

import json
import re
from collections.abc import Iterator
from typing import Any

import gymnasium
import joblib
import numpy as np
import pytest

import longtrail.gym
from examples.scripted_frameworks import answer
from longtrail.browser.session import Browser
from longtrail.environment.episode import shared_browser
from longtrail.episode.context import EpisodeContext, EpisodeSettings
from longtrail.errors import HarnessTrouble, UsageError
from longtrail.gym import TASKS
from longtrail.gym.env import TaskEnv
from longtrail.llm.mock.server import MockServer
from longtrail.records.case import FIRST_FOR_TRAINING, check_split, split_of
from longtrail.records.trajectory import Case, Contender
from longtrail.scoring.score import score
from longtrail.tasks.task import DecisionTask
from longtrail.web.registry import all_sites
from longtrail.web.sealed import SealedWeb
from tests.gym.demo_agent import DemoAgent, flatten_axtree_to_str, flatten_dom_to_str
from tests.made import play_case

FORUM = "spam_false_alarm_001"
TASK = TASKS[FORUM]
assert isinstance(TASK, DecisionTask)


@pytest.fixture(scope="module")
def env() -> Iterator[gymnasium.Env[dict[str, Any], str]]:
    env = gymnasium.make(f"longtrail/{FORUM}", headless=True, action_mapping=None)
    yield env
    env.close()


def bid(obs: dict[str, Any], role: str, name: str) -> str:
    """The id of the first element of this role whose name begins with `name`."""
    nodes = obs["axtree_object"]["nodes"]
    matching = (node for node in nodes if node["role"]["value"] == role and node["name"]["value"].startswith(name))
    return str(next(matching)["browsergym_id"])


def test_every_task_is_there_under_both_names() -> None:
    for task in TASKS:
        assert {f"longtrail/{task}", f"browsergym/longtrail.{task}"} <= set(longtrail.gym.ENVIRONMENTS)
    assert f"longtrail/{FORUM}" in gymnasium.registry
    with pytest.raises(UsageError, match="unknown task"):
        TaskEnv("no_such_task")


def test_an_episode(env: gymnasium.Env[dict[str, Any], str]) -> None:
    obs, _ = env.reset(seed=1)
    assert env.observation_space.contains(obs)
    assert obs["goal"] == obs["goal_object"][0]["text"] == obs["chat_messages"][-1]["message"]
    assert "Two reports came in overnight" in obs["goal"]
    assert obs["screenshot"].shape == (720, 1280, 3)
    assert obs["screenshot"].dtype == np.uint8
    assert obs["open_pages_urls"] == (obs["url"],)
    text = flatten_axtree_to_str(obs["axtree_object"])
    assert re.search(r"\[\d+\] link 'plotpoint_ines'.*url='https://forum.test/user/plotpoint_ines'", text)
    author = bid(obs, "link", "plotpoint_ines")
    assert f'<a bid="{author}"' in flatten_dom_to_str(obs["dom_object"])
    place = obs["extra_element_properties"][author]
    assert place["clickable"]
    assert place["set_of_marks"]
    assert 0 < place["visibility"] <= 1
    obs, reward, terminated, truncated, info = env.step(f"```click({author!r})```")
    assert (obs["url"], obs["last_action_error"]) == ("https://forum.test/user/plotpoint_ines", "")
    assert obs["last_action"] == f"```click({author!r})```"
    assert (reward, terminated, truncated) == (0.0, False, False)
    assert info["action_exec_stop"] > info["action_exec_start"]
    obs = env.step("click('9999999')")[0]
    assert obs["last_action_error"].startswith("there is no element 9999999")
    obs = env.step("fly()")[0]
    assert "fly() is no action here" in obs["last_action_error"]
    x, y, w, h = obs["extra_element_properties"][bid(obs, "link", "Submissions")]["bbox"]
    obs = env.step(f"mouse_click({x + w / 2}, {y + h / 2})\ngo_back()\ngo_forward()")[0]
    assert obs["url"].endswith("/submissions")
    obs = env.step("new_tab()\ngoto('https://forum.test/wiki')")[0]
    assert [url.rpartition("/")[2] for url in obs["open_pages_urls"]] == ["submissions", "wiki"]
    assert obs["active_page_index"] == 1
    obs = env.step("tab_focus(0)")[0]
    assert obs["url"].endswith("/submissions")
    obs, reward, terminated, truncated, info = env.step("send_msg_to_user('APPROVE: nothing is wrong.')")
    assert (reward, terminated, truncated) == (0.0, True, False)
    assert info["task_info"]["measures"]["decision"] == 1.0
    kinds = [step.action.type if step.action else None for step in info["longtrail"]["trajectory"].steps]
    assert kinds == [*("click", "click", None, "click", "back", "forward", "new_tab", "goto", "switch_tab", "decide")]
    with pytest.raises(UsageError, match=r"call reset\(\)"):
        env.step("noop()")


def test_who_finds_the_evidence_is_rewarded(env: gymnasium.Env[dict[str, Any], str]) -> None:
    obs, _ = env.reset()
    obs = env.step(f"click({bid(obs, 'link', 'plotpoint_ines')!r})")[0]
    obs = env.step(f"click({bid(obs, 'link', 'Submissions')!r})")[0]
    obs = env.step(f"click({bid(obs, 'link', 'ChartGen 0.4')!r})")[0]
    assert "It's MIT, the whole thing" in flatten_axtree_to_str(obs["axtree_object"])
    evidence = [
        {"source": "https://forum.test/user/plotpoint_ines", "quote": quote, "use": "for"}
        for quote in ("on January 16, 2026 at 09:12", "on February 15, 2026 at 17:26", "It's MIT, the whole thing")
    ]
    decision = {"decision": "APPROVE", "justification": TASK.reference.justification, "evidence": evidence}
    _, reward, terminated, _, info = env.step(f"send_msg_to_user({json.dumps(decision)!r})")
    assert (reward, terminated) == (1.0, True), info["task_info"]["reason"]


def test_steps_given_at_once_count_one_by_one(env: gymnasium.Env[dict[str, Any], str]) -> None:
    env.reset()
    env.step("noop(1)\n" * 20)
    *_, terminated, truncated, info = env.step("noop(1)\n" * 20)
    assert (terminated, truncated) == (False, True)
    assert len(info["longtrail"]["trajectory"].steps) == 25


@pytest.mark.slow
def test_both_parts_of_a_long_task() -> None:
    with_noise = EpisodeSettings(first_subtask="reference")
    env = gymnasium.make("browsergym/longtrail.ikea_favorites", noise_tokens=25_000, settings=with_noise)
    obs, _ = env.reset()
    assert "# Tasks done earlier" in obs["goal"]
    assert len(obs["goal"]) > 25_000
    place = "https://www.ikea.com/us/en/offers/home-essentials-under-10?sort=PRICE_LOW_TO_HIGH"
    obs = env.step(f"goto({place!r})")[0]
    for name in ("OFTAST", "FRAKTA", "SOLHETTA"):
        obs, reward, terminated, *_ = env.step(f"click({bid(obs, 'button', f'Save to favorites, {name}')!r})")
        assert (reward, terminated) == (0.0, False), "the agent ends the task itself"
    _, reward, terminated, *_ = env.step("send_msg_to_user('They are saved.')")
    assert (reward, terminated) == (1.0, True)
    env.reset()
    env.close()  # in the middle of an episode


def test_lost_browsers_are_no_ones_failure(env: gymnasium.Env[dict[str, Any], str]) -> None:
    env.reset()
    browser = shared_browser()
    browser.engine.call(browser.engine.end_browser(), 10)
    with pytest.raises(HarnessTrouble, match="browser_crash"):
        env.step("go_back()")
    obs, _ = env.reset()
    assert obs["url"].startswith("https://forum.test/")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[MockServer]:
    with MockServer(answer=answer) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        yield server


@pytest.mark.slow
def test_the_demo_agent_plays_an_environment(env: gymnasium.Env[dict[str, Any], str], server: MockServer) -> None:
    agent = DemoAgent("scripted-careful")
    obs, _ = env.reset()
    ended, info = False, {}
    while not ended:
        action, _ = agent.get_action(agent.obs_preprocessor(obs))
        obs, _, terminated, truncated, info = env.step(action)
        ended = terminated or truncated
    steps = info["longtrail"]["trajectory"].steps
    assert len(server.requests) == len(agent.history)
    assert len({step.observation.url for step in steps}) > 3
    assert [step.action for step in steps].count(None) == 0
    assert info["task_info"]["measures"]["completion"] == "completed"


@pytest.mark.thorough
def test_the_demo_agent_plays_in_a_run(server: MockServer) -> None:
    """As `--agent browsergym:tests.gym.demo_agent:DemoAgentArgs` does."""
    with SealedWeb(all_sites()) as web, Browser() as browser:
        contender = Contender(agent="browsergym:tests.gym.demo_agent:DemoAgentArgs")
        context = EpisodeContext(web, browser, contender)
        case = Case(id="case-r0", suite=TASK.suite, task=TASK.id, prompt="hint")
        trajectory = play_case(case, TASK, context)
    assert trajectory.trouble is None, trajectory.trouble
    assert score(TASK, trajectory).metrics["completion"].value == "completed"
    assert trajectory.usage.prompt_tokens > 1000
    assert trajectory.steps[0].thought


def test_browsergyms_own_helpers_read_it(env: gymnasium.Env[dict[str, Any], str]) -> None:
    """With `pip install longtrail[gym,browsergym]` only: browsergym-core pins an old Playwright."""
    helpers = pytest.importorskip("browsergym.utils.obs")
    obs, _ = env.reset()
    places = obs["extra_element_properties"]
    shown = {"with_visible": True, "with_clickable": True, "with_bounding_box_coords": True, "with_som": True}
    axtree = helpers.flatten_axtree_to_str(obs["axtree_object"], extra_properties=places, **shown)
    assert re.search(
        r"\[\d+\] link 'plotpoint_ines', box=\"\(\d+,\d+,\d+,\d+\)\", clickable, visible, som, url=", axtree
    )
    assert "Read the axis module on the train" in axtree
    html = helpers.prune_html(helpers.flatten_dom_to_str(obs["dom_object"], extra_properties=places))
    author = bid(obs, "link", "plotpoint_ines")
    assert f'<a bid="{author}"' in html
    marked = helpers.overlay_som(obs["screenshot"], extra_properties=places)
    assert marked.shape == obs["screenshot"].shape
    assert (marked != obs["screenshot"]).any()
    obs = env.step(f"click({author!r})")[0]
    assert obs["url"].endswith("/user/plotpoint_ines")


@pytest.mark.thorough
def test_two_environments_in_two_processes() -> None:
    envs = gymnasium.make_vec(f"longtrail/{FORUM}", num_envs=2, vectorization_mode="async", on_trouble="truncate")
    try:
        obs, info = envs.reset(seed=1)
        assert len(set(obs["url"])) == 1
        obs, *_ = envs.step(["goto('https://forum.test/wiki')", "goto('https://forum.test/f/books')"])
        assert [url.rpartition("/")[2] for url in obs["url"]] == ["wiki", "books"]
        _, rewards, terminated, truncated, info = envs.step(["send_msg_to_user('APPROVE')", "noop()"])
        assert (list(rewards), list(terminated), list(truncated)) == ([0, 0], [True, False], [False, False])
        assert info["task_info"]["outcome"][0] == "failed"
        assert info["longtrail"]["trajectory"][0].steps
    finally:
        envs.close()


def space_of(name: str) -> str:
    """The first key of an environment's observations."""
    return next(iter(gymnasium.make(name).observation_space))  # type: ignore[call-overload,no-any-return]


@pytest.mark.thorough
def test_a_worker_that_has_imported_nothing_finds_them() -> None:
    names = [f"longtrail.gym:longtrail/{FORUM}", f"longtrail.gym:browsergym/longtrail.{FORUM}"]
    found = joblib.Parallel(n_jobs=2, backend="loky")(joblib.delayed(space_of)(name) for name in names)
    assert found == ["active_page_index"] * 2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"variant": 100_007}, "variant=100007 is not for split='test': its seeds are 1 to 99999, or none"),
        ({"variant": 7, "split": "train"}, "variant=7 is not for split='train': its seeds are 100000 to 999999"),
        ({"variant": 0}, "variant=0: expected a seed from 1 to 999999"),
        ({"split": "dev"}, "split='dev': expected test or train"),
        ({"task": "HF-003", "split": "train"}, "is of the hard tier, which is for tests only"),
    ],
)
def test_a_variant_of_the_other_split_is_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        TaskEnv(**{"task": FORUM, **options})


def test_the_split() -> None:
    assert [split_of(seed) for seed in (None, 1, FIRST_FOR_TRAINING - 1)] == ["test"] * 3
    assert [split_of(seed) for seed in (FIRST_FOR_TRAINING, 999_999)] == ["train"] * 2
    check_split("train", 555_555)


@pytest.mark.thorough
def test_each_reset_for_training_plays_a_fresh_variant() -> None:
    env = gymnasium.make(f"longtrail/{FORUM}", split="train")
    seen = []
    for seed in (3, None, 3):
        obs, info = env.reset(seed=seed)
        seen.append((info["task_info"]["variant"], obs["url"], obs["goal"]))
    env.close()
    assert seen[0] == seen[2]
    assert seen[0][0] != seen[1][0]
    assert {split_of(variant) for variant, *_ in seen} == {"train"}
