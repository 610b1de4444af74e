"""Variants: other data, the same tasks. What must hold for every seed is tested on several."""

import re
import sqlite3
import subprocess
import sys
from collections import defaultdict
from contextlib import closing
from typing import Any, Literal

import pytest

from longtrail.agents.readers import remembered
from longtrail.authoring.validity.long_context_rules import LONG_CONTEXT_RULES, RESULT_RULES
from longtrail.checks.decisions import decision_score, decision_table, decision_words
from longtrail.records.case import DECISION
from longtrail.tasks.briefing import case_prompt, kind_of
from longtrail.tasks.cases import Conditions, plan
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import Appeals, DecisionTask, LongContextTask, Task
from longtrail.tasks.twins import load_twins
from longtrail.variants.shop import Shop
from longtrail.variants.variant import Variant, variant
from longtrail.web.registry import all_sites
from longtrail.web.site import Edition, edition_of, for_hard_tier
from longtrail.web.sites.shopadmin.build import crowd
from tests.pytest_plugin.pytest_process import ROOT, environment

SEEDS = (1, 2, 3)
EDITIONS: tuple[Literal["usual", "hard"], ...] = ("usual", "hard")
SHIPPED = load_tasks()
DECISIONS = [name for name, task in SHIPPED.items() if isinstance(task, DecisionTask)]


def each_seed(test: Any) -> Any:
    """A short run and CI take the first seed, `--all` takes every one."""
    return pytest.mark.sampled(3)(pytest.mark.parametrize("seed", SEEDS)(test))


def decision(seed: int, name: str) -> DecisionTask:
    task = variant(seed).tasks[name]
    assert isinstance(task, DecisionTask)
    return task


def shipped(name: str) -> DecisionTask:
    task = SHIPPED[name]
    assert isinstance(task, DecisionTask)
    return task


def unvaried(seed: int, name: str) -> DecisionTask:
    """What a variant starts from: the shipped task, or its counterfactual twin where the seed takes that."""
    return load_twins()[f"{name}-twin"] if name in variant(seed).flipped else shipped(name)


def names(task: DecisionTask) -> list[str]:
    return [customer["name"] for customer in task.story.get("customers", ())]


def prose(task: Task) -> str:
    return task.model_dump_json()


@pytest.mark.slow
@each_seed
def test_the_same_tasks_in_the_same_order(seed: int) -> None:
    varied = variant(seed).tasks
    assert list(varied) == list(SHIPPED)
    assert all(varied[name] != SHIPPED[name] for name in DECISIONS)
    assert sum(task != SHIPPED[name] for name, task in varied.items()) >= 310


@pytest.mark.thorough
def test_a_seed_gives_one_variant_and_other_seeds_give_others() -> None:
    again, other = Variant(1).tasks, variant(2).tasks
    assert again == variant(1).tasks
    assert sum(other[name] != task for name, task in again.items()) >= 305


@pytest.mark.slow
@pytest.mark.sampled(5)
@pytest.mark.parametrize("seed", [1, 2, 3, 4, 5])
def test_published_answers_are_worth_no_more_than_the_best_answer_to_each_kind_of_request(seed: int) -> None:
    for suite in DECISION:
        tasks = {name: decision(seed, name) for name in DECISIONS if shipped(name).suite == suite}
        words, table = tuple(decision_words(suite)), decision_table(suite)
        kinds = defaultdict(list)
        known = 0.0
        for planned in plan(tasks, Conditions(prompts=("raw",), variant=seed)):
            right = tasks[planned.case.task].truth
            kinds[kind_of(tasks[planned.case.task])].append({w: decision_score(w, right, table)[0] for w in words})
            known += decision_score(remembered(case_prompt(planned.task, planned.case), words), right, table)[0]
        best = sum(max(sum(worth[word] for worth in kind) for word in words) for kind in kinds.values())
        assert known <= best, suite


