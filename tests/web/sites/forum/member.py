"""Member: sends requests to the forum as the signed-in moderator."""

import httpx

from longtrail.web.sites.forum.forum_site import ForumSite
from longtrail.web.world import Templates, World
from tests.web.sites.client import SiteClient

SITE = ForumSite()
TEMPLATES = Templates([SITE])


class Member(SiteClient):
    """Gets and posts in one world."""

    def __init__(self, site: ForumSite = SITE, templates: Templates = TEMPLATES) -> None:
        super().__init__(site, World("test", templates))

    def post(self, path: str, fields: dict[str, str]) -> httpx.Response:
        return self.request("POST", path, data=fields)

    def send(self, path: str, action: str, /, **fields: str) -> httpx.Response:
        """Fill in the form of this page whose address ends with `action` (empty: the page's own), and send it.

        A field is named by the last word of its name: `reason` for `forum_ban[reason]`.
        """
        form = next(
            form for form in self.page(path).forms if form[0].endswith(action) and bool(form[0]) == bool(action)
        )
        filled = dict(form[1])
        for name, value in fields.items():
            match = [known for known in filled if known == name or known.endswith(f"[{name}]")]
            assert len(match) == 1, (name, list(filled))
            filled[match[0]] = value
        return self.post(form[0] or path, filled)
