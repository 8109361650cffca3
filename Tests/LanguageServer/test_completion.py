"""Completion at the caret, and the text after choosing an item."""

import carets
import pytest
from lsprotocol import types

MODELS = """
-- What grows on the tree.
model "fruit" {
  name = "apple",
  count = 1,
  owner = { address = { city = "Paris" } },
  seeds = list { { weight = 1, colour = "brown" }, { weight = 2, colour = "black" } },
}
transformer("shout", function(text) return text:upper() .. "!" end)
view.component("card", { properties = { heading = "" }, events = { "opened" },
  view = function(self) return view.label { text = function() return self.heading end } end })
"""

COMMANDS = """
local commands = {}

-- Makes the fruit ripe.
function commands.ripen(by, times) end

commands.limit = 3

return commands
"""


def prepare(editor):
    editor.write("models.lua", MODELS)
    editor.write("commands.lua", COMMANDS)
    editor.write("lib/dates.lua", "return { today = function() end }\n")


# Scripts that require each other are one app.
HEAD = 'require "models"\n'


async def complete(editor, marked, trigger=None):
    """The list at the caret of app.lua, which begins with HEAD."""
    caret = editor.put_caret("app.lua", HEAD + marked)
    context = types.CompletionContext(
        types.CompletionTriggerKind.TriggerCharacter if trigger else
        types.CompletionTriggerKind.Invoked, trigger)
    found = await editor.client.text_document_completion_async(
        types.CompletionParams(**editor.at("app.lua", caret), context=context)
    )
    return list(found.items) if found else []


def choose(editor, items, label):
    """The text of app.lua after HEAD, once somebody has chosen an item."""
    matching = [item for item in items if item.label == label]
    assert len(matching) == 1, f"{label} is not in {[item.label for item in items]}"
    text = carets.replaced(editor.text("app.lua"), [matching[0].text_edit], editor.encoding)
    return text.removeprefix(HEAD)


# A text with a caret, the chosen item, and the text after that.
CHOICES = {
    "a model begins a path": ('bind "‸"', "fruit", 'bind "fruit"'),
    "a model is looked up": ("print(models.‸)", "fruit", "print(models.fruit)"),
    "a property follows a model": ("print(models.fruit.‸)", "name", "print(models.fruit.name)"),
    "a property follows a model in a path": (
        'bind "fruit.‸ -> fruit.name"', "count", 'bind "fruit.count -> fruit.name"'),
    "a property follows on the right of an arrow": (
        'bind "fruit.name -> fruit.‸"', "count", 'bind "fruit.name -> fruit.count"'),
    "a path goes two steps deep": (
        'bind "fruit.owner.‸ -> fruit.name"', "address",
        'bind "fruit.owner.address -> fruit.name"'),
    "a path goes three steps deep": (
        'bind "fruit.owner.address.‸ -> fruit.name"', "city",
        'bind "fruit.owner.address.city -> fruit.name"'),
    "Lua goes three steps deep": (
        "print(models.fruit.owner.address.c‸)", "city", "print(models.fruit.owner.address.city)"),
    "an operator follows a list": (
        'bind "fruit.seeds.‸ -> fruit.count"', "@count",
        'bind "fruit.seeds.@count -> fruit.count"'),
    "an operator is half typed": (
        'bind "fruit.seeds.@su‸ -> fruit.count"', "@sum",
        'bind "fruit.seeds.@sum -> fruit.count"'),
    "a property of the rows follows an operator": (
        'bind "fruit.seeds.@sum.‸ -> fruit.count"', "weight",
        'bind "fruit.seeds.@sum.weight -> fruit.count"'),
    "a property of the rows follows an index": (
        'bind "fruit.seeds[1].‸ -> fruit.name"', "colour",
        'bind "fruit.seeds[1].colour -> fruit.name"'),
    "an arrow follows a path": (
        'bind "fruit.name ‸ fruit.name"', "<>", 'bind "fruit.name <> fruit.name"'),
    "a transformer follows a bar": (
        'bind "fruit.name -> fruit.name | ‸"', "uppercase",
        'bind "fruit.name -> fruit.name | uppercase"'),
    "a transformer of the app's own": (
        'bind "fruit.name -> fruit.name | sh‸"', "shout",
        'bind "fruit.name -> fruit.name | shout"'),
    "a second transformer": (
        'bind "fruit.name -> fruit.name | trim | ‸"', "shout",
        'bind "fruit.name -> fruit.name | trim | shout"'),
    "a class of views": ("return view.la‸ {}", "label", "return view.label {}"),
    "a component of the app's own": ("return view.‸ {}", "card", "return view.card {}"),
    "a property of a view": (
        "return view.label { te‸ }", "text", "return view.label { text }"),
    "a property of a component": (
        "return view.card { hea‸ }", "heading", "return view.card { heading }"),
    "a property after others": (
        "return view.label { text = 'a', ‸ }", "bold", "return view.label { text = 'a', bold }"),
    "a property that is bound": (
        "return view.field { bindTo = { ‸ } }", "text", "return view.field { bindTo = { text } }"),
    "what a property is bound to": (
        'return view.field { bindTo = { text = "<> fruit.‸" } }', "name",
        'return view.field { bindTo = { text = "<> fruit.name" } }'),
    "a step up the tree": (
        'return view.label { bindTo = { text = "@sup‸" } }', "@superview",
        'return view.label { bindTo = { text = "@superview" } }'),
    "an event of a view": (
        "return view.field { on = { edit‸ } }", "editingDidEnd",
        "return view.field { on = { editingDidEnd } }"),
    "an event of a component": (
        "return view.card { on = { ‸ } }", "opened", "return view.card { on = { opened } }"),
    "an event in a call": (
        'local f = view.field {} on(f, "‸", print)', "editingDidEnd",
        'local f = view.field {} on(f, "editingDidEnd", print)'),
    "an option of a binding": (
        'bind("fruit.name -> fruit.name", { ‸ })', "delay",
        'bind("fruit.name -> fruit.name", { delay })'),
    "an option of a property": ("local p = property { read‸ }", "readonly",
        "local p = property { readonly }"),
    "a style": (
        'return view.label { style = "mu‸" }', "muted", 'return view.label { style = "muted" }'),
    "a value of an enumeration": (
        'return view.label { align = "‸" }', "center", 'return view.label { align = "center" }'),
    "an id": (
        "local l = view.label { id = 'title' } print(views.‸)", "title",
        "local l = view.label { id = 'title' } print(views.title)"),
    "an id that begins a path": (
        "local l = view.label { id = 'title' } bind 'fruit.name -> ti‸'", "title",
        "local l = view.label { id = 'title' } bind 'fruit.name -> title'"),
    "a property of a view with an id": (
        "local l = view.label { id = 'title' } bind 'fruit.name -> title.‸'", "text",
        "local l = view.label { id = 'title' } bind 'fruit.name -> title.text'"),
    "a module": ('local c = require "‸"', "commands", 'local c = require "commands"'),
    "a module in a folder": (
        'local d = require("lib.‸")', "lib.dates", 'local d = require("lib.dates")'),
    "a member of a module": (
        'local c = require "commands" c.ri‸()', "ripen", 'local c = require "commands" c.ripen()'),
    "a member of a module that is no function": (
        'local c = require "commands" print(c.‸)', "limit",
        'local c = require "commands" print(c.limit)'),
    "a method of a list": (
        "models.fruit.seeds:‸", "append", "models.fruit.seeds:append"),
    "a function of the API": ("bin‸", "bind", "bind"),
    "a function of Lua's library": ("print(string.for‸)", "format", "print(string.format)"),
    "a variable that is visible": (
        "local orchard = 1 print(orc‸)", "orchard", "local orchard = 1 print(orchard)"),
    "the name under the caret goes as a whole": (
        "print(models.fruit.na‸me)", "count", "print(models.fruit.count)"),
}


