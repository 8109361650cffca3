"""Semantic tokens and inlay hints."""

import carets
import pytest
from lsprotocol import types

APP = """local commands = require("commands")
model "fruit" { name = "äpple", count = 1, seeds = list { { weight = 1 } } }
transformer("shout", function(text) return text:upper() end)

bind "fruit.seeds.@sum.weight -> title.text | shout | clamp(1, 2)"
bind("fruit.name <> title.text", { delay = 1 })

return view.column {
  view.label { id = "title", style = "muted", text = 'ä😀', bindTo = { text = "fruit.name" } },
  view.button { on = { touchUpInside = function(sender) commands.ripen(models.fruit.count) end } },
}
"""

COMMANDS = """local commands = {}

function commands.ripen(by)
  return by
end

return commands
"""


@pytest.fixture
def app(editor):
    editor.write("app.lua", APP)
    editor.write("commands.lua", COMMANDS)
    return editor


def decode(editor, name, result, data):
    """Tokens as lines counted from 1, words, kinds, and whether they declare."""
    legend = result.capabilities.semantic_tokens_provider.legend
    line = character = 0
    tokens = []
    for index in range(0, len(data), 5):
        lines, characters, length, kind, modifiers = data[index : index + 5]
        line, character = line + lines, characters if lines else character + characters
        words = editor.extract(name, types.Range(
            types.Position(line, character), types.Position(line, character + length)))
        assert modifiers < 2 ** len(legend.token_modifiers)
        tokens.append((line + 1, words, legend.token_types[kind], modifiers == 1))
    return tokens


async def tokens(editor, result, name="app.lua"):
    found = await editor.client.text_document_semantic_tokens_full_async(
        types.SemanticTokensParams(types.TextDocumentIdentifier(editor.uri(name)))
    )
    return decode(editor, name, result, found.data)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.asyncio
async def test_each_token_covers_a_word_and_says_what_it_is(app, encoding):
    result = await app.initialize(encodings=[encoding])
    app.show("app.lua")
    found = await tokens(app, result)
    wanted = [
        (1, "commands", "namespace", False),
        (2, "fruit", "class", True),
        (2, "name", "property", True),
        (2, "weight", "property", True),
        (3, "shout", "decorator", True),
        (5, "fruit", "class", False),
        (5, "seeds", "property", False),
        (5, "@sum", "operator", False),
        (5, "weight", "property", False),
        (5, "title", "enumMember", False),
        (5, "text", "property", False),
        (5, "shout", "decorator", False),
        (5, "clamp", "decorator", False),
        (6, "delay", "parameter", False),
        (8, "column", "type", False),
        (9, "label", "type", False),
        (9, "title", "enumMember", True),
        (9, "muted", "macro", False),
        (9, "fruit", "class", False),
        (9, "name", "property", False),
        (10, "touchUpInside", "event", False),
        (10, "ripen", "function", False),
        (10, "count", "property", False),
    ]
    assert [token for token in wanted if token not in found] == []


@pytest.mark.asyncio
async def test_tokens_come_in_their_order_and_do_not_overlap(app):
    await app.initialize()
    app.show("app.lua")
    found = await app.client.text_document_semantic_tokens_full_async(
        types.SemanticTokensParams(types.TextDocumentIdentifier(app.uri("app.lua")))
    )
    last = 0
    for index in range(0, len(found.data), 5):
        lines, characters, length = found.data[index : index + 3]
        assert lines >= 0 and characters >= 0 and length > 0
        assert lines > 0 or index == 0 or characters >= last
        last = length


@pytest.mark.asyncio
async def test_a_part_has_the_tokens_of_its_lines(app):
    result = await app.initialize()
    app.show("app.lua")
    found = await app.client.text_document_semantic_tokens_range_async(
        types.SemanticTokensRangeParams(
            types.TextDocumentIdentifier(app.uri("app.lua")),
            types.Range(types.Position(4, 0), types.Position(5, 0)),
        )
    )
    part = decode(app, "app.lua", result, found.data)
    assert part == [token for token in await tokens(app, result) if token[0] == 5]


@pytest.mark.asyncio
async def test_half_typed_text_keeps_the_tokens_above(app):
    result = await app.initialize()
    app.show("app.lua")
    before = [token for token in await tokens(app, result) if token[0] < 5]
    app.show("app.lua", APP[: APP.index("@sum")])
    assert [token for token in await tokens(app, result) if token[0] < 5] == before


@pytest.mark.asyncio
async def test_a_text_without_names_has_no_tokens(app):
    result = await app.initialize()
    for text in ["", "\n", "-- fruit.name\n", "local x = 'fruit.name'\n"]:
        app.show("app.lua", text)
        assert await tokens(app, result) == []


async def hints(editor, first=0, last=999, name="app.lua"):
    """Each hint with the word before it."""
    found = await editor.client.text_document_inlay_hint_async(
        types.InlayHintParams(
            types.TextDocumentIdentifier(editor.uri(name)),
            types.Range(types.Position(first, 0), types.Position(last, 0)),
        )
    )
    text = editor.text(name)
    shown = []
    for hint in found or []:
        offset = carets.offset(text, hint.position, editor.encoding)
        start = offset
        while start > 0 and (text[start - 1].isalnum() or text[start - 1] in "_@"):
            start -= 1
        shown.append((hint.position.line + 1, text[start:offset], hint.label))
    return shown


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.asyncio
async def test_types_are_shown_after_paths_in_strings(app, encoding):
    await app.initialize(encodings=[encoding])
    app.show("app.lua")
    found = await hints(app)
    assert (6, "name", ": string") in found
    assert (9, "name", ": string") in found
    assert (5, "text", ": string") in found
    # Only the last step of a path has a hint.
    assert not [hint for hint in found if hint[1] in ("fruit", "seeds")]


@pytest.mark.asyncio
async def test_types_of_parameters_are_shown_where_they_are_known(app):
    await app.initialize()
    app.show("app.lua", """local fruit = model "fruit" { rows = list { { title = "a" } } }
return view.list { bindTo = { items = "fruit.rows" }, cell = function(row)
  return view.label { text = function() return row.title end }
end }
""")
    found = await hints(app)
    assert [hint for hint in found if hint[:2] == (2, "row")]
    assert not [hint for hint in found if hint[1] == "fruit"]


@pytest.mark.asyncio
async def test_hints_are_those_of_the_lines_asked_for(app):
    await app.initialize()
    app.show("app.lua")
    whole = await hints(app)
    part = await hints(app, 5, 6)
    assert part == [hint for hint in whole if hint[0] == 6] != []


@pytest.mark.asyncio
async def test_hints_follow_what_is_typed_elsewhere(editor):
    editor.write("models.lua", 'model "fruit" { name = "apple" }\n')
    await editor.initialize()
    editor.show("app.lua", 'require "models"\nbind "fruit.name -> fruit.name"\n')
    assert (2, "name", ": string") in await hints(editor)
    editor.show("models.lua", 'model "fruit" { name = 1 }\n')
    assert (2, "name", ": number") in await hints(editor)