@each_seed
def test_everybody_in_the_shop_has_one_name(seed: int) -> None:
    """No two people get the same name, and a new name is everywhere where the old one was."""
    before = [name for task_id in DECISIONS for name in names(unvaried(seed, task_id))]
    after = [name for task_id in DECISIONS for name in names(decision(seed, task_id))]
    assert len(set(after)) == len(set(before))
    assert sum(old != new for old, new in zip(before, after, strict=True)) > 0.95 * len(before)
    worlds = (variant(seed), for_hard_tier(variant(seed)))
    known = {*after, *(customer.name for world in worlds for customer in crowd(world).customers)}
    for task_id in DECISIONS:
        if shipped(task_id).base_suite == "shopping_admin":
            for old, new in zip(names(unvaried(seed, task_id)), names(decision(seed, task_id)), strict=True):
                told = prose(decision(seed, task_id))
                assert prose(unvaried(seed, task_id)).count(old) == told.count(new), (task_id, old, new)
                assert old == new or old in known or old not in told


@each_seed
def test_numbers_keep_their_order(seed: int) -> None:
    for shop in (variant(seed)._suite("shop"), variant(seed)._suite("hard-shop")):
        assert isinstance(shop, Shop)
        orders = [shop.numbers.order(number) for number in (*range(1, 1000), *range(100_001, 165_000))]
        assert orders == sorted(set(orders))
        assert orders[0] != 1
        customers = [shop.numbers.customer(number) for number in range(1, 1000)]
        assert customers == sorted(set(customers))


@each_seed
def test_no_old_number_is_left_in_a_task(seed: int) -> None:
    for task_id in DECISIONS:
        if shipped(task_id).base_suite == "shopping_admin":
            old = {f"{order['id']:09d}" for order in unvaried(seed, task_id).story.get("orders", ())}
            assert not old & {*re.findall(r"\d{9}", prose(decision(seed, task_id)))}, task_id
            pages = {page for fact in decision(seed, task_id).facts for page in fact.pages}
            assert not pages & {f"order:{int(number)}" for number in old}, task_id


@each_seed
def test_the_texts_in_pictures_stay(seed: int) -> None:
    pictured = [task_id for task_id in DECISIONS if any(fact.lettering for fact in unvaried(seed, task_id).facts)]
    assert len(pictured) >= 20
    for task_id in pictured:
        for old, new in zip(unvaried(seed, task_id).facts, decision(seed, task_id).facts, strict=True):
            assert (old.lettering, old.pages if old.pictured else ()) == (
                new.lettering,
                new.pages if new.pictured else (),
            )
            assert not old.pictured or old.shown == new.shown


@each_seed
def test_pages_that_a_task_names_keep_their_kind(seed: int) -> None:
    """Such as `forum:submission/156660/mod_delete`, whose last part is no title."""
    for name in DECISIONS:
        pairs = zip(unvaried(seed, name).relevant_pages, decision(seed, name).relevant_pages, strict=True)
        for old, new in pairs:
            assert old.count("/") == new.count("/"), (name, old, new)
            assert not old.endswith("/mod_delete") or new.endswith("/mod_delete"), (name, old, new)


@each_seed
def test_tasks_with_their_twins_records_are_played_without_the_shipped_appeals(seed: int) -> None:
    tasks = {name: variant(seed).tasks[name] for name in DECISIONS}
    pushed = {planned.task.id for planned in plan(tasks, Conditions(variant=seed), appeal=True)}
    own = {name for name in variant(seed).flipped if load_twins()[f"{name}-twin"].appeal != Appeals()}
    assert pushed == {*DECISIONS} - variant(seed).flipped | own


