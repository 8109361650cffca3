"""Hover, and the signature of the call that is being typed."""

import pytest
from lsprotocol import types

MODELS = """
-- What grows on the tree.
model "fruit" {
  name = "apple", -- as the market calls it
  count = 1,
  owner = { address = { city = "Paris" } },
  total = computed(function(self) return self.count * 2 end),
}
transformer("shout", function(text) return text:upper() .. "!" end)
"""

COMMANDS = """
local commands = {}

-- Makes the fruit ripe.
function commands.ripen(by, times) end

return commands
"""


async def hover(editor, marked):
    """The hover of the name at the caret, and the words of its range."""
    editor.write("models.lua", MODELS)
    editor.write("commands.lua", COMMANDS)
    caret = editor.put_caret("app.lua", 'require "models"\n' + marked)
    found = await editor.client.text_document_hover_async(
        types.HoverParams(**editor.at("app.lua", caret))
    )
    if found is None:
        return None
    assert found.contents.kind == types.MarkupKind.Markdown
    return found.contents.value, editor.extract("app.lua", found.range)


# A text with a caret, the word there, and what must be shown.
MEANINGS = {
    "a model in Lua": ("print(models.fr‸uit)", "fruit", ["fruit", "What grows on the tree."]),
    "a model in a string": (
        'bind "fr‸uit.name -> fruit.name"', "fruit", ["fruit", "What grows on the tree."]),
    "a property with its type and default": (
        "print(models.fruit.na‸me)", "name", ["string", "apple", "as the market calls it"]),
    "a property in a string": (
        'bind "fruit.co‸unt -> fruit.name"', "count", ["number", "1"]),
    "a property three steps deep": (
        'bind "fruit.owner.address.ci‸ty -> fruit.name"', "city", ["string", "Paris"]),
    "a computed property": ("print(models.fruit.to‸tal)", "total", ["number", "computed"]),
    "a transformer": (
        'bind "fruit.count -> fruit.name | cl‸amp(1, 2)"', "clamp", ["clamp("]),
    "a transformer of the app's own": (
        'bind "fruit.name -> fruit.name | sh‸out"', "shout", ["shout"]),
    "a class of views": ("return view.la‸bel {}", "label", ["view.label"]),
    "a property of a view": ('return view.label { te‸xt = "a" }', "text", ["string"]),
    "an event": ("return view.field { on = { editing‸DidEnd = print } }", "editingDidEnd",
        ["editingDidEnd"]),
    "an id": (
        'local l = view.label { id = "title" } print(views.ti‸tle.text)', "title",
        ["title", "view.label"]),
    "a function of the API": ('bi‸nd "fruit.name -> fruit.name"', "bind", ["bind("]),
    "a function of a module": (
        'local c = require "commands" c.ri‸pen(1)', "ripen",
        ["by, times", "Makes the fruit ripe."]),
    "a local variable": ("local tree = 'oak' print(tr‸ee)", "tree", ["local tree", "string"]),
    "a module": ('local c = require "comm‸ands" c.ripen()', "commands", ["commands"]),
    "a style": ('return view.label { style = "mu‸ted" }', "muted", ["muted"]),
    "an option": (
        'bind("fruit.name -> fruit.name", { de‸lay = 1 })', "delay", ["delay", "number"]),
}


@pytest.mark.parametrize("marked, word, shown", MEANINGS.values(), ids=MEANINGS)
@pytest.mark.asyncio
async def test_hover_explains_a_name(editor, marked, word, shown):
    await editor.initialize()
    found = await hover(editor, marked)
    assert found is not None
    text, about = found
    assert about == word
    assert [wanted for wanted in shown if wanted not in text] == []


@pytest.mark.parametrize("marked", [
    "local x = 1 ‸ + 2", "-- the fruit.na‸me", 'print("fruit.na‸me")', "‸", "loc‸al x = 1",
])
@pytest.mark.asyncio
async def test_there_is_no_hover_outside_names(editor, marked):
    await editor.initialize()
    assert await hover(editor, marked) is None


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.asyncio
async def test_the_word_is_found_after_wide_characters(editor, encoding):
    await editor.initialize(encodings=[encoding])
    _, word = await hover(editor, "print('ä😀', models.fruit.na‸me)")
    assert word == "name"


async def signature(editor, marked):
    """The signature of the call around the caret, and the parameter at the caret."""
    editor.write("models.lua", MODELS)
    editor.write("commands.lua", COMMANDS)
    caret = editor.put_caret("app.lua", 'require "models"\n' + marked)
    help = await editor.client.text_document_signature_help_async(
        types.SignatureHelpParams(**editor.at("app.lua", caret))
    )
    if help is None:
        return None
    shown = help.signatures[help.active_signature]
    for parameter in shown.parameters:
        assert parameter.label in shown.label
    return shown.label, help.active_parameter


CALLS = {
    "the first argument": ("observe(‸)", "observe(", 0),
    "the second argument": ('observe(models.fruit, ‸)', "observe(", 1),
    "the third argument": ('observe(models.fruit, "name", ‸)', "observe(", 2),
    "a call without an end": ('observe(models.fruit, ‸', "observe(", 1),
    "the call around": ('observe(ref(models.fruit, "name"), ‸)', "observe(", 1),
    "the call within": ('observe(ref(models.fruit, ‸"name"), "value")', "ref(", 1),
    "a table holds commas of its own": ("observe({ 1, 2, 3 }, ‸)", "observe(", 1),
    "a function of a module": (
        'local c = require "commands" c.ripen(1, ‸)', "ripen(by, times)", 1),
    "a local function": ("local function add(one, two) end add(‸)", "add(one, two)", 0),
    "a method does not list its object": (
        "local o = { add = function(self, one) end } o:add(‸)", "add(one)", 0),
    "a method of the API": (
        "local rows = list { 1 } rows:insert(1, ‸)", "insert(", 1),
}


@pytest.mark.parametrize("marked, label, argument", CALLS.values(), ids=CALLS)
@pytest.mark.asyncio
async def test_a_call_shows_its_signature(editor, marked, label, argument):
    await editor.initialize()
    found = await signature(editor, marked)
    assert found is not None
    assert found[0].startswith(label)
    assert found[1] == argument


@pytest.mark.parametrize("marked", [
    "‸observe(models.fruit)", "observe(models.fruit)‸", "local function f(a, ‸) end",
    "observe(function() ‸ end)", "-- observe(‸)", "local x = (1 + ‸2)",
])
@pytest.mark.asyncio
async def test_there_is_no_signature_outside_a_call(editor, marked):
    await editor.initialize()
    assert await signature(editor, marked) is None
