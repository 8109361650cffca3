"""Definitions, references and renaming."""

import checked
import pytest
from conftest import PROGRAM
from lsprotocol import types
from pygls.exceptions import JsonRpcException

# An app of several modules, which use the same names in Lua and in strings.
APP = {
    "app.lua": """local commands = require("commands")
local fruit = require("models")

bind("fruit.name -> title.text | shout")
bind "title.text -> fruit.name"

return view.column {
  view.label { id = "title", bindTo = { text = "fruit.name | shout" } },
  view.card { heading = "Fruits", on = { opened = function() commands.ripen(1) end } },
  view.list { id = "seeds", bindTo = { items = "fruit.seeds" }, cell = function(seed)
    return view.label { text = function() return seed.colour end }
  end },
  view.label { text = function() return fruit.name .. views.title.text end },
}
""",
    "models.lua": """require "parts"

-- What grows on the tree.
local fruit = model "fruit" {
  name = "apple",
  seeds = list { { colour = "brown" }, { colour = "black" } },
}

return fruit
""",
    "parts.lua": """transformer("shout", function(text) return text:upper() end)

view.component("card", {
  properties = { heading = "" },
  events = { "opened" },
  view = function(self) return view.label { text = function() return self.heading end } end,
})
""",
    "commands.lua": """local models = require("models")

local commands = {}

function commands.ripen(by)
  local name = models.name
  models.name = "ripe " .. name
  return by
end

return commands
""",
    "spec/app_spec.lua": """local commands = require("commands")

describe("the fruit", function()
  it("ripens", function()
    ui.mount("app.lua")
    commands.ripen(2)
    assert.equals("ripe apple", models.fruit.name)
    assert.equals("RIPE APPLE", views.title.text)
  end)
end)
""",
    "other.lua": """local thing = { name = "another", ripen = 1 }
print(thing.name, thing.ripen)
""",
}


@pytest.fixture
def app(editor):
    for name, text in APP.items():
        editor.write(name, text)
    return editor


def at(editor, name, words, into=0, nth=0):
    return editor.at(name, editor.find(name, words, into, nth))


# A place (a file, words, and a character within them), and the line and the words of the
# declaration.
DEFINITIONS = {
    "a model in a string": (("app.lua", "fruit.name ->", 1), ("models.lua", 4, "fruit")),
    "a property in a string": (("app.lua", "fruit.name ->", 7), ("models.lua", 5, "name")),
    "a property in Lua": (("commands.lua", "models.name", 8), ("models.lua", 5, "name")),
    "a property in a spec": (("spec/app_spec.lua", "fruit.name", 7), ("models.lua", 5, "name")),
    "a property of a row": (("app.lua", "seed.colour", 6), ("models.lua", 6, "colour")),
    "an id in a path": (("app.lua", "title.text |", 1), ("app.lua", 8, "title")),
    "an id in Lua": (("app.lua", "views.title", 7), ("app.lua", 8, "title")),
    "an id in a spec": (("spec/app_spec.lua", "views.title", 7), ("app.lua", 8, "title")),
    "a transformer": (("app.lua", "shout", 1), ("parts.lua", 1, "shout")),
    "a component": (("app.lua", "view.card", 6), ("parts.lua", 3, "card")),
    "a property of a component": (("app.lua", "heading", 1), ("parts.lua", 4, "heading")),
    "a member of a module": (("app.lua", "ripen", 1), ("commands.lua", 5, "ripen")),
    "a member in a spec": (("spec/app_spec.lua", "ripen(2)", 1), ("commands.lua", 5, "ripen")),
    "a local variable": (("commands.lua", ".. name", 4), ("commands.lua", 6, "name")),
    "a parameter": (("commands.lua", "return by", 8), ("commands.lua", 5, "by")),
    "a module": (("app.lua", 'require("commands")', 11), ("commands.lua", 1, "")),
}


@pytest.mark.parametrize("place, wanted", DEFINITIONS.values(), ids=DEFINITIONS)
@pytest.mark.asyncio
async def test_a_name_leads_to_its_declaration(app, place, wanted):
    await app.initialize()
    app.show(place[0])
    found = await app.client.text_document_definition_async(
        types.DefinitionParams(**at(app, *place))
    )
    places = app.places(found or [])
    assert wanted in places
    # Each row of a list declares the property.
    assert all(place[0] == wanted[0] and place[2] == wanted[2] for place in places)


