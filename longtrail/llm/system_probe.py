"""System probe: does a model's own server pass on the system message? Some chat templates drop or refuse it. It also
finds servers that answer a wrong address with status 200.

Only servers of the user's own are asked, as a call costs nothing there: one call before the run, of one token.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import httpx

from longtrail.llm.models import is_private, provider_of
from longtrail.llm.tokens import count

SECONDS = 120.0
"""Longest wait: a server may load its model now."""
_PROTOCOL = frozenset({"openai", "hosted_vllm", "vllm", "lm_studio", "llamafile", "openai_like", "custom_openai"})
"""Providers whose servers speak OpenAI's protocol."""
_SYSTEM = "You are being tested. " + " ".join(f"Rule {number}: keep to rule {number + 1}." for number in range(40))


def system_problem(model: str, args: Mapping[str, Any]) -> str:
    """One line if the server drops or refuses the system message, or answers without a chat; otherwise nothing, also if
    it can't be asked."""
    address = str(args.get("api_base", ""))
    if "system" in args or not is_private(address) or provider_of(model) not in _PROTOCOL:
        return ""
    messages = [{"role": "system", "content": _SYSTEM}, {"role": "user", "content": "Say yes."}]
    body = {"model": model.partition("/")[2] or model, "messages": messages, "max_tokens": 1}
    headers = {"Authorization": f"Bearer {args.get('api_key', 'none')}"}
    try:
        response = httpx.post(
            f"{address.rstrip('/')}/chat/completions", json=body, headers=headers, timeout=SECONDS, trust_env=False
        )
        answer = response.json()
        if response.is_success and answer.get("error") and not answer.get("choices"):
            parts = urlsplit(address)
            hint = "" if "/v1" in parts.path else f"; most servers want {parts.scheme}://{parts.netloc}/v1"
            return f"--model-arg api_base={address}: the server has no chat there ({str(answer['error'])[:200]}){hint}"
        tokens = answer["usage"]["prompt_tokens"] if response.is_success else None
    except (httpx.HTTPError, ValueError, KeyError, TypeError, AttributeError):  # the run itself will say what is wrong
        return ""
    refused = not response.is_success and "system" in response.text.lower() and "role" in response.text.lower()
    if refused or (isinstance(tokens, int) and 0 < tokens < count(_SYSTEM) / 2):
        does = "refuses" if refused else "drops"
        return f"the server of model {model!r} {does} the system message: give --model-arg system=user"
    return ""
