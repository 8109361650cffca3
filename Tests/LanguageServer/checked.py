"""What `tidelock check` says of a folder, as an editor would show it."""

import json
import subprocess

from lsprotocol import types


def check(program: str, folder):
    """The mistakes by file: the line from 0, the code and the message of each."""
    run = subprocess.run(
        [program, "check", "--json"], cwd=folder, capture_output=True, text=True, timeout=60
    )
    assert run.returncode in (0, 1, 2), f"check ended with {run.returncode}: {run.stderr}"
    found = {}
    for line in run.stdout.splitlines():
        problem = json.loads(line)
        name = problem["file"].removeprefix("./")
        # A mistake that is nowhere in the file stands at its beginning.
        place = max(problem.get("line", 1) - 1, 0)
        severity = {"error": 1, "warning": 2}[problem["severity"]]
        found.setdefault(name, []).append((place, severity, problem["code"], problem["message"]))
    return found


def told(diagnostics: list[types.Diagnostic]):
    """The same of what the server says of one file."""
    return [
        (item.range.start.line, int(item.severity), item.code, item.message)
        for item in diagnostics
    ]
