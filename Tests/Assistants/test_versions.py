"""Clients of all versions of the protocol."""

import json
import subprocess

import pytest
from conftest import PROGRAM, text
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("mode", ["auto", "legacy", *MODERN_PROTOCOL_VERSIONS])
async def test_a_client_finds_the_version_that_both_have(server, mode):
    async with server.client(mode=mode) as client:
        assert len((await client.list_tools()).tools) == 14
        result = await client.call_tool("act", {"verbs": ["select tasks 1"]})
        assert not result.is_error, text(result)
        assert any("HotReload" in str(r.uri) for r in (await client.list_resources()).resources)
        article = await client.read_resource("tidelock://reference")
        assert article.contents[0].text.startswith("# Reference")
        assert (await client.call_tool("get", {"path": "todo.frob"})).is_error


@pytest.mark.parametrize("version", [*HANDSHAKE_PROTOCOL_VERSIONS, "1999-01-01", ""])
def test_a_handshake_answers_with_a_version_of_handshakes(tmp_path, version):
    request = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": version,
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
    outcome = subprocess.run(
        [PROGRAM, "mcp"], input=json.dumps(request) + "\n", capture_output=True, text=True, cwd=tmp_path
    )
    answered = json.loads(outcome.stdout)["result"]["protocolVersion"]
    known = version in HANDSHAKE_PROTOCOL_VERSIONS
    assert answered == (version if known else HANDSHAKE_PROTOCOL_VERSIONS[-1])
