"""Quick fixes, and code lenses: run this test, bindings, preview."""

import subprocess

import checked
import pytest
from conftest import PROGRAM
from lsprotocol import types

MODELS = """
return model "fruit" {
  name = "apple",
  seeds = list { { weight = 1 } },
}
"""

DATES = """
local dates = {}
function dates.today() end
return dates
"""

# Each is a text with one mistake, and the same text without it.
FIXES = {
    "a property in Lua": ("print(models.fruit.nmae)", "print(models.fruit.name)"),
    "a property in a string": (
        'bind "fruit.nam -> fruit.name"', 'bind "fruit.name -> fruit.name"'),
    "a property of a row": (
        'bind "fruit.seeds.@sum.wieght -> fruit.name"',
        'bind "fruit.seeds.@sum.weight -> fruit.name"'),
    "a model": ('bind "friut.name -> fruit.name"', 'bind "fruit.name -> fruit.name"'),
    "an operator": (
        'bind "fruit.seeds.@cuont -> fruit.name"', 'bind "fruit.seeds.@count -> fruit.name"'),
    "a transformer": (
        'bind "fruit.name -> fruit.name | upercase"',
        'bind "fruit.name -> fruit.name | uppercase"'),
    "a class of views": ("return view.lable {}", "return view.label {}"),
    "a property of a view": (
        'return view.label { txet = "a" }', 'return view.label { text = "a" }'),
    "a property that is bound": (
        'return view.label { bindTo = { txt = "fruit.name" } }',
        'return view.label { bindTo = { text = "fruit.name" } }'),
    "an event": (
        "return view.field { on = { editingDidEdn = print } }",
        "return view.field { on = { editingDidEnd = print } }"),
    "a style": (
        'return view.label { style = "mutde" }', 'return view.label { style = "muted" }'),
    "an option": (
        'bind("fruit.name -> fruit.name", { dealy = 1 })',
        'bind("fruit.name -> fruit.name", { delay = 1 })'),
    "a member of a module": (
        'local d = require "dates"\nd.tody()', 'local d = require "dates"\nd.today()'),
    "a module": ('local d = require "date"\nd.today()', 'local d = require "dates"\nd.today()'),
    "a function of the API": ('bnid "fruit.name -> fruit.name"', 'bind "fruit.name -> fruit.name"'),
    "an id": (
        "local l = view.label { id = 'title' }\nprint(views.titel, l)",
        "local l = view.label { id = 'title' }\nprint(views.title, l)"),
    "a wrong arrow": ('bind "fruit.name => fruit.name"', 'bind "fruit.name -> fruit.name"'),
    "a missing arrow": ('bind "fruit.name fruit.name"', 'bind "fruit.name -> fruit.name"'),
    "a dot in place of a colon": (
        "models.fruit.seeds.append({ weight = 2 })", "models.fruit.seeds:append({ weight = 2 })"),
}


async def prepare(editor, text):
    """Shows app.lua, whose first line makes it part of an app; returns its diagnostics."""
    editor.write("models.lua", MODELS)
    editor.write("dates.lua", DATES)
    editor.show("app.lua", 'require "models"\n' + text)
    return await editor.ask_for_diagnostics("app.lua")


def end(text):
    """The position after the last character of a text."""
    return types.Position(text.count("\n") + 1, 0)


async def actions(editor, range, diagnostics=(), only=None):
    return await editor.client.text_document_code_action_async(
        types.CodeActionParams(
            types.TextDocumentIdentifier(editor.uri("app.lua")), range,
            types.CodeActionContext(list(diagnostics), only=only),
        )
    )


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("text, fixed", FIXES.values(), ids=FIXES)
@pytest.mark.asyncio
async def test_a_fix_removes_its_mistake(editor, encoding, text, fixed):
    await editor.initialize(encodings=[encoding])
    wide = "local _ = 'ä😀' "
    [problem] = await prepare(editor, wide + text)
    [action] = await actions(editor, problem.range, [problem], ["quickfix"])
    assert action.kind == "quickfix"
    assert list(action.diagnostics) == [problem]
    assert editor.apply(action.edit) == ["app.lua"]
    assert editor.text("app.lua") == f'require "models"\n{wide}{fixed}'
    assert await editor.ask_for_diagnostics("app.lua") == []


