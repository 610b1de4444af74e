"""Sources: which delivered pages a claim says that it rests on. A page that was never delivered has no entries."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from longtrail.checks.hosts import host_of
from longtrail.scoring.grounding.addresses import Source, addresses
from longtrail.scoring.grounding.documents import DOCUMENTS, document, in_a_listing, is_of, like, with_key
from longtrail.scoring.grounding.frames import frame, looked_at, speaks_itself
from longtrail.scoring.grounding.ledger import Entry, Ledger
from longtrail.scoring.grounding.lexicon import longest, names_literally, pages_called, stems
from longtrail.scoring.grounding.narrowed import of_forum_named, of_part, of_person, one_page, owners
from longtrail.scoring.grounding.papers import forums, of_forum, papers
from longtrail.scoring.grounding.people import handles, person_names
from longtrail.scoring.grounding.pointed import titled, uncrumbed
from longtrail.scoring.grounding.things import things
from longtrail.scoring.grounding.words import listed, stem, vocabulary
from longtrail.text.atoms import tokenize
from longtrail.text.folding import squeeze
from longtrail.text.lexicon import STATES
from longtrail.text.token import Token

_OUTSIDE = re.compile(
    r"\b(?:e-?mail|letter|statement|photo(?:graph)?|certificate|invoice pdf|recording|docket)\b(?! (?:of|on) the)"
)
"""Papers that no page of the sites is: only what pages tell of them can have been read."""
_SHORT = re.compile(r"\b[Oo]rd(?:\.|(?=[ ]?[#\d])) ?")
_WHEN = re.compile(r",? (?:\(?(?:after|before|as of|once|following|since)) [^,()]+\)?$")
"""When a page was looked at: `order 12, after the credit memo`."""
_IN_FORUM = re.compile(r" (?:in|of|from) (?:the )?/?f/\w")
_WRITTEN = frozenset(map(stem, ("comment", "reply", "remark", "answer")))
"""What stands on a page without its kind: `the bicycling comment` is below `Reply to ... in "bicycling"`."""
_STATE_WORDS = frozenset(name.split()[-1] for name in STATES.values())
_IDENTIFIED = listed("identified")
_DOMAIN = re.compile(r"(?:[a-z0-9-]+\.)+[a-z]{3,}(?:/\S*)?", re.IGNORECASE)
"""A site's name alone, as a source."""


def cited(text: str, ledger: Ledger) -> Source:
    """The source field of a piece of evidence: it names a page in some way or other."""
    text = _WHEN.sub("", _SHORT.sub("order ", uncrumbed(text)))
    written = [*addresses(text, ledger)]
    if written:
        entries = tuple(dict.fromkeys(entry for source in written for entry in source.entries))
        missing = [source for source in written if not source.entries]
        return missing[0] if missing and not entries else Source(text, entries)
    if _DOMAIN.fullmatch(text.strip()) and not any(host_of(e.url) in text for e in ledger.entries if e.url):
        return Source(text)
    if own := tuple(entry for entry in ledger.entries if entry.title and squeeze(entry.title) == squeeze(text)):
        return Source(text, own)
    found = _mentioned(text, ledger, framed=False)
    by_title = _titled(text, ledger)
    people = all(source.entries and _personal(source) for source in found)
    if _OUTSIDE.search(squeeze(text)) and not by_title and people:
        return Source(text, foreign=True, told=True)
    if by_title and not _of_member(found, by_title) and not any(_specific(source) for source in found):
        named = {entry for source in found if not _personal(source) for entry in source.entries}
        both = tuple(entry for entry in by_title if entry in named)
        listings = tuple(entry for entry in named if entry.page.records)
        return Source(text, both or listings or by_title)
    if found:
        entries = tuple(dict.fromkeys(entry for source in found for entry in source.entries))
        tab = next((source for source in found if _tab(source)), None)
        if tab and not tab.entries:
            return tab
        of_title = not entries and by_title and len(_title(by_title[0])) > 0.6 * len(squeeze(text))
        foreign, told = all(source.foreign for source in found), all(source.told for source in found)
        return Source(text, by_title if of_title else entries, foreign=foreign, told=told)
    return _loosely(text, ledger)


