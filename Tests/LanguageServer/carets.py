"""Texts in which ‸ marks the caret, and the position arithmetic of editors."""

import re

from lsprotocol import types

CARET = "‸"
LINE_END = re.compile("\r\n|\n|\r")


def uncaret(marked: str):
    """The text without its only caret, and the number of characters before it."""
    before, caret, after = marked.partition(CARET)
    assert caret and CARET not in after, "the text needs one caret"
    return before + after, len(before)


def line_starts(text: str):
    return [0] + [end.end() for end in LINE_END.finditer(text)]


def position(text: str, offset: int, encoding: str) -> types.Position:
    """The position of a character, in units of an encoding."""
    starts = [start for start in line_starts(text) if start <= offset]
    return types.Position(len(starts) - 1, units(text[starts[-1] : offset], encoding))


def offset(text: str, position: types.Position, encoding: str) -> int:
    """The character at a position, which must exist: the server's own positions are exact."""
    starts = line_starts(text)
    start = starts[position.line]
    end = starts[position.line + 1] if position.line + 1 < len(starts) else len(text)
    for index in range(start, end + 1):
        if units(text[start:index], encoding) == position.character:
            return index
    raise AssertionError(f"{position} is not in the text, or splits a character")


def units(text: str, encoding: str) -> int:
    return len(text.encode()) if encoding == "utf-8" else len(text.encode("utf-16-le")) // 2


def extract(text: str, range: types.Range, encoding: str) -> str:
    """The text of a range."""
    return text[offset(text, range.start, encoding) : offset(text, range.end, encoding)]


def replaced(text: str, edits, encoding: str) -> str:
    """The text after edits, whose ranges all refer to the text before."""
    places = [
        (offset(text, edit.range.start, encoding), offset(text, edit.range.end, encoding), edit)
        for edit in edits
    ]
    places.sort(key=lambda place: place[:2])
    for one, next in zip(places, places[1:]):
        assert one[1] <= next[0], f"{one[2]} and {next[2]} overlap"
    for start, end, edit in reversed(places):
        text = text[:start] + edit.new_text + text[end:]
    return text
