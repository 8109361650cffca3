"""How a session begins and ends."""

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException


@pytest.mark.parametrize("name", ["neovim", "visual-studio-code", "emacs"])
@pytest.mark.asyncio
async def test_every_editor_can_start_it(editor, name):
    result = await editor.initialize(name)
    assert result.server_info.name == "tidelock"
    sync = result.capabilities.text_document_sync
    assert sync.open_close
    assert sync.change == types.TextDocumentSyncKind.Incremental


@pytest.mark.parametrize(
    "offered, chosen",
    [([], "utf-16"), (["utf-32", "utf-16"], "utf-16"), (["utf-16", "utf-8"], "utf-8")],
)
@pytest.mark.asyncio
async def test_bytes_are_chosen_where_they_are_offered(editor, offered, chosen):
    result = await editor.initialize("emacs", offered)
    assert result.capabilities.position_encoding == chosen


@pytest.mark.asyncio
async def test_it_asks_for_changes_of_lua_files(editor):
    await editor.initialize("visual-studio-code")
    editor.open("app.lua", "print(1)")
    await editor.diagnostics("app.lua", 1)
    [registration] = editor.client.registrations
    assert registration.method == types.WORKSPACE_DID_CHANGE_WATCHED_FILES


@pytest.mark.asyncio
async def test_shutdown_and_exit_end_it_with_0(editor):
    await editor.initialize()
    server = editor.client._server
    await editor.client.shutdown_session()
    assert server.returncode == 0


@pytest.mark.asyncio
async def test_after_shutdown_requests_are_refused(editor):
    await editor.initialize()
    await editor.client.shutdown_async(None)
    with pytest.raises(JsonRpcException) as raised:
        await editor.client.shutdown_async(None)
    assert raised.value.code == -32600
    editor.client.exit(None)
    assert await editor.client._server.wait() == 0


@pytest.mark.asyncio
async def test_exit_alone_ends_it_with_1(editor):
    await editor.initialize()
    editor.client.exit(None)
    assert await editor.client._server.wait() == 1