def mentions(text: str, ledger: Ledger) -> tuple[Source, ...]:
    """The pages that a sentence gives as where it has something from; others that it only talks of are left out."""
    written = [*addresses(text, ledger)]
    named = (s for s in _mentioned(text, ledger, framed=True) if not any(a.start <= s.start < a.end for a in written))
    return (*written, *titled(text, ledger), *things(text, ledger), *named)


def _of_member(found: Sequence[Source], profiles: Sequence[Entry]) -> bool:
    """Whether a page was found that is about the member whose name is all that the titles have: a form for a ban."""
    names = {_title(entry) for entry in profiles}
    keys = [key for source in found for entry in source.entries for key in entry.keys]
    return any(key.startswith("forum:ban/") and key.rpartition("/")[2] in names for key in keys)


def _personal(source: Source) -> bool:
    """Whether a source is named by a person alone."""
    return not source.bare and not source.foreign and source.end == 0


def _tab(source: Source) -> bool:
    """Whether a tab is named, which is a page of its own: "customer page, Product Reviews tab"."""
    return squeeze(source.says).endswith(" tab") and not source.foreign


def _specific(source: Source) -> bool:
    return not source.entries


def _mentioned(text: str, ledger: Ledger, framed: bool) -> tuple[Source, ...]:
    """Pages by their names in the site's lexicon, longest names first."""
    tokens = tokenize(text)
    words = stems(tokens)
    found: list[Source] = []
    at = 0
    while at < len(words):
        for length in range(min(longest(ledger.suite), len(words) - at), 0, -1):
            spot = words[at : at + length]
            first, last = spot[0][0], spot[-1][0]
            written = squeeze(text[tokens[first].start : tokens[last].end])
            form = tuple(form for _, form in spot)
            pages = pages_called(ledger.suite, form, written)
            if pages is None and length > 1 and tokens[first + 1].value == "of":
                pages = pages_called(ledger.suite, (*form[1:], form[0]), written)  # "the page of order 12"
            if pages is None or not _together(tokens, first, last, length, framed):
                continue
            given = frame(text, tokens, first, last) if framed else "place"
            if text[: tokens[first].start].endswith("-") and framed:
                given = ""  # "non-receipt" is no receipt
            if framed and not pages and length == 1 and not names_literally(ledger.suite, written):
                given = ""  # "it is recorded" is no recording
            labels = (
                not pages and last + 1 < len(tokens) and tokens[last + 1].kind == "colon"
            )  # "Proof of delivery: ..."
            if given and not (framed and labels):
                source = _resolve(text, tokens, (first, last), pages, ledger)
                common = framed and length == 1 and _common(tokens, (first, last), pages)
                owned = any(page.startswith("forum:user") for page in pages) and owners(
                    text, tokens[first].start, tokens[last].end, ledger
                )
                if (
                    not common
                    or (owned and (given == "speaker" or looked_at(text, tokens[first].start)))
                    or (given == "speaker" and speaks_itself(text, tokens, first, last) and _singled(source, text))
                ):
                    found.append(replace(source, speaks=given == "speaker"))
            at += length - 1
            break
        at += 1
    found = [source for at, source in enumerate(found) if not at or not _part_of(source, found[at - 1])]
    bare = [] if framed or found else [*_bare(text, tokens, ledger)]
    return (*found, *_papers(text, tokens, found, framed), *bare)


def _part_of(source: Source, other: Source) -> bool:
    """Whether a name is but a part of the title of the page named ahead of it: `the guide on busy threads`."""
    near = 0 <= source.start - other.end <= len(" on the busy ")
    return near and any(source.says.lower() in squeeze(entry.title) for entry in other.entries if entry.policy)


def _papers(text: str, tokens: Sequence[Token], found: Sequence[Source], framed: bool) -> Iterator[Source]:
    """Writings that are no pages of the site by their kind, where no page of the site is named with the same words."""
    for first, last in papers(text, tokens):
        start, end = tokens[first].start, tokens[last].end
        apart = all(source.end <= start or end <= source.start for source in found)
        if apart and (not framed or frame(text, tokens, first, last)):
            yield Source(text[start:end], foreign=True, speaks=True, start=start, end=end)


