"""Outlines, searches for symbols, folding and growing selections."""

import pytest
from lsprotocol import types

APP = """local commands = require("commands")

--[[ What grows
on the tree. ]]
local fruit = model "fruit" {
  name = "apple",
  ripen = function(self)
    self.name = "ripe"
  end,
}

transformer("shout", function(text) return text:upper() end)

view.component("card", {
  properties = { heading = "" },
  view = function(self) return view.label {} end,
})

local function show_it()
  return view.label { id = "title", bindTo = { text = "fruit.name | shout" } }
end

return show_it()
"""

COMMANDS = """local commands = {}

function commands.ripen()
  models.fruit:ripen()
end

return commands
"""

SPEC = """describe("the fruit", function()
  it("ripens (at once)", function()
    models.fruit:ripen()
  end)
end)
"""


@pytest.fixture
def app(editor):
    editor.write("app.lua", APP)
    editor.write("commands.lua", COMMANDS)
    editor.write("spec/app_spec.lua", SPEC)
    return editor


async def outline(editor, name):
    return await editor.client.text_document_document_symbol_async(
        types.DocumentSymbolParams(types.TextDocumentIdentifier(editor.uri(name)))
    )


def flat(symbols, above=""):
    for symbol in symbols:
        yield above + symbol.name, symbol
        yield from flat(symbol.children or [], f"{above}{symbol.name}/")


@pytest.mark.asyncio
async def test_the_outline_has_everything_that_a_script_declares(app):
    await app.initialize()
    app.show("app.lua")
    found = dict(flat(await outline(app, "app.lua")))
    assert list(found) == [
        "fruit", "fruit/name", "fruit/ripen", "shout", "card", "show_it", "show_it/title"
    ]
    assert found["fruit"].kind == types.SymbolKind.Struct
    assert found["fruit/name"].kind == types.SymbolKind.Property
    assert found["fruit/ripen"].kind == types.SymbolKind.Function
    assert found["card"].kind == types.SymbolKind.Class


@pytest.mark.asyncio
async def test_the_range_of_a_symbol_contains_its_name(app):
    await app.initialize()
    app.show("app.lua")
    for path, symbol in flat(await outline(app, "app.lua")):
        assert app.extract("app.lua", symbol.selection_range) == path.split("/")[-1]
        whole = app.extract("app.lua", symbol.range)
        assert path.split("/")[-1] in whole
        for child in symbol.children or []:
            assert child.range.start >= symbol.range.start
            assert child.range.end <= symbol.range.end
    found = dict(flat(await outline(app, "app.lua")))
    assert app.extract("app.lua", found["fruit"].range).startswith('model "fruit" {')
    assert app.extract("app.lua", found["fruit"].range).endswith("}")
    assert app.extract("app.lua", found["show_it"].range).endswith("end")


@pytest.mark.asyncio
async def test_the_outline_of_a_spec_has_its_tests(app):
    await app.initialize()
    app.show("spec/app_spec.lua")
    found = [path for path, _ in flat(await outline(app, "spec/app_spec.lua"))]
    assert found == ["the fruit", "the fruit/ripens (at once)"]


@pytest.mark.asyncio
async def test_half_typed_text_keeps_its_outline(app):
    await app.initialize()
    app.show("app.lua", APP.replace("return show_it()", "show_it(models.\nlocal = {"))
    found = [path for path, _ in flat(await outline(app, "app.lua"))]
    assert found[:5] == ["fruit", "fruit/name", "fruit/ripen", "shout", "card"]


async def search(editor, query):
    found = await editor.client.workspace_symbol_async(types.WorkspaceSymbolParams(query))
    return {(item.name, editor.name(item.location.uri)): item for item in found}


@pytest.mark.asyncio
async def test_the_workspace_is_searched_for_letters_in_their_order(app):
    await app.initialize()
    assert set(await search(app, "ripen")) >= {
        ("ripen", "app.lua"), ("commands.ripen", "commands.lua"),
        ("ripens (at once)", "spec/app_spec.lua"),
    }
    assert set(await search(app, "shwit")) == {("show_it", "app.lua")}
    assert set(await search(app, "SHOUT")) == {("shout", "app.lua")}
    assert await search(app, "unheard of") == {}


@pytest.mark.asyncio
async def test_a_search_finds_names_with_their_containers(app):
    await app.initialize()
    found = await search(app, "")
    for (name, file), item in found.items():
        assert app.extract(file, item.location.range) == name.split(".")[-1] or (
            app.extract(file, item.location.range) == name)
    assert found["name", "app.lua"].container_name == "fruit"


@pytest.mark.asyncio
async def test_the_workspace_is_searched_as_it_is_typed(app):
    await app.initialize()
    app.show("commands.lua", COMMANDS.replace("ripen", "rot"))
    assert ("commands.rot", "commands.lua") in await search(app, "rot")
    app.close("commands.lua")
    assert await search(app, "rot") == {}


@pytest.mark.asyncio
async def test_blocks_tables_and_comments_fold(app):
    await app.initialize()
    app.show("app.lua")
    found = await app.client.text_document_folding_range_async(
        types.FoldingRangeParams(types.TextDocumentIdentifier(app.uri("app.lua")))
    )
    folds = {(item.start_line + 1, item.end_line + 1, item.kind) for item in found}
    comment = types.FoldingRangeKind.Comment
    # The line that closes a block stays visible.
    assert {(5, 9, None), (7, 8, None), (3, 4, comment), (14, 16, None), (19, 20, None)} <= folds
    assert all(item.start_line <= item.end_line for item in found)


@pytest.mark.asyncio
async def test_a_selection_grows_from_a_step_to_the_whole_text(app):
    await app.initialize()
    app.show("app.lua")
    [found] = await app.client.text_document_selection_range_async(
        types.SelectionRangeParams(
            types.TextDocumentIdentifier(app.uri("app.lua")),
            [app.find("app.lua", "fruit.name | shout", 7)],
        )
    )
    grown = []
    while found:
        grown.append(app.extract("app.lua", found.range))
        found = found.parent
    assert grown[:3] == ["name", "fruit.name | shout", '"fruit.name | shout"']
    assert grown[-1] == APP
    assert any(text.startswith("view.label { id") and text.endswith("}") for text in grown)
    assert any(text.startswith("function show_it") or text.startswith("local function show_it")
               for text in grown)
    for inner, outer in zip(grown, grown[1:]):
        assert inner in outer and len(inner) < len(outer)


@pytest.mark.asyncio
async def test_each_caret_grows_a_selection_of_its_own(app):
    await app.initialize()
    app.show("app.lua")
    places = [app.find("app.lua", "shout", 1), types.Position(0, 0), types.Position(999, 999)]
    found = await app.client.text_document_selection_range_async(
        types.SelectionRangeParams(types.TextDocumentIdentifier(app.uri("app.lua")), places)
    )
    assert len(found) == 3
    assert app.extract("app.lua", found[0].range) == "shout"
