"""Diagnostics as an editor shows them."""

import json
import os
import subprocess

import pytest
from lsprotocol import types

from conftest import PROGRAM, span


@pytest.mark.asyncio
async def test_a_mistake_comes_and_goes_as_it_is_typed(editor):
    editor.write("app.lua", "print(1)")
    await editor.initialize()
    editor.open("app.lua", "print(x)\n")
    [found] = await editor.diagnostics("app.lua", 1)
    assert found.code == "E0601"
    assert found.source == "tidelock"
    assert found.severity == types.DiagnosticSeverity.Error
    assert span(found) == (0, 6, 0, 7)
    editor.change("app.lua", 2, ((0, 6, 0, 7), "1"))
    assert await editor.diagnostics("app.lua", 2) == []


@pytest.mark.asyncio
async def test_what_is_unused_is_faded(editor):
    await editor.initialize()
    editor.open("app.lua", "model 'lonely' { b = 1 }")
    [found] = await editor.diagnostics("app.lua", 1)
    assert tuple(found.tags) == (types.DiagnosticTag.Unnecessary,)
    assert found.severity == types.DiagnosticSeverity.Warning


@pytest.mark.parametrize("encodings, start", [(["utf-16"], 25), (["utf-8"], 28)])
@pytest.mark.asyncio
async def test_columns_count_the_units_agreed_on(editor, encodings, start):
    await editor.initialize(encodings=encodings)
    editor.open("app.lua", "local s = 'ä😀' print(s, x)\n")
    [found] = await editor.diagnostics("app.lua", 1)
    assert span(found) == (0, start, 0, start + 1)


@pytest.mark.asyncio
async def test_edits_beside_surrogate_pairs_keep_the_text(editor):
    await editor.initialize(encodings=["utf-16"])
    editor.open("app.lua", "print('😀😀', a)\r\nprint(b)")
    editor.change("app.lua", 2, ((0, 9, 0, 11), "ä"), ((1, 6, 1, 99), "c)"))
    found = await editor.diagnostics("app.lua", 2)
    assert [span(item) for item in found] == [(0, 13, 0, 14), (1, 6, 1, 7)]
    assert [item.message.split('"')[1] for item in found] == ["a", "c"]


@pytest.mark.asyncio
async def test_files_that_nobody_has_open_are_checked(editor):
    editor.write("lib/ä b.lua", "print(x)")
    await editor.initialize()
    assert len(await editor.diagnostics("lib/ä b.lua")) == 1


@pytest.mark.asyncio
async def test_an_unsaved_document_is_checked(editor):
    await editor.initialize()
    editor.open("untitled:Untitled-1", "print(x)")
    assert len(await editor.diagnostics("untitled:Untitled-1", 1)) == 1


@pytest.mark.asyncio
async def test_closing_shows_the_file_on_the_disk(editor):
    editor.write("app.lua", "print(1)")
    await editor.initialize()
    editor.open("app.lua", "print(x)")
    assert len(await editor.diagnostics("app.lua", 1)) == 1
    editor.close("app.lua")
    assert await editor.diagnostics("app.lua") == []


@pytest.mark.asyncio
async def test_an_editor_may_pull_diagnostics(editor):
    await editor.initialize("visual-studio-code")
    editor.open("app.lua", "print(x)")
    report = await editor.client.text_document_diagnostic_async(
        types.DocumentDiagnosticParams(types.TextDocumentIdentifier(editor.uri("app.lua")))
    )
    assert [span(item) for item in report.items] == [(0, 6, 0, 7)]


def examples():
    folder = os.path.join(os.path.dirname(__file__), "../../examples")
    return sorted(name for name in os.listdir(folder) if os.path.isdir(os.path.join(folder, name)))


@pytest.mark.parametrize("name", examples())
@pytest.mark.asyncio
async def test_it_reports_what_check_reports_for_the_examples(editor, name):
    folder = os.path.realpath(os.path.join(os.path.dirname(__file__), "../../examples", name))
    scripts = [
        os.path.relpath(os.path.join(above, file), folder)
        for above, _, files in os.walk(folder)
        for file in files
        if file.endswith(".lua") and "/." not in above
    ]
    if not scripts:
        pytest.skip("it has no scripts")
    # A mistake in each, so that there is something to report.
    for script in scripts:
        with open(os.path.join(folder, script)) as file:
            editor.write(script, file.read())
    planted = sorted(scripts)[0]
    text = (editor.folder / planted).read_text()
    editor.write(planted, "unheardOf()\n" + text)
    check = subprocess.run(
        [PROGRAM, "check", "--json"], cwd=editor.folder, capture_output=True, text=True
    )
    expected = [json.loads(line) for line in check.stdout.splitlines()]
    assert expected
    await editor.initialize()
    for file in sorted({problem["file"].removeprefix("./") for problem in expected}):
        told = [
            (problem["line"] - 1, problem["code"], problem["message"])
            for problem in expected
            if problem["file"].removeprefix("./") == file
        ]
        found = await editor.diagnostics(file)
        assert [(item.range.start.line, item.code, item.message) for item in found] == told
