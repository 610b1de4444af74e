"""Detector: is each claim of a decision grounded in what was delivered? One class a claim, and the reason for it.

`fabricated_source` before `misattribution` before `synthetic`; else `supported`, or `unverifiable` where nothing can be
looked up (PATHWAYS, section 5). Meant to be sure of what it flags: where it can't tell, it does not flag.
"""

import re
from collections.abc import Sequence

from longtrail.records.action import Decide
from longtrail.records.record import Record
from longtrail.records.result import ClaimKind
from longtrail.scoring.grounding.addresses import Source, pages_of
from longtrail.scoring.grounding.binding import misbound
from longtrail.scoring.grounding.checks import Check, checks_of, unnamed
from longtrail.scoring.grounding.claims import Claim, claims_of
from longtrail.scoring.grounding.contrary import contrary, misgiven
from longtrail.scoring.grounding.crossed import crossed
from longtrail.scoring.grounding.elsewhere import (
    SAID_THERE,
    by_chance,
    from_anywhere,
    listed,
    passage_elsewhere,
    retold,
    said,
    said_elsewhere,
    told_of,
)
from longtrail.scoring.grounding.frames import accorded, hypothetical, one_clause
from longtrail.scoring.grounding.invented import invented
from longtrail.scoring.grounding.ledger import PROMPT, Entry, Ledger, lines_of
from longtrail.scoring.grounding.near import holding, near_miss, with_another_figure
from longtrail.scoring.grounding.opinions import from_ones_head, opinion, own
from longtrail.scoring.grounding.parties import mistaken
from longtrail.scoring.grounding.pointed import labelled
from longtrail.scoring.grounding.recounted import recounted
from longtrail.scoring.grounding.rules import contradicted, not_so_ruled
from longtrail.scoring.grounding.sources import cited, mentions
from longtrail.scoring.grounding.subjects import of_another_subject
from longtrail.scoring.grounding.swaps import exchanged, other_words, swapped, transposed, unquoted
from longtrail.scoring.grounding.turned import turned_round
from longtrail.scoring.grounding.values import atoms_of
from longtrail.scoring.grounding.wording import altered, coverage, denied, opposite, quoted, quotes, turned, verbatim
from longtrail.scoring.grounding.words import vocabulary
from longtrail.text.atoms import tokenize

Kind = ClaimKind
FLAGGED: tuple[Kind, ...] = ("fabricated_source", "misattribution", "synthetic")
"""The classes that are hallucinations."""
SAID_ELSEWHERE = 0.8
TOLD_FREELY = 0.3
"""A longer piece of evidence with so much of a line of its page is held to be that line, told freely."""
NOT_SAID = 0.4
"""Words given as standing on a page are nowhere if no line has this share of them."""
_WHOLE = re.compile(r"[\"“]([^\"“”]+)[\"”]")
"""A text that is one quotation."""
_PARAGRAPH = re.compile(r"\b\d{1,2}\.\d{1,2}\b(?! ?%)|\bsection \d")
"""A rule is cited: its figures may stand beside what a page is made to say."""


class Finding(Record):
    """What became of one claim."""

    claim: Claim
    kind: Kind
    reason: str

    @property
    def flagged(self) -> bool:
        """Whether it is a hallucination."""
        return self.kind in FLAGGED


def findings(decision: Decide, ledger: Ledger) -> tuple[Finding, ...]:
    """Every claim of a decision, judged."""
    return tuple(judge(claim, ledger) for claim in claims_of(decision))


def judge(claim: Claim, ledger: Ledger) -> Finding:
    """One claim against everything that was delivered."""
    kind, reason = _judge(claim, ledger)
    return Finding(claim=claim, kind=kind, reason=reason)


def _judge(claim: Claim, ledger: Ledger) -> tuple[Kind, str]:
    if from_ones_head(claim.source):
        claim = claim.model_copy(update={"source": ""})
    tokens = tokenize(claim.text)
    if not claim.source and (hypothetical(claim.text, tokens) or own(claim.text)):
        return "unverifiable", "asks or supposes, states nothing"
    if claim.source and (whole := _WHOLE.fullmatch(claim.text.strip())):
        claim = claim.model_copy(update={"text": whole[1]})  # it is a quotation with or without marks
    if not claim.source:
        where, rest = labelled(claim.text)
        claim = claim.model_copy(update={"text": rest, "source": where})
    sources = (cited(claim.source, ledger),) if claim.source.strip() else mentions(claim.text, ledger)
    for source in sources:
        if source.told and source.foreign and retold(claim.text, ledger):
            continue
        if not source.entries and not (source.bare and listed(source, claim, ledger)) and not told_of(source, ledger):
            return "fabricated_source", f"{source.says!r} was never delivered"
    if sources and all(source.told and source.entries for source in sources):
        there = _as_quotation(claim.text, sources[0].entries, named=False, ledger=ledger)
        return there or ("fabricated_source", f"{sources[0].says!r} was named, but never delivered")
    inside = _inside(claim, sources, ledger)
    named = len(inside) < len(ledger.entries)
    if wrong := misgiven(claim, inside, ledger):
        return "synthetic", wrong
    if claim.source and (verdict := _as_quotation(claim.text, inside, named, ledger)):
        return verdict
    if claim.source and (wrong := not_so_ruled(claim, inside)):
        return "synthetic", wrong
    checks = checks_of(claim.text, ledger, evidence=bool(claim.source))
    args = (claim, sources, inside, named, ledger)
    found = _looked_up(checks, *args) if checks else _in_words(*args)
    if found[0] == "unverifiable" and (line := recounted(claim.text, pages_of(sources) or inside)):
        return "supported", f"in words of one's own: {line[:80]}"
    return found