def _singled(source: Source, text: str) -> bool:
    """Whether only one page can be meant though no number is given; or none, of a forum that stands right behind."""
    return one_page(source.entries) or (not source.entries and _IN_FORUM.match(text, source.end) is not None)


def _common(tokens: Sequence[Token], span: tuple[int, int], pages: tuple[str, ...]) -> bool:
    """Whether a name of one word is too common to be taken for a page: `shipment`, `thread`, without a number."""
    alone = any(page.startswith(("cms", "forum:wiki", "forum:messages")) for page in pages)
    return bool(pages) and not alone and not _ids(tokens, *span)


def _together(tokens: Sequence[Token], first: int, last: int, length: int, framed: bool) -> bool:
    """Whether a name's words stand close: at most three small words or values for each gap, no full stop between."""
    apart = ("stop", "colon", "comma") if framed else ("stop",)
    if last - first + 1 > length + 3 * (length - 1) or any(t.kind in apart for t in tokens[first : last + 1]):
        return False
    return not framed or not any(t.value == "that" for t in tokens[first : last + 1])


def _resolve(
    text: str, tokens: Sequence[Token], span: tuple[int, int], pages: tuple[str, ...], ledger: Ledger
) -> Source:
    """What was delivered of the pages that a name can mean, of the thing and the person named with it."""
    first, last = span
    start, end = tokens[first].start, tokens[last].end
    near = text[max(0, tokens[max(0, first - 4)].start) : tokens[min(len(tokens) - 1, last + 5)].end]
    ids, who, people = _ids(tokens, first, last), owners(text, start, end, ledger), person_names(near)
    named_forums = forums(near)
    if squeeze(text[start:end]).endswith(" tab"):  # one's own page, whatever else may show the like
        pages = tuple(page for page in pages if "}/" in page and "/history" not in page) or pages
    entries: list[Entry] = []
    for page in pages:
        if entries and ids and "{id}" not in page:
            continue  # the thing's own page is there: no need for listings
        if ids and page.startswith("customer:") and "order:{id}" in pages and _with_order(text):
            continue  # an order's address stands on that order
        numbered = page.startswith((*DOCUMENTS, "order:", "forum:submission")) or _customer(page, ids, near)
        fixed = ids[0] if ids and numbered else ""
        if page.startswith("forum:user/") and who:
            fixed = re.escape(who[0])
        held = (e for e in like(page, fixed, ledger) if of_person(e, page, who, people))
        entries += [e for e in held if of_forum(e, page, named_forums)]
        if fixed and page.startswith((*DOCUMENTS,)) and not entries:
            entries += document(page.partition(":")[0] + ":", ids[0], ledger)
    own = [e for e in entries if any(f"{kind}{number}" in e.keys for kind in DOCUMENTS for number in ids[:1])]
    if own and not squeeze(text[start:end]).endswith((" tab", "s")):
        entries = own  # its own page, not the tab of its order that lists it
    entries = of_forum_named(entries, text[:start])
    entries = of_part(entries, text[max(0, start - 20) : end + 20])
    says = " ".join(text[start:end].split())
    kind = next((kind for kind in DOCUMENTS if pages and pages[0] == f"{kind}{{id}}"), "")
    if kind and ids and entries and all(f"{kind[:-1]}s" in entry.keys and entry.page.records for entry in entries):
        return Source(says, bare=ids[0], start=start, end=end)  # only a listing's row of it was shown
    return Source(says, tuple(dict.fromkeys(entries)), foreign=not pages, start=start, end=end)


def _customer(page: str, ids: Sequence[str], near: str) -> bool:
    """Whether a customer is named by number: `the page of customer 341`."""
    by_number = bool(ids) and re.search(rf"\bcustomer (?:no\.? ?|id |#)?0*{ids[0]}\b", squeeze(near)) is not None
    return by_number and page.startswith("customer:")


