"""Routes: all addresses of the forum, in the order in which they are tried, and the app."""

from collections.abc import Awaitable, Callable
from pathlib import Path

from starlette.applications import Starlette
from starlette.convertors import Convertor, StringConvertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from longtrail.web.replica_notice import ABOUT_PATH
from longtrail.web.sites.forum import (
    bans,
    comments,
    feeds,
    forums,
    long_lists,
    moderation,
    submissions,
    users,
    wiki,
)
from longtrail.web.sites.forum import front_page as front
from longtrail.web.sites.forum.visit import ForumVisit

Handler = Callable[[ForumVisit], Awaitable[Response]]
GET = ("GET", "HEAD")
BOTH = (*GET, "POST")
POST = ("POST",)


def _choice(*words: str) -> Convertor[str]:
    """Patterns of a part of a path with fixed values."""
    made: Convertor[str] = type("Choice", (StringConvertor,), {"regex": "|".join(words)})()
    return made


register_url_convertor("forum_sort", _choice(*feeds.SORTS))
register_url_convertor("forum_scope", _choice(*front.SCOPES))
register_url_convertor("forum_number", _choice("[0-9]{1,15}"))
register_url_convertor("forum_view", _choice("nested", "linear"))
register_url_convertor("forum_order", _choice(*forums.ORDERS))
register_url_convertor("forum_name", _choice(r"\w{3,25}", r"!deleted\d+"))
register_url_convertor("forum_forums", _choice(r"\w{3,25}(?:\+\w{3,25})*"))

ONE = "/f/{forum}/{id:forum_number}/{slug}"
COMMENT = f"{ONE}/comment/{{cid:forum_number}}"


def _at(path: str, handler: Handler, methods: tuple[str, ...] = GET) -> Route:
    async def endpoint(request: Request) -> Response:
        return await handler(ForumVisit(request))

    return Route(path, endpoint, methods=list(methods))


