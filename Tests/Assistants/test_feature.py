"""An assistant builds a small feature into a copy of an example: it looks, acts and checks with tools
alone, and saves the script as the editor does that it is part of."""

import json

import pytest

pytestmark = pytest.mark.anyio

COUNT = """    view.label { id = "count","""
LONGEST = """    view.label { id = "longest", text = function()
      local longest
      for _, task in ipairs(todo.tasks) do
        if not task.done and (not longest or task.minutes > longest.minutes) then longest = task end
      end
      return longest and "longest: " .. longest.title or ""
    end },
"""


async def test_a_label_with_the_longest_task(server, call, fail):
    async with server.session(start="run app.lua --watch") as session:
        # What is there?
        scripts = [
            resource
            for resource in (await session.list_resources()).resources
            if str(resource.uri).endswith("/app.lua")
        ]
        script = (await session.read_resource(scripts[0].uri)).contents[0].text
        tree = json.loads(await call(session, "tree"))
        assert "count" in json.dumps(tree)
        assert (await call(session, "reference", query="view.label")).startswith("view.label")
        hot = await session.read_resource("tidelock://articles/HotReload")
        assert "save" in hot.contents[0].text

        # A first try has a mistake: the file is refused, and the app goes on.
        file = server.folder / "app.lua"
        assert script == file.read_text() and COUNT in script
        broken = LONGEST.replace("todo.tasks", "tood.tasks")
        file.write_text(script.replace(COUNT, broken + COUNT))
        found = await call(session, "check")
        assert "tood" in found and "todo" in found and "app.lua" in found

        # The second one is right, and its view is there once it is.
        file.write_text(script.replace(COUNT, LONGEST + COUNT))
        await call(
            session,
            "wait",
            expression="views.longest and views.longest.text == 'longest: Paint the boat'",
            timeout=20,
        )
        status = json.loads(await call(session, "reload_status"))
        assert "reloaded" in status["lastReload"], status
        assert status["reloadedBy"] == "a save or a key"
        assert await call(session, "errors") == "There are no errors."
        assert "longest: Paint the boat" in await call(session, "capture")

        # It follows what a person does.
        done = await call(session, "act", verbs=["select tasks 6", "keys Space"])
        assert done.splitlines() == ["select tasks 6: done", "keys Space: done"]
        assert await call(session, "get", path="longest.text") == '"longest: Answer Ada\'s letter"'
        assert "(drive)" in await call(session, "why", path="longest.text")
        await call(session, "act", verbs=['type draft "Sail home 300"', "tap add"])
        await call(session, "wait", expression="views.longest.text == 'longest: Sail home'")
        assert "Nothing was found." == await call(session, "check")

        # And its test passes, after one that fails.
        spec = server.folder / "spec" / "longest_spec.lua"
        spec.write_text(
            "it('names the longest task', function() ui.mount 'app.lua'\n"
            "  assert.equal('longest: Wind the clock', views.longest.text) end)\n"
        )
        assert "Wind the clock" in await fail(session, "test", filter="names the longest")
        spec.write_text(spec.read_text().replace("Wind the clock", "Paint the boat"))
        assert "1 success" in await call(session, "test", filter="names the longest")