@pytest.mark.parametrize("marked, choice, text", CHOICES.values(), ids=CHOICES)
@pytest.mark.asyncio
async def test_choosing_completes(editor, marked, choice, text):
    prepare(editor)
    await editor.initialize()
    assert choose(editor, await complete(editor, marked), choice) == text


# Unfinished text: strings, calls and blocks without an end.
HALF_TYPED = {
    "a string without an end": ('bind "fruit.‸', "name", 'bind "fruit.name'),
    "a string without an end, and lines below": (
        'bind "fruit.‸\nprint(1)\n', "name", 'bind "fruit.name\nprint(1)\n'),
    "a call without an end": ("print(models.fruit.‸\n", "name", "print(models.fruit.name\n"),
    "a statement that is only a path": (
        "models.fruit.‸\nlocal x = 1\n", "name", "models.fruit.name\nlocal x = 1\n"),
    "a condition": ("if models.fruit.‸\nend\n", "name", "if models.fruit.name\nend\n"),
    "a block without an end": (
        "local function f()\n  return models.fruit.‸\n", "count",
        "local function f()\n  return models.fruit.count\n"),
    "a table without an end": ("return view.label {\n  ‸", "text", "return view.label {\n  text"),
    "a table in a table without an end": (
        "return view.button {\n  on = {\n    fo‸\n", "focus",
        "return view.button {\n  on = {\n    focus\n"),
    "a transformer without an end": (
        'bind "fruit.name -> fruit.name | up‸', "uppercase",
        'bind "fruit.name -> fruit.name | uppercase'),
    "a member before another statement": (
        'local c = require "commands"\nc.‸\nc.ripen()\n', "ripen",
        'local c = require "commands"\nc.ripen\nc.ripen()\n'),
    "a mistake above": (
        "local = = 3\nprint(models.fruit.‸)", "name", "local = = 3\nprint(models.fruit.name)"),
    "a mistake below": (
        "print(models.fruit.‸)\nend end )", "name", "print(models.fruit.name)\nend end )"),
}