@each_seed
def test_amounts_are_those_of_the_books(seed: int) -> None:
    """A task's required credit memo does not exceed the total of its varied order."""
    changed = 0
    totals: dict[str, dict[int, float]] = {}
    for edition in EDITIONS:
        with world(seed, "shopadmin", edition) as db:
            totals[edition] = dict(db.execute("SELECT entity_id, grand_total FROM sales_order").fetchall())
    for task_id in DECISIONS:
        task = decision(seed, task_id)
        if task.base_suite != "shopping_admin":
            continue
        changed += task.policy["given"].get("amount") != shipped(task_id).policy["given"].get("amount")
        for check in task.end_state:
            if check.table == "sales_order" and check.match.get("status") == "closed":
                number = check.match["entity_id"]
                paid = next(c.match["grand_total"] for c in task.end_state if c.table == "sales_creditmemo")
                refunded = sum(r.get("adjust", 0) for o in task.story["orders"] for r in o.get("refunds", ()))
                assert paid <= totals[edition_of(task)][number] + refunded  # type: ignore[index]
    assert changed >= 40


@each_seed
def test_long_context_tasks_fit_their_sites(seed: int) -> None:
    for task in variant(seed).tasks.values():
        if isinstance(task, LongContextTask):
            for rule in LONG_CONTEXT_RULES:
                assert list(rule(task)) == []
            for site_rule in RESULT_RULES:
                assert list(site_rule(task, variant(seed))) == []


@each_seed
def test_no_old_number_is_left_in_a_long_context_task(seed: int) -> None:
    changed = 0
    for task in variant(seed).tasks.values():
        if isinstance(task, LongContextTask):
            old = variant(seed)._sites[task.host].ids
            changed += bool(old)
            assert not {*re.findall(r"\d+", prose(task))} & (old.keys() - {*old.values()}), task.id
    assert changed >= 25


@each_seed
def test_prices_of_the_consumer_sites_keep_their_order(seed: int) -> None:
    moved = 0
    for task in variant(seed).tasks.values():
        if isinstance(task, LongContextTask):
            prices = variant(seed)._sites[task.host].prices
            moved += len(prices)
            assert list(prices.values()) == sorted(prices.values())
            assert len({*prices.values()}) == len(prices)
    assert moved > 100


def world(seed: int, name: str, edition: Edition) -> Any:
    varied = variant(seed)
    (site,) = (site for site in all_sites(shipped=varied.tasks.values(), vary=varied) if site.name == name)
    db = sqlite3.connect(":memory:", isolation_level=None)
    site.build(db, edition)
    return closing(db)


@each_seed
@pytest.mark.parametrize("edition", EDITIONS)
def test_worlds_hold_the_new_names_and_numbers(seed: int, edition: Edition) -> None:
    tasks = [task for name in DECISIONS if edition_of(task := decision(seed, name)) == edition]
    with world(seed, "shopadmin", edition) as db:
        held = {*db.execute("SELECT entity_id, firstname || ' ' || lastname, email FROM customer_entity")}
    stories = [task.story for task in tasks if task.base_suite == "shopping_admin"]
    told = {(c["id"], c["name"], c["email"]) for story in stories for c in story["customers"]}
    assert told <= held
    with world(seed, "forum", edition) as db:
        members = {name for (name,) in db.execute("SELECT name FROM user")}
        posts = {number for (number,) in db.execute("SELECT id FROM submission")}
    for task in tasks:
        if task.base_suite == "reddit":
            start = re.search(r"/f/\w+/(\d+)", task.start)
            assert start is None or int(start[1]) in posts
            assert {user["name"] for user in task.story.get("users", ())} <= members


def test_without_the_flag_nothing_of_it_is_loaded() -> None:
    code = (
        "import sys, pytest; pytest.main(['--collect-only', '-q', '-p', 'no:terminal', '-p', 'no:hypothesispytest']);"
        "print([n for n in sys.modules if n.startswith('longtrail.variants.')])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment(), capture_output=True, text=True)
    assert done.stdout.strip().endswith("[]"), done.stdout[-300:] + done.stderr[-300:]