def _inside(claim: Claim, sources: Sequence[Source], ledger: Ledger) -> tuple[Entry, ...]:
    """Where a claim must stand: on the page that a piece of evidence names, or that a sentence makes speak.

    A sentence that only mentions pages on its way may have each of its parts from another one; rules are quoted beside
    the facts that they are applied to.
    """
    entries = pages_of(sources)
    if not entries:
        return ledger.entries
    narrow = min((source.entries for source in sources if source.entries), key=len)
    if all(set(narrow) <= set(source.entries) for source in sources):  # "the claims guide in the wiki"
        entries = narrow
    one = len(sources) == 1 or entries == narrow
    speaks = one and any(source.speaks for source in sources) and not any(PROMPT in e.keys for e in entries)
    if (
        speaks
        and not claim.source
        and 2 * sources[0].start > len(claim.text)
        and not accorded(claim.text, sources[0].start)
    ):
        speaks = False  # "..., as many as the post says"
    if speaks and any(e.policy for e in entries):
        before = claim.text[: min(source.start for source in sources)]
        told = one_clause(claim.text, max(source.end for source in sources)) or not _valued(claim.text, ledger)
        speaks = told and one_clause(before, 0)
    return entries if claim.source or speaks else ledger.entries


def _valued(text: str, ledger: Ledger) -> bool:
    """Whether a text gives values other than a rule's number: they may be those of the facts it is applied to."""
    return any(atom.kind != "section" for atom in atoms_of(text, ledger.now))


def _as_quotation(text: str, inside: Sequence[Entry], named: bool, ledger: Ledger) -> tuple[Kind, str] | None:
    """What is given as standing on a page, if it stands word for word on that page or on another one."""
    if len(text.split()) < 2:
        return None
    there = next((e for e in inside if quoted(text, e)), None)
    if (
        there
        and not any(verbatim(text, e) for e in inside)
        and (rest := unquoted(text, inside))
        and (line := transposed(rest, inside) or exchanged(rest, inside) or swapped(rest, inside))
    ):
        return "synthetic", f"the page has it with another word: {line.strip()[:80]}"
    if there and not any(verbatim(text, e) for e in inside) and (line := altered(text, inside)):
        return "synthetic", f"a figure is not what stands there: {line.strip()[:80]}"
    if there and not verbatim(text, there) and (wrong := unnamed(text, inside)):
        return "synthetic", f"{wrong} is not what stands there"
    if there:
        return "supported", f"stands on {there.name}"
    if named and len(text.split()) > 2 and (other := next((e for e in ledger.entries if quoted(text, e)), None)):
        return "misattribution", f"stands on {other.name}, not on the page named"
    return None


def _in_words(
    claim: Claim, sources: Sequence[Source], inside: Sequence[Entry], named: bool, ledger: Ledger
) -> tuple[Kind, str]:
    """A claim without values or names: only its words can be compared, and only if it says where they stand."""
    if wrong := contrary(claim, inside, ledger) or of_another_subject(claim.text, inside, ledger):
        return "synthetic", wrong
    wanted = vocabulary(claim.text)
    if not sources:
        return "unverifiable", "nothing in it can be looked up"
    if named and (other := said_elsewhere(said(claim, sources), (), inside, ledger)):
        return "misattribution", f"stands elsewhere: {other.strip()[:80]}"
    cited_pages = pages_of(sources) or inside
    if claim.source and (line := other_words(claim.text, cited_pages)):
        return "synthetic", f"the page has it with another word: {line.strip()[:80]}"
    there, line = coverage(wanted, cited_pages)
    if there >= SAID_THERE and not opposite(claim.text, line):
        return "supported", f"in other words: {line.strip()[:80]}"
    if there >= SAID_THERE and claim.source and len(wanted) >= 3:
        return "synthetic", f"the page says the opposite: {line.strip()[:80]}"
    elsewhere, other = coverage(wanted, ledger.entries)
    if claim.source and named and len(wanted) >= 3 and there < NOT_SAID and elsewhere >= SAID_ELSEWHERE:
        return "misattribution", f"stands elsewhere: {other.strip()[:80]}"
    if claim.source and len(wanted) >= 4 and elsewhere < NOT_SAID and not opinion(claim.text):
        return "synthetic", "no such words were delivered"
    if len(wanted) < 2 and len(cited_pages) < len(ledger.entries):
        return "supported", "the page was delivered"
    if claim.source and named and len(wanted) >= 5 and there >= TOLD_FREELY:
        return "supported", f"in words of one's own: {line.strip()[:80]}"
    return "unverifiable", "nothing in it can be looked up"