@pytest.mark.asyncio
async def test_a_missing_require_is_added_at_the_beginning(editor):
    await editor.initialize()
    [problem] = await prepare(editor, "dates.today()\n")
    [action] = await actions(editor, problem.range, [problem], ["quickfix"])
    editor.apply(action.edit)
    assert editor.text("app.lua") == (
        'local dates = require "dates"\nrequire "models"\ndates.today()\n')
    assert await editor.ask_for_diagnostics("app.lua") == []


@pytest.mark.asyncio
async def test_a_fix_is_offered_only_at_its_mistake(editor):
    await editor.initialize()
    [first, second] = await prepare(editor, "print(models.fruit.nmae)\nprint(models.fruit.sedes)\n")
    titles = [action.title for action in await actions(editor, first.range, [first], ["quickfix"])]
    assert len(titles) == 1 and "name" in titles[0]
    both = types.Range(first.range.start, second.range.end)
    assert len(await actions(editor, both, [first, second], ["quickfix"])) == 2
    start = types.Range(types.Position(0, 0), types.Position(0, 3))
    assert not await actions(editor, start, [], ["quickfix"])


@pytest.mark.asyncio
async def test_a_mistake_without_a_fix_has_no_action(editor):
    await editor.initialize()
    [problem] = await prepare(editor, "print(somethingElseEntirely)\n")
    assert not await actions(editor, problem.range, [problem])


@pytest.mark.asyncio
async def test_all_sure_fixes_are_made_at_once(editor):
    await editor.initialize()
    text = "\n".join([
        "print(models.fruit.nmae)", 'bind "fruit.name => fruit.nam"',
        'bind("fruit.name -> fruit.name", { dealy = 1 })', "dates.today()",
        "models.fruit.seeds.append({ weight = 2 })", "print(somethingElseEntirely)", "",
    ])
    problems = await prepare(editor, text)
    assert len(problems) >= 6
    whole = types.Range(types.Position(0, 0), end(text))
    [action] = await actions(editor, whole, problems, ["source.fixAll"])
    assert action.kind == "source.fixAll"
    editor.apply(action.edit)
    # One mistake hid another in the same expression.
    for _ in range(2):
        found = await actions(editor, whole, [], ["source.fixAll"])
        if found:
            editor.apply(found[0].edit)
    left = await editor.ask_for_diagnostics("app.lua")
    assert [problem.message.split('"')[1] for problem in left] == ["somethingElseEntirely"]


@pytest.mark.asyncio
async def test_only_requested_kinds_are_returned(editor):
    await editor.initialize()
    [problem] = await prepare(editor, "print(models.fruit.nmae)")
    kinds = {}
    for only in [None, ["quickfix"], ["source"], ["source.fixAll"], ["refactor"]]:
        found = await actions(editor, problem.range, [problem], only)
        kinds[only and only[0]] = sorted(action.kind for action in found or [])
    assert kinds == {
        None: ["quickfix", "source.fixAll"], "quickfix": ["quickfix"],
        "source": ["source.fixAll"], "source.fixAll": ["source.fixAll"], "refactor": [],
    }


@pytest.mark.parametrize("text", [
    "model 'p' { ['first-name'] = 1 } print(models.p.firstname)",
    "local t = { color1 = 1, color3 = 3 } print(t.color2)",
    "local item = {} for _ in ipairs(items) do print(item) end",
])
@pytest.mark.asyncio
async def test_a_doubtful_fix_is_not_made_with_all_others(editor, text):
    await editor.initialize()
    problems = await prepare(editor, text)
    assert problems
    whole = types.Range(types.Position(0, 0), end(text))
    assert not await actions(editor, whole, problems, ["source.fixAll"])


