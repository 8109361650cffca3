"""Starts the program as editors do: once for each test, with a folder of its own."""

import asyncio
import copy
import functools
import os

import pytest
import pytest_lsp
from lsprotocol import types
from pygls import uris
from pygls.protocol import default_converter
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, register_lsp_features

import carets

PROGRAM = os.environ["TIDELOCK_PROGRAM"]

# How long a test waits, in seconds.
PATIENCE = 10


def publish(client: LanguageClient, params: types.PublishDiagnosticsParams):
    client.diagnostics[params.uri] = params.diagnostics
    client.published[params.uri] = params


def register(client: LanguageClient, params: types.RegistrationParams):
    client.registrations += params.registrations


# Making these takes longer than starting the server.
converter = functools.cache(default_converter)
capabilities_of = functools.cache(client_capabilities)


def make_client():
    """pytest-lsp's client, which also keeps versions of diagnostics and registrations."""
    client = LanguageClient(converter_factory=converter)
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
    """Acts as somebody who has a folder open in an editor."""

    def __init__(self, client: LanguageClient, folder):
        self.client = client
        self.folder = folder
        # The texts of open documents, by name.
        self.texts = {}
        self.versions = {}
        self.encoding = "utf-16"

    async def initialize(self, name: str = "neovim", encodings=None, takes_versions=False):
        """Starts the session with the capabilities of an editor that pytest-lsp knows."""
        capabilities = copy.deepcopy(capabilities_of(name))
        if takes_versions:
            capabilities.workspace.workspace_edit.document_changes = True
        if encodings is not None:
            capabilities.general = capabilities.general or types.GeneralClientCapabilities()
            capabilities.general.position_encodings = encodings
        result = await self.client.initialize_session(
            types.InitializeParams(
                capabilities=capabilities,
                workspace_folders=[types.WorkspaceFolder(uri=self.folder.as_uri(), name="app")],
            )
        )
        self.encoding = result.capabilities.position_encoding or "utf-16"
        return result

    def uri(self, name: str) -> str:
        return name if ":" in name else (self.folder / name).as_uri()

    def write(self, name: str, text: str):
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def open(self, name: str, text: str, version: int = 1):
        self.texts[name], self.versions[name] = text, version
        self.client.text_document_did_open(
            types.DidOpenTextDocumentParams(
                types.TextDocumentItem(
                    uri=self.uri(name), language_id="lua", version=version, text=text
                )
            )
        )

    def change(self, name: str, version: int, *changes):
        """Each change is a whole text, or a range of four numbers and its new text."""
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

    def show(self, name: str, text: str | None = None):
        """Opens a file, or replaces its whole text if it is open."""
        text = self.text(name) if text is None else text
        if name not in self.texts:
            return self.open(name, text)
        self.versions[name] += 1
        self.texts[name] = text
        self.change(name, self.versions[name], text)

    def text(self, name: str) -> str:
        """The text of a file as the editor shows it."""
        return self.texts[name] if name in self.texts else (
            (self.folder / name).read_bytes().decode())

    def put_caret(self, name: str, marked: str) -> types.Position:
        """Shows a text, and returns the position of its caret."""
        text, offset = carets.uncaret(marked)
        self.show(name, text)
        return carets.position(text, offset, self.encoding)

    def find(self, name: str, words: str, into: int = 0, nth: int = 0) -> types.Position:
        """The position of words in a file, or of a character within them."""
        text, offset = self.text(name), -1
        for _ in range(nth + 1):
            offset = text.index(words, offset + 1)
        return carets.position(text, offset + into, self.encoding)

    def at(self, name: str, position: types.Position):
        """The document and position that most requests take, as keyword arguments."""
        return {
            "text_document": types.TextDocumentIdentifier(self.uri(name)), "position": position
        }

    def name(self, uri: str) -> str:
        """The name of the file with a URI."""
        return uris.to_fs_path(uri).removeprefix(f"{self.folder}/")

    def extract(self, name: str, range: types.Range) -> str:
        return carets.extract(self.text(name), range, self.encoding)

    def places(self, locations):
        """Locations as file names, lines counted from 1, and the text there."""
        found = []
        for location in locations:
            name = self.name(location.uri)
            words = self.extract(name, location.range)
            found.append((name, location.range.start.line + 1, words))
        return sorted(found)

    def apply(self, edit: types.WorkspaceEdit):
        """Applies an edit from the server: to open documents by typing, to others on the disk."""
        if edit.document_changes is not None:
            changes = {item.text_document.uri: item.edits for item in edit.document_changes}
        else:
            changes = edit.changes
        for uri, edits in changes.items():
            name = self.name(uri)
            text = carets.replaced(self.text(name), edits, self.encoding)
            if name in self.texts:
                self.show(name, text)
            else:
                self.write(name, text)
                self.tell_of_change(name)
        return sorted(self.name(uri) for uri in changes)

    def saved(self, name: str):
        """Notifies the server that an open document has been saved."""
        self.client.text_document_did_save(
            types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(self.uri(name)))
        )

    def tell_of_change(self, *names: str, type=types.FileChangeType.Changed):
        """Notifies the server that files on the disk have changed."""
        self.client.workspace_did_change_watched_files(
            types.DidChangeWatchedFilesParams(
                [types.FileEvent(uri=self.uri(name), type=type) for name in names]
            )
        )

    async def ask_for_diagnostics(self, name: str):
        """Pulls the diagnostics of a file, instead of waiting until they are published."""
        report = await self.client.text_document_diagnostic_async(
            types.DocumentDiagnosticParams(types.TextDocumentIdentifier(self.uri(name)))
        )
        return list(report.items)

    def close(self, name: str):
        self.texts.pop(name, None)
        self.client.text_document_did_close(
            types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(self.uri(name)))
        )

    async def diagnostics(self, name: str, version: int | None = None):
        """The diagnostics published for a version of a file, or for the file on the disk."""

        async def arrived():
            while True:
                found = self.client.published.get(self.uri(name))
                if found is not None and found.version == version:
                    return list(found.diagnostics)
                await asyncio.sleep(0.005)

        return await asyncio.wait_for(arrived(), PATIENCE)


def span(diagnostic: types.Diagnostic):
    """The range of a diagnostic as four numbers."""
    start, end = diagnostic.range.start, diagnostic.range.end
    return (start.line, start.character, end.line, end.character)
