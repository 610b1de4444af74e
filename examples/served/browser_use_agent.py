"""browser-use on a served site: it gets a copy of the shop of its own, and the site's request log says what it opened.

longtrail serve shopadmin --port 7780 &
python examples/served/browser_use_agent.py     # in an environment with browser-use; the key is OPENAI_API_KEY
"""

import asyncio
import json
import os
from typing import Any
from urllib.request import Request, urlopen

os.environ.setdefault("ANONYMIZED_TELEMETRY", "false")  # read while browser_use is imported
os.environ.setdefault("BROWSER_USE_CLOUD_SYNC", "false")

from browser_use import Agent, Browser, ChatOpenAI

SHOP = os.environ.get("SHOP", "http://127.0.0.1:7780")
TASK = "Open order 000000635 and tell its status."


def ask(method: str, path: str) -> Any:
    """What the server answers below its control address."""
    asked = Request(f"{SHOP}/__longtrail__/{path}", method=method)  # noqa: S310 (an address on loopback)
    with urlopen(asked) as answer:  # noqa: S310
        return json.load(answer)


async def main() -> None:
    begun = ask("POST", "reset")
    enter = begun["enter"]["shopadmin.test"] + "?next=/admin/sales/order/"
    llm = ChatOpenAI(model=os.environ.get("MODEL", "gpt-4.1"), base_url=os.environ.get("OPENAI_BASE_URL"))
    browser = Browser(
        headless=True,
        executable_path=os.environ.get("LONGTRAIL_CHROMIUM"),
        chromium_sandbox=os.geteuid() != 0,
        allowed_domains=["127.0.0.1"],
        enable_default_extensions=False,  # they would be downloaded
    )
    agent = Agent(
        task=TASK,
        llm=llm,
        browser=browser,
        initial_actions=[{"navigate": {"url": enter}}],
        use_vision=False,
        use_judge=False,
    )
    history = await agent.run(max_steps=10)
    for request in ask("GET", f"requests?episode={begun['episode']}"):
        if request["dest"] == "document":
            print(request["status"], request["url"])
    print(history.final_result())


if __name__ == "__main__":
    asyncio.run(main())
