"""Messages as they are sent."""

from longtrail.llm.chat_format import CACHE_MARK_FROM, chat_message
from longtrail.llm.client import Message


def test_text_is_sent_as_text() -> None:
    assert chat_message(Message(role="system", text="rules"), marks=True) == {"role": "system", "content": "rules"}


def test_a_long_stable_beginning_is_marked_where_the_provider_wants_marks() -> None:
    text = "h" * CACHE_MARK_FROM + "now"
    message = Message(role="user", text=text, stable=CACHE_MARK_FROM)
    assert chat_message(message, marks=False) == {"role": "user", "content": text}
    parts = chat_message(message, marks=True)["content"]
    assert parts == [
        {"type": "text", "text": "h" * CACHE_MARK_FROM, "cache_control": {"type": "ephemeral"}},
        {"type": "text", "text": "now"},
    ]
    short = Message(role="user", text=text, stable=CACHE_MARK_FROM - 1)
    assert chat_message(short, marks=True)["content"] == text


def test_pictures_follow_the_text() -> None:
    message = chat_message(Message(role="user", text="look", images=(b"a", b"b")), marks=False)
    assert [part["type"] for part in message["content"]] == ["text", "image_url", "image_url"]
    assert message["content"][2]["image_url"]["url"] == "data:image/jpeg;base64,Yg=="
