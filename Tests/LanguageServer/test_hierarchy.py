"""The call hierarchy."""

import pytest
from lsprotocol import types

APP = {
    "app.lua": """local commands = require("commands")

local function ripen_all()
  commands.ripen(1)
  commands.ripen(2)
end

ripen_all()
return view.button { on = { touchUpInside = function() commands.ripen(3) end } }
""",
    "commands.lua": """local commands = {}

local function check(amount)
  return amount > 0
end

-- Makes the fruit ripe.
function commands.ripen(amount)
  if check(amount) then commands.tell(amount) end
end

commands.tell = function(amount)
  print(amount)
end

return commands
""",
    "spec/app_spec.lua": """local commands = require("commands")

describe("ripening", function()
  it("takes an amount", function()
    commands.ripen(1)
  end)
end)
""",
}


@pytest.fixture
def app(editor):
    for name, text in APP.items():
        editor.write(name, text)
    return editor


async def prepare(editor, name, words, into):
    editor.show(name)
    return await editor.client.text_document_prepare_call_hierarchy_async(
        types.CallHierarchyPrepareParams(**editor.at(name, editor.find(name, words, into)))
    )


def called(editor, calls, of, item):
    """Functions with their files, and the lines of their calls."""
    found = []
    for call in calls:
        function = call.from_ if of == "from" else call.to
        # The ranges are in the caller's file.
        file = editor.name(function.uri if of == "from" else item.uri)
        for place in call.from_ranges:
            assert editor.extract(file, place) in (function.name.split(".")[-1],
                                                   item.name.split(".")[-1])
        lines = [place.start.line + 1 for place in call.from_ranges]
        found.append((editor.name(function.uri), function.name, lines))
    return sorted(found)


async def incoming(editor, item):
    calls = await editor.client.call_hierarchy_incoming_calls_async(
        types.CallHierarchyIncomingCallsParams(item))
    return called(editor, calls, "from", item)


async def outgoing(editor, item):
    calls = await editor.client.call_hierarchy_outgoing_calls_async(
        types.CallHierarchyOutgoingCallsParams(item))
    return called(editor, calls, "to", item)


@pytest.mark.parametrize("name, words", [
    ("app.lua", "ripen(1)"), ("commands.lua", "ripen"), ("spec/app_spec.lua", "ripen(1)"),
])
@pytest.mark.asyncio
async def test_a_call_leads_to_the_function(app, name, words):
    await app.initialize()
    [item] = await prepare(app, name, words, 1)
    assert (item.name, app.name(item.uri)) == ("commands.ripen", "commands.lua")
    assert item.kind == types.SymbolKind.Function
    assert app.extract("commands.lua", item.selection_range) in ("ripen", "commands.ripen")
    assert app.extract("commands.lua", item.range).endswith("end")


@pytest.mark.asyncio
async def test_callers_are_found_in_all_files(app):
    await app.initialize()
    [item] = await prepare(app, "commands.lua", "ripen", 1)
    assert await incoming(app, item) == [
        ("app.lua", "app.lua", [9]), ("app.lua", "ripen_all", [4, 5]),
        ("spec/app_spec.lua", "app_spec.lua", [5]),
    ]


@pytest.mark.asyncio
async def test_callees_are_found_with_their_files(app):
    await app.initialize()
    [item] = await prepare(app, "commands.lua", "ripen", 1)
    assert await outgoing(app, item) == [
        ("commands.lua", "check", [9]), ("commands.lua", "commands.tell", [9]),
    ]
    [item] = await prepare(app, "app.lua", "ripen_all", 1)
    assert await outgoing(app, item) == [("commands.lua", "commands.ripen", [4, 5])]


@pytest.mark.asyncio
async def test_a_caller_that_was_found_can_be_asked_about(app):
    await app.initialize()
    [item] = await prepare(app, "commands.lua", "check", 1)
    calls = await app.client.call_hierarchy_incoming_calls_async(
        types.CallHierarchyIncomingCallsParams(item))
    [caller] = [call.from_ for call in calls]
    assert caller.name == "commands.ripen"
    assert ("app.lua", "ripen_all", [4, 5]) in await incoming(app, caller)


@pytest.mark.asyncio
async def test_a_name_that_is_not_a_function_has_no_calls(app):
    await app.initialize()
    for words in ["amount)", "return commands"]:
        assert not await prepare(app, "commands.lua", words, 1)
    assert not await prepare(app, "app.lua", "view.button", 6)


@pytest.mark.asyncio
async def test_calls_that_are_typed_count_at_once(app):
    await app.initialize()
    [item] = await prepare(app, "commands.lua", "check", 1)
    app.show("commands.lua", APP["commands.lua"].replace("print(amount)", "print(check(amount))"))
    found = await incoming(app, item)
    assert ("commands.lua", "commands.tell", [13]) in found