@pytest.mark.parametrize("marked, choice, text", HALF_TYPED.values(), ids=HALF_TYPED)
@pytest.mark.asyncio
async def test_half_typed_text_is_completed(editor, marked, choice, text):
    prepare(editor)
    await editor.initialize()
    assert choose(editor, await complete(editor, marked), choice) == text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.asyncio
async def test_the_replaced_range_counts_the_units_agreed_on(editor, encoding):
    prepare(editor)
    await editor.initialize(encodings=[encoding])
    items = await complete(editor, "print('ä😀', models.fruit.na‸m)")
    assert choose(editor, items, "name") == "print('ä😀', models.fruit.name)"


@pytest.mark.parametrize("marked", [
    "-- models.fruit.‸", "--[[ view.‸ ]]", "print 'models.‸'", "local n = 1.‸",
])
@pytest.mark.asyncio
async def test_nothing_is_offered_where_no_name_can_stand(editor, marked):
    prepare(editor)
    await editor.initialize()
    assert await complete(editor, marked) == []


@pytest.mark.asyncio
async def test_a_blank_asks_for_names_inside_of_expressions_alone(editor):
    prepare(editor)
    await editor.initialize()
    inside = await complete(editor, 'bind "fruit.name ‸"', trigger=" ")
    assert "->" in [item.label for item in inside]
    assert await complete(editor, "local x = ‸", trigger=" ") == []


@pytest.mark.asyncio
async def test_only_what_fits_is_offered(editor):
    prepare(editor)
    await editor.initialize()

    async def labels(marked):
        return [item.label for item in await complete(editor, marked)]

    assert await labels('bind "fruit.owner.address.‸ -> fruit.name"') == ["city"]
    assert set(await labels("print(models.‸)")) == {"fruit"}
    bound = await labels("return view.field { bindTo = { ‸ } }")
    assert "bindTo" not in bound and "on" not in bound
    assert "text" not in await labels("return view.button { ‸ }")
    methods = await labels("models.fruit.seeds:‸")
    assert "name" not in methods and "fruit" not in methods


@pytest.mark.asyncio
async def test_a_variable_is_offered_only_where_it_is_visible(editor):
    prepare(editor)
    await editor.initialize()
    text = "do local orchard = 1 end\nlocal function f(pear) return pear end\n"
    labels = [item.label for item in await complete(editor, text + "print(‸)\nlocal late = 1")]
    assert "f" in labels
    assert not {"orchard", "pear", "late"} & set(labels)


@pytest.mark.asyncio
async def test_a_model_brings_the_comment_above_it(editor):
    prepare(editor)
    await editor.initialize()
    [model] = [item for item in await complete(editor, 'bind "‸"') if item.label == "fruit"]
    assert "What grows on the tree." in model.documentation.value
    assert model.kind == types.CompletionItemKind.Struct


@pytest.mark.asyncio
async def test_a_function_of_a_module_brings_its_parameters_and_its_comment(editor):
    prepare(editor)
    await editor.initialize()
    items = await complete(editor, 'local c = require "commands" c.‸')
    [ripen] = [item for item in items if item.label == "ripen"]
    assert "by, times" in ripen.detail
    assert "Makes the fruit ripe." in ripen.documentation.value


@pytest.mark.asyncio
async def test_a_property_brings_its_type_and_its_value(editor):
    prepare(editor)
    await editor.initialize()
    found = {item.label: item.detail for item in await complete(editor, "print(models.fruit.‸)")}
    assert found["name"].startswith("string")
    assert "apple" in found["name"]
    assert found["count"].startswith("number")
    assert found["seeds"].startswith("list")


@pytest.mark.asyncio
async def test_a_transformer_brings_its_arguments(editor):
    prepare(editor)
    await editor.initialize()
    items = await complete(editor, 'bind "fruit.name -> fruit.name | ‸"')
    usages = {item.label: item.detail for item in items}
    assert usages["clamp"].startswith("clamp(")
    assert usages["plural"].startswith("plural(")
    assert "(" not in usages["uppercase"]


@pytest.mark.parametrize("marked", [
    'bind "‸"', "view.‸", "‸", "return view.label { ‸ }", 'require "‸"', "models.fruit.‸",
    'bind "fruit.name -> fruit.name | ‸"',
])
@pytest.mark.asyncio
async def test_each_name_is_offered_once_and_in_its_order(editor, marked):
    prepare(editor)
    await editor.initialize()
    items = await complete(editor, marked)
    labels = [item.label for item in items]
    assert len(labels) == len(set(labels)) > 0
    order = [item.sort_text for item in items]
    assert order == sorted(order) and len(set(order)) == len(order)


@pytest.mark.asyncio
async def test_text_typed_in_another_file_counts_at_once(editor):
    prepare(editor)
    await editor.initialize()
    editor.show("models.lua", MODELS.replace("count = 1", "weight = 1, count = 1"))
    editor.show("commands.lua", COMMANDS.replace("ripen", "rot"))
    assert choose(editor, await complete(editor, "models.fruit.‸"), "weight")
    items = await complete(editor, 'local c = require "commands" c.‸')
    assert [item.label for item in items if item.label.startswith("r")] == ["rot"]