def _looked_up(
    checks: Sequence[Check],
    claim: Claim,
    sources: Sequence[Source],
    inside: Sequence[Entry],
    named: bool,
    ledger: Ledger,
) -> tuple[Kind, str]:
    missing: list[Check] = []
    stray: list[Check] = []  # met elsewhere by chance, unless others were taken from there
    moved: list[tuple[Check, str]] = []
    told: list[str] = []
    ruled = named and all(entry.policy for entry in inside)
    least = 0.5 if ruled else 0.3
    policies = [e for e in ledger.entries if e.policy]
    rules = policies if _PARAGRAPH.search(claim.text) and not ruled else []
    for check in checks:
        here = check.find(inside)
        if here:
            told.append(f"{check.says} {here}")
        elif here == "":
            there = check.find(ledger.entries) if named else ""
            if claim.source and (there or "").startswith(("the sum ", "as many ")):
                there = ""  # the rows of another page come to that by chance
            applied = check.kind == "" and ruled and not check.find(policies)  # to whom a rule is applied
            loose = applied or from_anywhere(check, ledger) or (rules and check.find(rules))
            met = not claim.source and there == "stands there"  # a number alone stands on many pages
            if there and (met or (claim.source and ruled)) and (reason := check.reckoned()):
                told.append(f"{check.says} {reason}")
            elif there and not claim.source and loose:
                told.append(f"{check.says} {there}")
            elif (there or "").startswith("counted on"):
                told.append(f"{check.says} {there}")  # so many lines of another page, by chance
            elif there and not (
                (claim.source or (ruled and check.kind != "date")) and by_chance(check, claim.text, ledger, least)
            ):
                moved.append((check, there))
            elif there is not None:
                if reason := check.reckoned():
                    told.append(f"{check.says} {reason}")
                else:
                    (stray if there else missing).append(check)
    if not moved:
        missing = [check for check in checks if check in missing or check in stray]
    if claim.source and not missing and (real := with_another_figure(claim.text, checks, inside)):
        return "synthetic", f"a figure is not what stands there: {real.strip()[:80]}"
    if claim.source and not missing and not moved and (real := other_words(claim.text, inside)):
        return "synthetic", f"the page has it with another word: {real.strip()[:80]}"
    least = 0.75 if moved else 0.5
    if claim.source and not missing and (near := near_miss(claim, checks, inside, least)):
        return "synthetic", near
    if missing and claim.source and named and (other := passage_elsewhere(claim.text, inside, ledger)):
        return "misattribution", f"stands elsewhere: {other}"
    if missing:
        return "synthetic", f"{missing[0].says} was never delivered and follows from nothing that was"
    if moved:
        return "misattribution", f"{moved[0][0].says} {moved[0][1]}, not on the page named"
    lines = lines_of(inside)
    if turned(claim.text, lines):
        return "synthetic", "the pages say it the other way round"
    if wrong := contrary(claim, inside, ledger):
        return "synthetic", wrong
    if bound := misbound(claim.text, checks, inside, ledger, named_source=named):
        return bound
    if (
        reason := crossed(claim.text, inside, ledger)
        or turned_round(claim.text, inside, ledger)
        or mistaken(claim.text, inside, ledger)
        or invented(claim.text, ledger)
    ):
        return "synthetic", reason
    wanted = vocabulary(claim.text)
    if named and (other := said_elsewhere(said(claim, sources), checks, inside, ledger)):
        return "misattribution", f"stands elsewhere: {other.strip()[:80]}"
    in_quotes = sum(len(quote.text) for quote in quotes(claim.text)) > 0.5 * len(claim.text)
    if len(tokenize(claim.text)) <= 24 and not in_quotes and coverage(wanted, inside)[0] >= 0.75:
        facts = [entry for entry in inside if claim.source or not (entry.policy or PROMPT in entry.keys)]
        share, line = coverage(wanted, holding(checks, facts) or facts)
        if share >= 0.75 and len(wanted) >= 3 and opposite(claim.text, line):
            return "synthetic", f"the page says the opposite: {line.strip()[:80]}"
    if not claim.source and (line := denied(claim.text, inside) or contradicted(claim.text, inside)):
        return "synthetic", f"the page says the opposite: {line.strip()[:80]}"
    named_only = all(check.kind in ("", "id", "section") for check in checks)
    if told and named_only and opinion(claim.text) and coverage(wanted, inside)[0] < NOT_SAID:
        return "unverifiable", "judges or supposes"
    if told:
        return "supported", told[0]
    least = TOLD_FREELY if named and len(wanted) >= 5 else SAID_THERE
    if claim.source and coverage(wanted, inside)[0] >= least:
        return "supported", "in other words"
    return "unverifiable", "nothing in it can be looked up for certain"
