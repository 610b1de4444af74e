"""Full text: how all sites of the consumer web search. SQLite's FTS5 with Porter's stems, ranked by BM25.

Words of a query match flexibly: filler words are ignored; a word matches in all its forms (`machines`), as what sites
call it (`couch`), as a prefix if it is unknown (`bes`), split or joined (`dota2`, `door dash`), or as the closest
spelling. Texts with all words come
first; if they are few, texts that lack one word follow. If no text has all words, those with the most words count, if
that is at least half.
"""

import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import OSA

from longtrail.web.sites.consumer.words import called, expressions, words

FEW = 3
"""With fewer texts than this that contain all words, texts that lack one follow."""
TITLE_BONUS = 1.5
"""The factor for a text whose title consists only of the query's words."""
MOST_WORDS = 32
SHORTEST_PREFIX, SHORTEST_CORRECTED, LONG = 3, 4, 7
"""Minimum letters of a word that may be a prefix, that may have one spelling mistake, and that may have two."""
# fmt: off
_FILLER = frozenset((
    "a", "an", "and", "any", "are", "at", "best", "by", "can", "do", "does", "find", "for", "from", "get", "how", "i",
    "in", "is", "it", "me", "my", "near", "of", "on", "or", "please", "search", "show", "some", "that", "the", "there",
    "to", "what", "where", "which", "with", "you",
))
# fmt: on
"""Filler words."""
_PARTS = re.compile(r"[a-z]+|[0-9]+")


@dataclass(frozen=True, slots=True)
class Matches:
    """The result of a query."""

    rows: tuple[int, ...] = ()
    """Indices of the texts, best first."""
    instead: str = ""
    """The corrected query, if its spelling was corrected."""
    matched: str = ""
    """The FTS5 query, for `passage`."""


@dataclass(frozen=True, slots=True)
class _Term:
    """One word of a query and its FTS5 expression."""

    match: str
    """For FTS5."""
    spelt: str
    """Its corrected spelling."""
    corrected: bool = False


