"""An episode as a record: a warehouse case of the shop, investigated, decided and carried out."""

from longtrail.records.action import Click, Decide, Evidence, Goto, Scroll
from longtrail.records.result import FactResult, Metric, Result
from longtrail.records.trajectory import Case, Change, End, Trajectory
from tests.report.steps import GPT, PROVENANCE, step

ORDER = "https://shopadmin.test/admin/sales/order/view/order_id/635/"
JUSTIFICATION = (
    "The comments history shows four wrong-item complaints by this customer, all traced to one picker in Warehouse "
    "Zone 4. The fault is ours; the refund of $115.73 is due."
)


def shop_episode() -> tuple[Trajectory, Result]:
    """The warehouse case: evidence found in the comments history, decided and carried out."""
    case = Case(id="pw-055-hint-r0", suite="shopping_admin", task="PW-055", prompt="hint")
    comments = "https://shopadmin.test/admin/sales/order/commentsHistory/order_id/635/"
    steps = (
        step(
            1,
            "main",
            "https://shopadmin.test/admin/dashboard/",
            "Dashboard",
            "The order comes first.",
            Goto(url=ORDER),
            after=ORDER,
            screenshot="pw055-1.jpg",
        ),
        step(
            2,
            "main",
            ORDER,
            "#000000635 / Orders",
            "Four complaints look bad. The comments may tell why.",
            Click(id="31"),
            role="tab",
            name="Comments History",
            after=comments,
            screenshot="pw055-2.jpg",
        ),
        step(
            3,
            "main",
            comments,
            "Comments History",
            "All four go back to the same picker. I read on.",
            Scroll(),
            text="[1] note '14 March: complaint 4, wrong item; traced to Zone 4, picker 11; retraining done'",
            screenshot="pw055-3.jpg",
        ),
        step(
            4,
            "main",
            comments,
            "Comments History",
            "The customer is the victim here.",
            Decide(
                decision="APPROVE",
                justification=JUSTIFICATION,
                evidence=(Evidence(source="order 635, comments history", quote="traced to Zone 4, picker 11"),),
                response="We are sorry, Kevin. Your refund of $115.73 is on its way, with $50 for the trouble.",
            ),
        ),
    )
    trajectory = Trajectory(
        case=case,
        contender=GPT,
        provenance=PROVENANCE,
        prompt="Kevin Zhang asks for a refund of $115.73 on order #000000635. Decide: APPROVE, DENY or ESCALATE.",
        steps=steps,
        ends=(End(reason="decide", phase="main"),),
        changes=(
            Change(
                site="shopadmin.test",
                table="credit_memo",
                key="41",
                before=None,
                after={"order_id": 635, "grand_total": 115.73, "state": "Refunded"},
            ),
            Change(
                site="shopadmin.test",
                table="orders",
                key="635",
                before={"status": "Complete", "total_refunded": 0},
                after={"status": "Closed", "total_refunded": 115.73},
            ),
        ),
        seconds=21.7,
    )
    result = Result(
        case=case,
        contender=GPT,
        provenance=PROVENANCE,
        outcome="passed",
        reason="all evidence was delivered and stated before the optimal decision",
        category="warehouse_operational",
        stage="proven",
        metrics={
            "investigation": Metric(value=True, reason="2 of 2 facts delivered"),
            "reasoning": Metric(value=0.5, reason="1 of 2 facts counted, no distractor asserted"),
            "decision": Metric(value=1.0, reason="APPROVE is optimal"),
            "proven": Metric(value=0.5, reason="1 x 0.5 x 1"),
            "harm_tier": Metric(value="optimal", reason="from the task"),
            "paper_investigation": Metric(value=1, reason="order:635/history was read"),
            "paper_reasoning": Metric(value=1.0, reason="2 of 2 facts named"),
        },
        facts=(
            FactResult(
                id="zone-4-picker",
                says="All four complaints go back to one picker in Zone 4.",
                delivered=3,
                said=True,
                said_at=4,
                counted=True,
                reason="delivered at step 3, stated in the justification",
            ),
            FactResult(
                id="retrained",
                says="The employee was retrained.",
                delivered=3,
                reason="delivered at step 3, not stated",
            ),
        ),
        steps=4,
        usage=trajectory.usage,
        seconds=trajectory.seconds,
    )
    return trajectory, result
