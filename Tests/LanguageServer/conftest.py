"""The program as editors start it: one for each test, with a folder of its own."""

import asyncio
import os

import pytest
import pytest_lsp
from lsprotocol import types
from pygls.protocol import default_converter
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, register_lsp_features

PROGRAM = os.environ["TIDELOCK_PROGRAM"]

# Seconds after which a test no longer waits.
PATIENCE = 10


def publish(client: LanguageClient, params: types.PublishDiagnosticsParams):
    client.diagnostics[params.uri] = params.diagnostics
    client.published[params.uri] = params


def register(client: LanguageClient, params: types.RegistrationParams):
    client.registrations += params.registrations


def make_client():
    """pytest-lsp's client, which also keeps what its own leaves out."""
    client = LanguageClient(converter_factory=default_converter)
    client.published = {}
    client.registrations = []
    register_lsp_features(
        client,
        {
            **DEFAULT_CLIENT_FEATURES,
            types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS: publish,
            types.CLIENT_REGISTER_CAPABILITY: register,
        },
    )
    return client


@pytest_lsp.fixture(
    config=ClientServerConfig(server_command=[PROGRAM, "lsp"], client_factory=make_client)
)
async def client(lsp_client: LanguageClient):
    yield
    if lsp_client._server and lsp_client._server.returncode is None:
        await lsp_client.shutdown_session()


@pytest.fixture
def editor(client, tmp_path):
    return Editor(client, tmp_path)


class Editor:
    """What somebody does who has a folder open in an editor."""

    def __init__(self, client: LanguageClient, folder):
        self.client = client
        self.folder = folder

    async def initialize(self, name: str = "neovim", encodings=None):
        """Starts the session with the capabilities of an editor that pytest-lsp knows."""
        capabilities = client_capabilities(name)
        if encodings is not None:
            capabilities.general = capabilities.general or types.GeneralClientCapabilities()
            capabilities.general.position_encodings = encodings
        return await self.client.initialize_session(
            types.InitializeParams(
                capabilities=capabilities,
                workspace_folders=[types.WorkspaceFolder(uri=self.folder.as_uri(), name="app")],
            )
        )

    def uri(self, name: str) -> str:
        return name if ":" in name else (self.folder / name).as_uri()

    def write(self, name: str, text: str):
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def open(self, name: str, text: str, version: int = 1):
        self.client.text_document_did_open(
            types.DidOpenTextDocumentParams(
                types.TextDocumentItem(
                    uri=self.uri(name), language_id="lua", version=version, text=text
                )
            )
        )

    def change(self, name: str, version: int, *changes):
        """Each change is a text, or a range of four numbers and the text in its place."""
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(version=version, uri=self.uri(name)),
                [self._change(change) for change in changes],
            )
        )

    @staticmethod
    def _change(change):
        if isinstance(change, str):
            return types.TextDocumentContentChangeWholeDocument(text=change)
        (line, character, last_line, last_character), text = change
        return types.TextDocumentContentChangePartial(
            range=types.Range(
                types.Position(line, character), types.Position(last_line, last_character)
            ),
            text=text,
        )

    def close(self, name: str):
        self.client.text_document_did_close(
            types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(self.uri(name)))
        )

    async def diagnostics(self, name: str, version: int | None = None):
        """Those of a file that were published for a version; without one for the file on the disk."""

        async def arrived():
            while True:
                found = self.client.published.get(self.uri(name))
                if found is not None and found.version == version:
                    return list(found.diagnostics)
                await asyncio.sleep(0.005)

        return await asyncio.wait_for(arrived(), PATIENCE)


def span(diagnostic: types.Diagnostic):
    """Its range as four numbers."""
    start, end = diagnostic.range.start, diagnostic.range.end
    return (start.line, start.character, end.line, end.character)