FRONT = (
    _at("/", front.front),
    _at(ABOUT_PATH, front.about),
    _at("/forum.css", submissions.style),
    _at("/{sort:forum_sort}", front.front),
    _at("/{scope:forum_scope}", front.front),
    _at("/{scope:forum_scope}/{sort:forum_sort}", front.front),
    _at("/comments", front.recent_comments),
    _at("/search", front.search),
    _at("/tags", front.tags),
    _at("/tag/{tag}", front.tag),
    _at("/trash", bans.trash),
    _at("/moderation_log", bans.global_log),
    _at("/moderation_log/{page:forum_number}", bans.global_log),
    _at("/forums", forums.forum_list),
    _at("/forums/all", forums.forum_names),
    _at("/forums/{page:forum_number}", forums.forum_list),
    _at("/forums/{order:forum_order}", forums.forum_list),
    _at("/forums/{order:forum_order}/{page:forum_number}", forums.forum_list),
    _at("/create_forum", forums.create, BOTH),
    _at("/submit", submissions.submit, BOTH),
    _at("/submit/{forum}", submissions.submit, BOTH),
    _at("/submission_images/{stem:forum_name}", submissions.picture_page),
    _at("/submission_images/{file}", submissions.picture),
    _at("/sv/{id:forum_number}.html", submissions.vote, POST),
    _at("/sv/{id:forum_number}.json", submissions.vote, POST),
    _at("/cv/{id:forum_number}.html", submissions.vote, POST),
    _at("/cv/{id:forum_number}.json", submissions.vote, POST),
    _at("/comment_form/{forum}/{id:forum_number}/{cid:forum_number}", comments.reply_form),
)
WIKI = (
    _at("/wiki", wiki.article),
    _at("/wiki/_all", wiki.all_pages),
    _at("/wiki/_all/{page:forum_number}", wiki.all_pages),
    _at("/wiki/_recent", wiki.recent),
    _at("/wiki/_recent/{page:forum_number}", wiki.recent),
    _at("/wiki/_create", wiki.write, BOTH),
    _at("/wiki/_create/{path:path}", wiki.write, BOTH),
    _at("/wiki/_edit/{path:path}", wiki.write, BOTH),
    _at("/wiki/_history/{path:path}", wiki.history),
    _at("/wiki/_revision/{id:forum_number}", wiki.revision),
    _at("/wiki/_lock/{path:path}", wiki.lock, POST),
    _at("/wiki/_unlock/{path:path}", wiki.lock, POST),
    _at("/wiki/_delete/{path:path}", wiki.delete, POST),
    _at("/wiki/{path:path}", wiki.article),
    _at("/w/{path:path}", wiki.short),
)
USERS = (
    _at("/u/{user:forum_name}", users.short),
    _at("/user/{user:forum_name}", users.overview),
    _at("/user/{user:forum_name}/submissions", users.submissions),
    _at("/user/{user:forum_name}/comments", users.comments),
    _at("/user/{user:forum_name}/activity", long_lists.activity),
    _at("/user/{user:forum_name}/activity/{page:forum_number}", long_lists.activity),
    _at("/user/{user:forum_name}/compose_message", users.compose, BOTH),
    _at("/user/{user:forum_name}/block_user", users.block, POST),
    _at("/user/{user:forum_name}/unblock_user", users.block, POST),
    _at("/user/{user:forum_name}/block_list", users.block_list),
    _at("/user/{user:forum_name}/edit_biography", users.edit_biography, BOTH),
    _at("/messages", users.messages),
    _at("/messages/thread/{id:forum_number}", users.thread, BOTH),
    _at("/notifications", users.notifications),
    _at("/inbox", users.inbox),
    _at("/inbox/archive", users.archive),
    _at("/inbox/{id:forum_number}", users.message),
)
FORUMS = (
    _at("/f/{forum}/bans", bans.ban_list),
    _at("/f/{forum}/bans/{page:forum_number}", bans.ban_list),
    _at("/f/{forum}/bans/history/{user:forum_name}", bans.ban_history),
    _at("/f/{forum}/bans/history/{user:forum_name}/{page:forum_number}", bans.ban_history),
    _at("/f/{forum}/ban/{user:forum_name}", bans.ban, BOTH),
    _at("/f/{forum}/unban/{user:forum_name}", bans.ban, BOTH),
    _at("/f/{forum}/moderation_log", bans.forum_log),
    _at("/f/{forum}/moderation_log/{page:forum_number}", bans.forum_log),
    _at("/f/{forum}/trash", bans.trash),
    _at("/f/{forum}/moderators", bans.moderators),
    _at("/f/{forum}/moderators/{page:forum_number}", bans.moderators),
    _at("/f/{forum}/add_moderator", bans.add_moderator, BOTH),
    _at("/f/{forum}/subscribe", forums.subscribe, POST),
    _at("/f/{forum}/unsubscribe", forums.subscribe, POST),
    _at("/f/{forum}/subscribe.json", forums.subscribe, POST),
    _at("/f/{forum}/unsubscribe.json", forums.subscribe, POST),
    _at("/f/{forum}/hide", forums.hide, POST),
    _at("/f/{forum}/unhide", forums.hide, POST),
    _at("/f/{forum}/edit", forums.edit, BOTH),
    _at("/f/{forum}/comments", forums.forum_comments),
    _at("/f/{forum:forum_forums}", forums.forum),
    _at("/f/{forum:forum_forums}/{sort:forum_sort}", forums.forum),
)
SUBMISSIONS = (
    _at("/f/{forum}/{id:forum_number}.json", submissions.as_json),
    _at("/f/{forum}/{id:forum_number}", submissions.submission),
    _at("/f/{forum}/{id:forum_number}/comment/{cid:forum_number}", comments.moved),
    _at(f"{ONE}/comment", comments.post, POST),
    _at(f"{ONE}/comment/{{cid:forum_number}}", comments.post, POST),
    _at(COMMENT, comments.permalink),
    _at(f"{COMMENT}/edit", comments.edit, BOTH),
    _at(f"{COMMENT}/delete_own", comments.delete_own, POST),
    _at(f"{COMMENT}/delete", moderation.delete_comment, BOTH),
    _at(f"{COMMENT}/delete_thread", moderation.delete_comment, BOTH),
    _at(f"{COMMENT}/restore", moderation.restore_comment, POST),
    _at(f"{COMMENT}/purge", moderation.purge, POST),
    _at(f"{ONE}/edit", submissions.edit, BOTH),
    _at(f"{ONE}/delete", moderation.delete_own_submission, POST),
    _at(f"{ONE}/mod_delete", moderation.delete_submission, BOTH),
    _at(f"{ONE}/restore", moderation.restore_submission, POST),
    _at(f"{ONE}/purge", moderation.purge, POST),
    _at(f"{ONE}/lock", moderation.lock, POST),
    _at(f"{ONE}/unlock", moderation.lock, POST),
    _at(f"{ONE}/pin", moderation.pin, POST),
    _at(f"{ONE}/unpin", moderation.pin, POST),
    _at(f"{ONE}/flair", moderation.flair, BOTH),
    _at(f"{ONE}/votes", long_lists.votes),
    _at(f"{ONE}/votes/{{page:forum_number}}", long_lists.votes),
    _at(f"{ONE}/remove_flairs", moderation.remove_flairs, POST),
    _at(ONE, submissions.submission),
    _at(f"{ONE}/{{view:forum_view}}", submissions.submission),
    _at("/{id:forum_number}", submissions.short),
)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    title = {404: "Page not found", 403: "Access denied", 405: "Not allowed"}.get(error.status_code, "Error")
    text = {404: "There is nothing at this address."}.get(error.status_code, error.detail)
    return ForumVisit(request).page("error.html", error.status_code, title=title, text=text)


def app(pictures: Path) -> Starlette:
    """The forum as an ASGI app; the world is in every request's scope, pictures are in this folder."""
    routes = [*FRONT, *WIKI, *USERS, *FORUMS, *SUBMISSIONS]
    made = Starlette(routes=routes, exception_handlers={HTTPException: _refused})
    made.state.images = pictures
    return made