@pytest.mark.asyncio
async def test_check_fix_makes_the_fixes_of_the_editor(editor):
    await editor.initialize()
    text = "print(models.fruit.nmae)\nbind \"fruit.name => fruit.name\"\n"
    problems = await prepare(editor, text)
    editor.write("app.lua", editor.text("app.lua"))
    whole = types.Range(types.Position(0, 0), end(text))
    [action] = await actions(editor, whole, problems, ["source.fixAll"])
    editor.apply(action.edit)
    subprocess.run([PROGRAM, "check", "--fix"], cwd=editor.folder, capture_output=True)
    assert (editor.folder / "app.lua").read_text() == editor.text("app.lua")
    assert checked.check(PROGRAM, editor.folder) == {}


# Code lenses.

APP = """local commands = require("commands")
local fruit = model "fruit" {
  name = "apple",
  price = 3,
}
bind "fruit.name -> title.text"
return view.column {
  view.label { id = "title" },
  view.label { bindTo = { text = "fruit.name" } },
}
"""

SPEC = """describe("the fruit", function()
  it("ripens (at once)", function() end)
  it("rots", function() end)
end)
"""


async def lenses(editor, name):
    found = await editor.client.text_document_code_lens_async(
        types.CodeLensParams(types.TextDocumentIdentifier(editor.uri(name)))
    )
    resolved = [
        lens if lens.command else await editor.client.code_lens_resolve_async(lens)
        for lens in found
    ]
    assert all(lens.command is not None for lens in resolved)
    return resolved


@pytest.mark.asyncio
async def test_each_test_has_a_lens_that_runs_it(editor):
    editor.write("spec/app_spec.lua", SPEC)
    await editor.initialize()
    editor.show("spec/app_spec.lua")
    found = await lenses(editor, "spec/app_spec.lua")
    assert {lens.command.command for lens in found} == {"tidelock.runTest"}
    told = [(lens.range.start.line, lens.command.arguments[0]) for lens in found]
    file = str(editor.folder / "spec/app_spec.lua")
    wanted = [(0, "the fruit"), (1, "ripens (at once)"), (2, "rots")]
    assert told == [(line, {"file": file, "name": name, "line": line}) for line, name in wanted]


@pytest.mark.asyncio
async def test_a_property_counts_its_bindings_and_leads_to_them(editor):
    editor.write("commands.lua", 'bind "fruit.name -> fruit.price"\nreturn {}\n')
    editor.write("app.lua", APP)
    await editor.initialize()
    editor.show("app.lua")
    found = [
        lens for lens in await lenses(editor, "app.lua")
        if lens.command.command == "tidelock.showReferences"
    ]
    titles = {editor.extract("app.lua", lens.range): lens.command.title for lens in found}
    assert titles == {"name": "3 bindings", "price": "1 binding"}
    [name] = [lens for lens in found if editor.extract("app.lua", lens.range) == "name"]
    uri, position, places = name.command.arguments
    assert uri == editor.uri("app.lua")
    assert position == {"line": name.range.start.line, "character": name.range.start.character}
    lines = {
        (editor.name(place["uri"]), place["range"]["start"]["line"] + 1) for place in places
    }
    assert lines == {("app.lua", 6), ("app.lua", 9), ("commands.lua", 1)}


@pytest.mark.asyncio
async def test_the_view_that_is_shown_can_be_previewed(editor):
    editor.write("commands.lua", "return {}\n")
    await editor.initialize()
    editor.show("app.lua", APP)
    [found] = [
        lens for lens in await lenses(editor, "app.lua") if lens.command.title == "Preview"
    ]
    assert found.range.start.line == 6
    assert found.command.command == "tidelock.preview"
    assert found.command.arguments[0]["uri"] == editor.uri("app.lua")
    editor.show("commands.lua")
    assert await lenses(editor, "commands.lua") == []


@pytest.mark.asyncio
async def test_lenses_follow_what_is_typed(editor):
    await editor.initialize()
    editor.show("app.lua", 'model "fruit" { name = "a" }\n')
    [lens] = await lenses(editor, "app.lua")
    assert lens.command.title == "0 bindings"
    editor.show("app.lua", '-- First.\nmodel "fruit" { name = "a" }\n'
                'local l = view.label { bindTo = { text = "fruit.name" } }\n')
    [lens] = await lenses(editor, "app.lua")
    assert (lens.range.start.line, lens.command.title) == (1, "1 binding")
