"""An editor shows what `tidelock check` reports, whatever is typed.

TIDELOCK_EDITS is how often each example is compared (4), TIDELOCK_SEED the seed of the edits.
"""

import os
import random
import shutil
from pathlib import Path

import carets
import checked
import pytest
from conftest import PROGRAM
from random_edits import RandomEdits

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
ROUNDS = int(os.environ.get("TIDELOCK_EDITS", "4"))
SEED = int(os.environ.get("TIDELOCK_SEED", random.randrange(2**32)))


def scripts(folder: Path):
    return sorted(
        str(file.relative_to(folder)) for file in folder.rglob("*.lua")
        if not any(part.startswith(".") for part in file.relative_to(folder).parts)
    )


def examples():
    return sorted(folder.name for folder in EXAMPLES.iterdir() if folder.is_dir()
                  and scripts(folder))


def read(folder: Path, name: str):
    # As bytes, because reading a text file would change its line ends.
    return (folder / name).read_bytes().decode()


async def compare(editor, copy: Path, originals, steps):
    """Compares the diagnostics of each script with a check of a folder with the same texts."""
    for name in originals:
        (copy / name).write_bytes(editor.text(name).encode())
    wanted = checked.check(PROGRAM, copy)
    for name in originals:
        found = checked.told(await editor.ask_for_diagnostics(name))
        assert found == wanted.get(name, []), f"{name}, seed {SEED}, after {steps}"


@pytest.mark.parametrize("example", examples())
@pytest.mark.asyncio
async def test_random_edits_are_judged_alike(editor, tmp_path_factory, example):
    print(f"TIDELOCK_SEED={SEED}")
    generator = random.Random(f"{SEED} {example}")
    copy = tmp_path_factory.mktemp("copy") / "app"
    shutil.copytree(EXAMPLES / example, copy)
    shutil.copytree(EXAMPLES / example, editor.folder, dirs_exist_ok=True)
    originals = {name: read(copy, name) for name in scripts(copy)}
    edits = RandomEdits(generator, originals.values())
    await editor.initialize(
        "visual-studio-code", encodings=[generator.choice(["utf-8", "utf-16"])])
    steps = []
    await compare(editor, copy, originals, steps)
    for _ in range(ROUNDS):
        for _ in range(generator.randrange(1, 4)):
            name = generator.choice(list(originals))
            edit(editor, generator, edits, name, originals[name], steps)
        await compare(editor, copy, originals, steps)


def edit(editor, generator, edits, name, original, steps):
    """Does one thing with a script, as somebody in an editor would."""
    if name not in editor.texts:
        if generator.random() < 0.3:
            return edit_elsewhere(editor, edits, name, steps)
        editor.open(name, read(editor.folder, name))
    match generator.choices(["type", "restore", "save", "close"], weights=[8, 3, 2, 1])[0]:
        case "type":
            text = editor.text(name)
            start, end, words = edits.change(text)
            steps.append((name, start, end, words))
            type_over(editor, name, start, end, words)
        case "restore":
            steps.append((name, "restored"))
            editor.show(name, original)
        case "save":
            steps.append((name, "saved"))
            save(editor, name)
        case "close":
            steps.append((name, "closed"))
            save(editor, name)
            editor.close(name)


def edit_elsewhere(editor, edits, name, steps):
    """Another program writes a file that is not open."""
    text = read(editor.folder, name)
    start, end, words = edits.change(text)
    steps.append((name, start, end, words, "on the disk"))
    (editor.folder / name).write_bytes((text[:start] + words + text[end:]).encode())
    editor.tell_of_change(name)


def type_over(editor, name, start, end, words):
    text = editor.text(name)
    first = carets.position(text, start, editor.encoding)
    last = carets.position(text, end, editor.encoding)
    editor.texts[name] = text[:start] + words + text[end:]
    editor.versions[name] += 1
    place = (first.line, first.character, last.line, last.character)
    editor.change(name, editor.versions[name], (place, words))


def save(editor, name):
    (editor.folder / name).write_bytes(editor.text(name).encode())
    editor.saved(name)
