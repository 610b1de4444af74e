"""Several environments at once, each in a process of its own; processes that have imported nothing; the split."""

from typing import Any

import gymnasium
import joblib
import pytest

import longtrail.gym  # noqa: F401 (registers the environments)
from longtrail.errors import UsageError
from longtrail.gym.env import TaskEnv
from longtrail.records.split import FIRST_FOR_TRAINING, check_split, split_of

FORUM = "spam_false_alarm_001"


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
