"""Starts `tidelock mcp` as editors do, with the protocol's own client, and checks each message."""

import json
import os
import pathlib
import shutil
import sys
from contextlib import asynccontextmanager

import pytest
from mcp.client.client import Client
from mcp.client.session import ClientSession
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import jsonrpc, methods

PROGRAM = os.environ["TIDELOCK_PROGRAM"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORDER = pathlib.Path(__file__).with_name("recorder.py")
STATELESS = "io.modelcontextprotocol/protocolVersion"

# How long a test waits, in seconds.
PATIENCE = 30


@pytest.fixture
def anyio_backend():
    return "asyncio"


def check(record: pathlib.Path):
    """Each message follows the schema of the version that both sides have agreed on."""
    version = "2025-11-25"
    requests = {}
    count = 0
    for line in record.read_bytes().splitlines():
        message = json.loads(line[1:])
        jsonrpc.jsonrpc_message_adapter.validate_python(message)
        count += 1
        params = message.get("params")
        if line[:1] == b">":
            if "id" in message and "method" in message:
                named = ((params or {}).get("_meta") or {}).get(STATELESS)
                requests[message["id"]] = (message["method"], named)
            continue
        if "method" in message:
            assert "id" not in message, "the server asks nothing"
            methods.parse_server_notification(message["method"], version, params)
            continue
        method, named = requests.get(message["id"], (None, None))
        if "error" in message:
            assert isinstance(message["error"]["code"], int) and message["error"]["message"]
            continue
        if method == "initialize":
            version = message["result"]["protocolVersion"]
        methods.validate_server_result(method, named or version, message["result"])
    return count


class Server:
    """The folder of an app, and the ways to begin a conversation about it."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        self.record = folder.parent / "messages"

    def parameters(self, *arguments: str) -> StdioServerParameters:
        home = str(self.folder.parent)
        return StdioServerParameters(
            command=sys.executable,
            args=[str(RECORDER), str(self.record), PROGRAM, "mcp", *arguments],
            cwd=self.folder,
            env={
                "HOME": home,
                "XDG_RUNTIME_DIR": home,
                "XDG_CONFIG_HOME": home + "/config",
                "XDG_STATE_HOME": home + "/state",
                "XDG_DATA_HOME": home + "/data",
            },
        )

    @asynccontextmanager
    async def session(self, *arguments: str, start: str = "run app.lua", **callbacks):
        """A session of the versions that begin with `initialize`."""
        options = ["--start", start] if start else []
        async with stdio_client(self.parameters(*options, *arguments)) as (read, write):
            async with ClientSession(
                read, write, read_timeout_seconds=PATIENCE, **callbacks
            ) as session:
                await session.initialize()
                yield session

    def client(self, *arguments: str, mode="auto", start: str = "run app.lua") -> Client:
        """A client that finds out which versions the server has."""
        return Client(stdio_client(self.parameters("--start", start, *arguments)), mode=mode)


@pytest.fixture
def server(tmp_path, request):
    """With a copy of an example; each message is checked at the end."""
    name = getattr(request, "param", "todo")
    folder = tmp_path / name
    shutil.copytree(ROOT / "examples" / name, folder)
    os.chmod(tmp_path, 0o700)
    server = Server(folder)
    yield server
    assert check(server.record) > 2


def text(result) -> str:
    return "\n".join(content.text for content in result.content)


@pytest.fixture
def call():
    """Calls a tool that succeeds. Gives the text of its answer."""

    async def call(session, tool, **arguments):
        result = await session.call_tool(tool, arguments)
        assert not result.is_error, text(result)
        return text(result)

    return call


@pytest.fixture
def fail():
    """Calls a tool that fails. Gives the reason."""

    async def fail(session, tool, **arguments):
        result = await session.call_tool(tool, arguments)
        assert result.is_error, text(result)
        return text(result)

    return fail
