"""Each tool, by the protocol's own client."""

import base64
import json
import shutil

import anyio
import pytest
from mcp.shared.exceptions import MCPError

pytestmark = pytest.mark.anyio

LOOKING = {
    "tree", "capture", "get", "why", "errors", "reload_status", "check", "logs", "reference",
}  # fmt: skip


async def test_tools_have_schemas_and_say_which_of_them_only_look(server):
    async with server.session() as session:
        tools = (await session.list_tools()).tools
        for tool in tools:
            assert tool.description and tool.title
            assert tool.input_schema["type"] == "object"
            assert tool.input_schema["additionalProperties"] is False
            for argument in tool.input_schema["properties"].values():
                assert argument["type"] and argument["description"]
            assert tool.annotations.read_only_hint == (tool.name in LOOKING)
        assert {tool.name for tool in tools} - LOOKING == {
            "act", "set", "evaluate", "wait", "test",
        }  # fmt: skip


async def test_looking_alone_changes_nothing(server, call, fail):
    async with server.session("--read-only") as session:
        assert {tool.name for tool in (await session.list_tools()).tools} == LOOKING
        before = await call(session, "capture")
        for name, arguments in [
            ("tree", {}), ("get", {"path": "todo"}), ("why", {"path": "todo.draft"}),
            ("errors", {}), ("reload_status", {}), ("check", {}), ("logs", {}),
        ]:  # fmt: skip
            await call(session, name, **arguments)
        with pytest.raises(MCPError) as refused:
            await session.call_tool("act", {"verbs": ["tap add"]})
        assert "--read-only" in str(refused.value)
        assert await call(session, "capture") == before


async def test_what_is_asked_for_and_is_not_there_has_a_reason(server, fail):
    async with server.session() as session:
        assert 'did you mean "draft"?' in await fail(session, "act", verbs=["tap draf"])
        assert "did you mean" in await fail(session, "get", path="todo.draf")
        assert "needs" in await fail(session, "get")
        assert "expected" in await fail(session, "evaluate", code="x =")
        late = await fail(session, "wait", expression="#todo.tasks == 9 or todo.show > 5", timeout=0)
        assert "todo.show = 1" in late
        with pytest.raises(MCPError):
            await session.call_tool("frob", {})
        with pytest.raises(MCPError):
            await session.read_resource("file:///etc/passwd")


async def test_values_pictures_and_printed_lines(server, call):
    async with server.session() as session:
        assert await call(session, "set", path="todo.draft", value="'from ' .. 'here'") == '"from here"'
        assert await call(session, "evaluate", code="print 'seen' return #models.todo.tasks") == "6"
        assert "seen" in await call(session, "logs")
        assert await call(session, "logs") == "Nothing was printed."
        assert (await call(session, "capture", format="svg")).startswith("<svg")
        tasks = await call(session, "capture", id="tasks")
        assert "Paint the boat" in tasks and "Add" not in tasks


@pytest.mark.skipif(
    not any(shutil.which(name) for name in ["rsvg-convert", "inkscape", "magick"]),
    reason="no program makes PNG here",
)
async def test_a_picture_is_an_image(server):
    async with server.session() as session:
        result = await session.call_tool("capture", {"format": "png"})
        assert not result.is_error, result
        assert result.content[0].mime_type == "image/png"
        assert base64.b64decode(result.content[0].data).startswith(b"\x89PNG")


async def test_long_answers_have_pages(server, call):
    async with server.session() as session:
        code = "('é'):rep(50000)"
        first = await call(session, "evaluate", code=code)
        assert first.endswith("(page 1 of 4)") and len(first.encode()) < 33_000
        pages = [await call(session, "evaluate", code=code, page=page) for page in range(1, 5)]
        whole = "".join(page.rsplit("\n", 1)[0] for page in pages)
        assert whole == '"' + "é" * 50_000 + '"'


async def test_a_wait_reports_progress_and_can_be_cancelled(server, call):
    async with server.session() as session:
        seen = []

        async def progress(done, total, message):
            seen.append(done)

        with anyio.move_on_after(2.5):
            await session.call_tool(
                "wait",
                {"expression": "todo.draft == 'never'", "timeout": 1000},
                progress_callback=progress,
            )
        assert seen == sorted(seen) and len(seen) >= 1
        # The server is free again at once.
        with anyio.fail_after(10):
            assert await call(session, "get", path="todo.draft") == '""'


async def test_running_the_tests_reports_progress(server):
    spec = server.folder / "spec" / "slow_spec.lua"
    spec.write_text(
        "it('is slow', function() local stop = os.clock() + 2.5 while os.clock() < stop do end end)"
    )
    async with server.session() as session:
        seen = []

        async def progress(done, total, message):
            seen.append(done)

        result = await session.call_tool("test", {"filter": "is slow"}, progress_callback=progress)
        assert not result.is_error and len(seen) >= 1


async def test_a_script_reaches_no_more_than_at_the_prompt(server, fail):
    async with server.session() as session:
        for code in ["io.open('/etc/passwd')", "os.execute('ls')", "require 'mcp'"]:
            await fail(session, "evaluate", code=code)