def _with_order(text: str) -> bool:
    return re.search(r"\border (?:no\.? ?|number |#)?\d", squeeze(text)) is not None


def _ids(tokens: Sequence[Token], first: int, last: int) -> list[str]:
    """Numbers in and around a mention that identify a thing, the nearest first: `#000000682`, `order 682`."""
    found: list[tuple[int, str]] = []
    for at in range(max(0, first - 3), min(len(tokens), last + 5)):
        token = tokens[at]
        away = min(abs(at - first), abs(at - last))
        before = str(tokens[at - 1].value) if at else ""
        if token.kind == "ref" and str(token.value).isdigit():
            found.append((away, str(int(str(token.value)))))
        elif token.kind == "number" and not token.exact and (before in _IDENTIFIED or _long(token, before)):
            found.append((away, f"{token.value:f}"))
    return [value for _, value in sorted(found)]


def _long(token: Token, before: str) -> bool:
    """Whether a number is too long to count something, and is no ZIP code; `400,000` counts."""
    digits = f"{token.value:f}"
    return token.end - token.start == len(digits) >= 5 and before not in _STATE_WORDS


def _bare(text: str, tokens: Sequence[Token], ledger: Ledger) -> Iterator[Source]:
    """`Order 697`, `#000000697`, a member's name: the thing itself, not one of its pages."""
    for number in _ids(tokens, 0, len(tokens)):
        if kind := next((page for page, says in DOCUMENTS.items() if re.search(says, squeeze(text))), ""):
            bare = number if in_a_listing(kind, number, ledger) else ""
            held = document(kind, number, ledger)
            yield Source(text, held, bare=bare, told=not any(is_of(kind, number, entry) for entry in held))
            continue
        order = re.search(r"\border\W", squeeze(text)) is not None
        kinds = "order:" if order else "order:|creditmemo:|invoice:|shipment:|customer:|forum:submission/"
        held = with_key(ledger, re.compile(rf"(?:{kinds}){number}(?:/.*)?"))
        held = held or tuple(e for e in ledger.entries if e.url.rstrip("/").endswith(f"/comment/{number}"))
        yield Source(text, held, bare=number)
    for who in handles(text, ledger):
        if re.search(rf"\b(?:to|for|with) @?{re.escape(who)}\b", squeeze(text)):
            yield Source(text, tuple(e for e in ledger.entries if who in e.page.folded))
            continue
        spoken = tuple(e for e in ledger.entries if any(line.speaker == who for line in e.page.lines))
        yield Source(text, spoken or with_key(ledger, re.compile(rf"forum:user/{re.escape(who)}(?:/.*)?")))
    for name in person_names(text):
        titled = tuple(e for e in ledger.entries if squeeze(name) in squeeze(e.title))
        if titled:
            yield Source(text, titled)


def _titled(text: str, ledger: Ledger) -> tuple[Entry, ...]:
    """Entries whose title stands in the text, or whose title holds the text."""
    said = squeeze(text)
    found: list[tuple[int, Entry]] = []
    for entry in ledger.entries:
        title = _title(entry)
        if len(title) >= 9 and not title.startswith("#") and (title in said or (len(said) >= 12 and said in title)):
            found.append((min(len(title), len(said)), entry))
    best = max((length for length, _ in found), default=0)
    return tuple(entry for length, entry in found if length == best)


def _title(entry: Entry) -> str:
    """A page's own title, without what every page of the site has behind it."""
    return squeeze(entry.title.split(" / ")[0].removesuffix(" - Commonroom").removesuffix(" - Wiki"))


def _loosely(text: str, ledger: Ledger) -> Source:
    """A source in words that are no page's name: the page that has all of them in its title or in one line."""
    wanted = vocabulary(text) - (_WRITTEN if ledger.suite == "reddit" else frozenset())
    if not wanted:
        return Source(text, ledger.entries, foreign=True)
    titled = [e for e in ledger.entries if wanted <= vocabulary(e.title)]
    holding = [e for e in ledger.entries if any(wanted <= line.words for line in e.page.lines)]
    return Source(text, tuple(titled or holding), foreign=True)