@pytest.mark.asyncio
async def test_the_rows_of_a_list_all_declare_their_properties(app):
    await app.initialize()
    app.show("app.lua")
    found = await app.client.text_document_definition_async(
        types.DefinitionParams(**at(app, "app.lua", "seed.colour", 6))
    )
    assert app.places(found) == [("models.lua", 6, "colour")] * 2


@pytest.mark.asyncio
async def test_what_the_api_declares_leads_nowhere(app):
    await app.initialize()
    app.show("app.lua")
    for words in ["bind(", "view.column", "text =", "uppercase"]:
        if words not in app.text("app.lua"):
            continue
        found = await app.client.text_document_definition_async(
            types.DefinitionParams(**at(app, "app.lua", words, 1))
        )
        assert not found


async def references(editor, name, position, declaration=True):
    editor.show(name)
    found = await editor.client.text_document_references_async(
        types.ReferenceParams(
            **editor.at(name, position),
            context=types.ReferenceContext(include_declaration=declaration),
        )
    )
    return found or []


async def places(editor, name, words, into=0, **options):
    """The references as files, lines and words."""
    editor.show(name)
    position = editor.find(name, words, into)
    return editor.places(await references(editor, name, position, **options))


# Names, and all places (files and lines) that mean the same.
USES = {
    "a property": (
        ("models.lua", "name =", 1),
        [("app.lua", 4), ("app.lua", 5), ("app.lua", 8), ("app.lua", 13), ("commands.lua", 6),
         ("commands.lua", 7), ("models.lua", 5), ("spec/app_spec.lua", 7)]),
    "a model": (
        ("models.lua", 'model "fruit', 8),
        [("app.lua", 4), ("app.lua", 5), ("app.lua", 8), ("app.lua", 10), ("models.lua", 4),
         ("spec/app_spec.lua", 7)]),
    "an id": (
        ("app.lua", 'id = "title', 7),
        [("app.lua", 4), ("app.lua", 5), ("app.lua", 8), ("app.lua", 13),
         ("spec/app_spec.lua", 8)]),
    "a transformer": (
        ("parts.lua", "shout", 1), [("app.lua", 4), ("app.lua", 8), ("parts.lua", 1)]),
    "a component": (("parts.lua", "card", 1), [("app.lua", 9), ("parts.lua", 3)]),
    "a property of a component": (
        ("parts.lua", "heading", 1), [("app.lua", 9), ("parts.lua", 4), ("parts.lua", 6)]),
    "a member of a module": (
        ("commands.lua", "ripen", 1),
        [("app.lua", 9), ("commands.lua", 5), ("spec/app_spec.lua", 6)]),
    "the rows' property": (
        ("models.lua", "colour", 1), [("app.lua", 11), ("models.lua", 6), ("models.lua", 6)]),
    "a local variable": (
        ("commands.lua", "local name", 7), [("commands.lua", 6), ("commands.lua", 7)]),
}


@pytest.mark.parametrize("place, wanted", USES.values(), ids=USES)
@pytest.mark.asyncio
async def test_a_name_leads_to_all_places_that_mean_the_same(app, place, wanted):
    await app.initialize()
    found = await places(app, *place)
    assert [(name, line) for name, line, _ in found] == wanted
    assert len({words for _, _, words in found}) == 1


@pytest.mark.parametrize("place, _", USES.values(), ids=USES)
@pytest.mark.asyncio
async def test_each_of_these_places_leads_to_the_others(app, place, _):
    await app.initialize()
    whole = await references(app, place[0], app.find(*place))
    assert len(whole) > 1
    for location in whole:
        name = app.name(location.uri)
        found = await references(app, name, location.range.start)
        assert app.places(found) == app.places(whole), location


@pytest.mark.asyncio
async def test_the_declaration_may_be_left_out(app):
    await app.initialize()
    found = await places(app, "parts.lua", "shout", 1, declaration=False)
    assert [(name, line) for name, line, _ in found] == [("app.lua", 4), ("app.lua", 8)]