class FullText:
    """Texts in columns, the first is the title. `columns`: name -> weight; `weights`: the weight of each text."""

    def __init__(
        self, columns: Mapping[str, float], texts: Iterable[Sequence[str]], weights: Sequence[float] = ()
    ) -> None:
        self._weights, self._title = weights, next(iter(columns))
        self._score = f"-bm25(texts, {', '.join(map(str, columns.values()))})"
        # A site's index may be made on one thread and used on another, but never on two at once.
        self._db = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
        named = ", ".join(f'"{name}"' for name in columns)
        self._db.execute(
            f"CREATE VIRTUAL TABLE texts USING fts5 ({named}, tokenize = 'porter unicode61 remove_diacritics 2')"
        )
        self._db.execute("BEGIN")
        marks = ", ".join("?" * len(columns))
        self._known: Counter[str] = Counter()
        for row, text in enumerate(texts):
            self._db.execute(f"INSERT INTO texts (rowid, {named}) VALUES (?, {marks})", (row, *text))  # noqa: S608
            self._known.update({word for column in text for word in words(column)})
        self._db.execute("COMMIT")

    def find(
        self,
        query: str,
        *,
        few: int = FEW,
        loose: bool = False,
        filler: Collection[str] = (),
        among: Callable[[int], bool] = lambda _row: True,
    ) -> Matches:
        """The texts that match a query. `few`: how many are enough. `loose`: texts with any of the words may follow,
        not only those that lack one of at least three. `filler`: further filler words. `among`: the texts to search.
        """
        typed = words(query)[:MOST_WORDS]
        expressions_typed = expressions(content_words(typed, filler))
        terms = self._terms(expressions_typed)
        if filler and not terms:  # `strategy games`: better all games than nothing
            expressions_typed = expressions(content_words(typed))
            terms = self._terms(expressions_typed)
        held = Counter(row for term in terms for row in self._rows(term.match) if among(row))
        half = 1 if loose else -(-len(expressions_typed) // 2)
        least = 1 if loose else len(terms) - (len(terms) > 2)
        rows: list[int] = []
        for level in range(len(terms), half - 1, -1):
            if rows and (len(rows) >= few or level < least):
                break
            rows += [row for row, count in held.items() if count == level]
        matched = " OR ".join(term.match for term in terms)
        scores = self._scores(matched, rows, frozenset(term.spelt for term in terms))
        return Matches(
            rows=tuple(sorted(rows, key=lambda row: (-held[row], -scores[row], row))),
            instead=" ".join(term.spelt for term in terms) if any(term.corrected for term in terms) else "",
            matched=matched,
        )

    def all_of(self, query: str) -> frozenset[int]:
        """The texts that contain each word of the query except filler; no word is dropped or corrected."""
        matches = [self._match(word) for word in expressions(content_words(words(query)[:MOST_WORDS]))]
        if not matches or "" in matches:
            return frozenset()
        return frozenset.intersection(*map(self._rows, matches))

    def passage(self, matches: Matches, row: int, column: int, length: int) -> str:
        """Up to `length` words of a column around the match, which is between \\x02 and \\x03."""
        key = (column, length, matches.matched, row)
        sql = "SELECT snippet(texts, ?, char(2), char(3), ' … ', ?) FROM texts WHERE texts MATCH ? AND rowid = ?"
        return str(self._db.execute(sql, key).fetchone()[0])

    def _terms(self, phrases: list[str]) -> list[_Term]:
        """The terms to search for: known words, or corrections to known words; others are dropped."""
        terms: list[_Term] = []
        for at, word in enumerate(phrases):
            match = self._match(word)
            joined = f"{phrases[at - 1]}{word}" if at else ""
            if not match and joined and self._rows(f'"{joined}"'):
                if terms and terms[-1].spelt == phrases[at - 1]:
                    terms.pop()
                terms.append(_Term(f'"{joined}"', joined))
            elif match:
                terms.append(_Term(match, word))
            elif at + 1 < len(phrases) and self._rows(f'"{word}{phrases[at + 1]}"'):
                terms.append(_Term(f'"{word}{phrases[at + 1]}"', word + phrases[at + 1]))
            elif close := self._closest(word):
                terms.append(_Term(f'"{close}"', close, corrected=True))
        return self._sensible(list(dict.fromkeys(terms)), len(phrases))

    def _sensible(self, terms: list[_Term], count: int) -> list[_Term]:
        """The same without corrections that are probably wrong: no text contains them together with the rest, or they
        are all that is left of several words."""
        corrected = [term for term in terms if term.corrected]
        alone = len(corrected) == len(terms) < count
        if corrected and (alone or not frozenset.intersection(*(self._rows(term.match) for term in terms))):
            return [term for term in terms if not term.corrected]
        return terms

    def _match(self, word: str) -> str:
        """The word in all its forms, its parts (`dota2`: `dota 2`), or words with this prefix; empty if unknown."""
        if names := called(word):
            either = " OR ".join(f'"{name}"' for name in (word, *names))
            return f"({either})" if self._rows(either) else ""
        tried = [f'"{word}"']
        if len(parts := _PARTS.findall(word)) > 1:
            tried.append(f'"{" ".join(parts)}"')
        if word.isalpha():
            tried += [f'"{word[:at]} {word[at:]}"' for at in range(2, len(word) - 1)]
            if len(word) >= SHORTEST_PREFIX:
                tried.append(f'"{word}"*')
        return next((match for match in tried if self._rows(match)), "")

    def _closest(self, word: str) -> str:
        """The known word that this one may misspell: the most frequent of the closest, or empty."""
        if not word.isalpha() or len(word) < SHORTEST_CORRECTED:
            return ""
        most = 2 if len(word) >= LONG else 1
        near = [
            (distance, -count, word_known)
            for word_known, count in self._known.items()
            if word_known[0] == word[0] and abs(len(word_known) - len(word)) <= most and word_known.isalpha()
            for distance in (OSA.distance(word, word_known, score_cutoff=most),)
            if distance <= most
        ]
        return min(near, default=(0, 0, ""))[2]

    def _rows(self, match: str) -> frozenset[int]:
        cursor = self._db.execute("SELECT rowid FROM texts WHERE texts MATCH ?", (match,))
        return frozenset(row for (row,) in cursor)

    def _scores(self, matched: str, rows: Iterable[int], asked: frozenset[str]) -> dict[int, float]:
        """The score of each of these texts."""
        wanted = ",".join(map(str, rows))
        cursor = self._db.execute(
            f"SELECT rowid, {self._score}, {self._title} FROM texts "  # noqa: S608 (numbers)
            f"WHERE texts MATCH ? AND rowid IN ({wanted})",
            (matched,),
        )
        return {
            row: score * (1 + TITLE_BONUS * _share(title, asked)) * (self._weights[row] if self._weights else 1)
            for row, score, title in cursor
        }


def content_words(typed: list[str], filler: Collection[str] = ()) -> list[str]:
    """The words of a query without filler; all of them if all are filler."""
    kept_words = list(dict.fromkeys(word for word in typed if word not in _FILLER and word not in filler))
    return kept_words or list(dict.fromkeys(typed))


def _share(title: str, asked: frozenset[str]) -> float:
    """The share of a title (without the site's name) that consists of the query's words."""
    title_words = words(title.rpartition(" | ")[0] or title)
    return len(asked.intersection(title_words)) / len(title_words) if title_words else 0.0