@pytest.mark.asyncio
async def test_unsaved_uses_are_found(app):
    await app.initialize()
    app.show("commands.lua", APP["commands.lua"] + 'bind "fruit.name -> title.text"\n')
    found = await places(app, "models.lua", "name =", 1)
    assert ("commands.lua", 12, "name") in found


@pytest.mark.asyncio
async def test_the_uses_in_a_file_are_highlighted(app):
    await app.initialize()
    app.show("commands.lua")
    found = await app.client.text_document_document_highlight_async(
        types.DocumentHighlightParams(**at(app, "commands.lua", "models.name", 8))
    )
    kinds = [(item.range.start.line + 1, item.kind) for item in found]
    assert sorted(kinds) == [
        (6, types.DocumentHighlightKind.Read), (7, types.DocumentHighlightKind.Write)
    ]


async def rename(editor, name, words, into, new, nth=0):
    return await editor.client.text_document_rename_async(
        types.RenameParams(**at(editor, name, words, into, nth), new_name=new)
    )


# A place, the new name, and the files that change.
RENAMES = {
    "a property": (("models.lua", "name =", 1), "title",
        ["app.lua", "commands.lua", "models.lua", "spec/app_spec.lua"]),
    "a property from a string": (("app.lua", "fruit.name ->", 7), "label",
        ["app.lua", "commands.lua", "models.lua", "spec/app_spec.lua"]),
    "a model": (("models.lua", 'model "fruit', 8), "produce",
        ["app.lua", "models.lua", "spec/app_spec.lua"]),
    "an id": (("app.lua", "views.title", 7), "headline", ["app.lua", "spec/app_spec.lua"]),
    "a transformer": (("app.lua", "shout", 1), "cry", ["app.lua", "parts.lua"]),
    "a component": (("app.lua", "view.card", 6), "panel", ["app.lua", "parts.lua"]),
    "a property of a component": (("app.lua", "heading", 1), "caption",
        ["app.lua", "parts.lua"]),
    "a member of a module": (("app.lua", "ripen", 1), "mature",
        ["app.lua", "commands.lua", "spec/app_spec.lua"]),
    "the rows' property": (("app.lua", "seed.colour", 6), "shade", ["app.lua", "models.lua"]),
    "a local variable": (("commands.lua", "local name", 7), "former", ["commands.lua"]),
    "a parameter": (("commands.lua", "(by)", 1), "amount", ["commands.lua"]),
}


@pytest.mark.parametrize("place, new, files", RENAMES.values(), ids=RENAMES)
@pytest.mark.parametrize("opened", ["all files open", "one file open"])
@pytest.mark.asyncio
async def test_renaming_leaves_no_problem(app, opened, place, new, files):
    await app.initialize()
    for name in APP if opened == "all files open" else [place[0]]:
        app.show(name)
    before = {name: await app.ask_for_diagnostics(name) for name in APP}
    edit = await rename(app, *place, new)
    assert app.apply(edit) == files
    for name in APP:
        after = await app.ask_for_diagnostics(name)
        assert checked.told(after) == checked.told(before[name]), name
        # Everything is saved, because the files are checked.
        app.write(name, app.text(name))
    assert checked.check(PROGRAM, app.folder) == {
        name: checked.told(found) for name, found in before.items() if found
    }


@pytest.mark.asyncio
async def test_renaming_back_restores_the_texts(app):
    await app.initialize()
    for name in APP:
        app.show(name)
    app.apply(await rename(app, "models.lua", "name =", 1, "label"))
    assert "fruit.label" in app.text("spec/app_spec.lua")
    assert app.text("other.lua") == APP["other.lua"]
    app.apply(await rename(app, "spec/app_spec.lua", "fruit.label", 7, "name"))
    assert {name: app.text(name) for name in APP} == APP


@pytest.mark.asyncio
async def test_names_in_brackets_are_renamed_too(app):
    await app.initialize()
    app.show("app.lua", """local fruit = require("models")
print(fruit["name"], models["fruit"].name, models.fruit['name'])
fruit["name"] = "pear"
""")
    app.show("models.lua")
    app.apply(await rename(app, "models.lua", "name =", 1, "label"))
    app.apply(await rename(app, "models.lua", 'model "fruit', 8, "produce"))
    assert app.text("app.lua") == """local fruit = require("models")
print(fruit["label"], models["produce"].label, models.produce['label'])
fruit["label"] = "pear"
"""


@pytest.mark.parametrize("new", ["x", "load_all", "bind"])
@pytest.mark.asyncio
async def test_a_global_is_not_renamed_to_a_name_that_is_in_use(app, new):
    await app.initialize()
    app.show("app.lua", "function save() end\nfunction load_all() end\n"
             "local function f(x) save(x) end\nf(load_all)\n")
    with pytest.raises(JsonRpcException):
        await rename(app, "app.lua", "save", 1, new)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.asyncio
async def test_renaming_keeps_wide_characters_beside_it(app, encoding):
    await app.initialize(encodings=[encoding])
    app.show("app.lua", "print('ä😀', require('models').name, 'ö') -- 😀\n")
    app.show("models.lua")
    app.apply(await rename(app, "models.lua", "name =", 1, "label"))
    assert app.text("app.lua") == "print('ä😀', require('models').label, 'ö') -- 😀\n"


@pytest.mark.asyncio
async def test_edits_of_open_files_have_versions_if_the_editor_wants_them(app):
    await app.initialize(takes_versions=True)
    app.show("commands.lua")
    app.show("commands.lua", APP["commands.lua"] + "\n")
    edit = await rename(app, "commands.lua", "ripen", 1, "mature")
    versions = {
        app.name(item.text_document.uri): item.text_document.version
        for item in edit.document_changes
    }
    assert versions == {"app.lua": None, "commands.lua": 2, "spec/app_spec.lua": None}


@pytest.mark.asyncio
async def test_the_name_to_be_changed_is_shown_first(app):
    await app.initialize()
    app.show("app.lua")
    found = await app.client.text_document_prepare_rename_async(
        types.PrepareRenameParams(**at(app, "app.lua", "fruit.name ->", 7))
    )
    assert app.extract("app.lua", found.range) == "name"
    assert found.placeholder == "name"


@pytest.mark.parametrize("words, into", [
    ("bind(", 1), ("view.column", 6), ("text =", 1), ("return view", 1), ('"Fruits"', 2),
])
@pytest.mark.asyncio
async def test_what_the_app_does_not_declare_keeps_its_name(app, words, into):
    await app.initialize()
    app.show("app.lua")
    found = await app.client.text_document_prepare_rename_async(
        types.PrepareRenameParams(**at(app, "app.lua", words, into))
    )
    assert found is None
    with pytest.raises(JsonRpcException) as raised:
        await rename(app, "app.lua", words, into, "other")
    assert "no name here" in raised.value.message


@pytest.mark.parametrize("new", ["", "two words", "1st", "a.b", "a-b", "end", "größe", 'a"b'])
@pytest.mark.asyncio
async def test_a_text_that_is_not_a_name_is_refused(app, new):
    await app.initialize()
    app.show("models.lua")
    with pytest.raises(JsonRpcException) as raised:
        await rename(app, "models.lua", "name =", 1, new)
    assert raised.value.code == -32803
    assert "is not a name" in raised.value.message


TAKEN = {
    "a property": (("models.lua", "name =", 1), "seeds"),
    "a local variable": (("commands.lua", "local name", 7), "by"),
    "a variable that another function sees": (("commands.lua", "local name", 7), "models"),
    "an id": (("app.lua", 'id = "title', 7), "seeds"),
    "a member of a module": (("commands.lua", "ripen", 1), "spoil"),
}


@pytest.mark.parametrize("place, new", TAKEN.values(), ids=TAKEN)
@pytest.mark.asyncio
async def test_a_name_that_is_taken_is_refused(app, place, new):
    app.write("commands.lua", APP["commands.lua"].replace(
        "return commands", "function commands.spoil() end\n\nreturn commands"))
    await app.initialize()
    app.show(place[0])
    with pytest.raises(JsonRpcException):
        await rename(app, *place, new)
