"""What `tidelock check` reports for a folder, in the form of an editor's diagnostics."""

import json
import subprocess

from lsprotocol import types


def check(program: str, folder):
    """The problems by file: the line, counted from 0, the severity, the code and the message."""
    run = subprocess.run(
        [program, "check", "--json"], cwd=folder, capture_output=True, text=True, timeout=60
    )
    assert run.returncode in (0, 1, 2), f"check ended with {run.returncode}: {run.stderr}"
    found = {}
    for line in run.stdout.splitlines():
        problem = json.loads(line)
        name = problem["file"].removeprefix("./")
        # A problem without a line is shown at the beginning of its file.
        place = max(problem.get("line", 1) - 1, 0)
        severity = {"error": 1, "warning": 2}[problem["severity"]]
        found.setdefault(name, []).append((place, severity, problem["code"], problem["message"]))
    return found


def told(diagnostics: list[types.Diagnostic]):
    """The same for the diagnostics that the server reports for one file."""
    return [
        (item.range.start.line, int(item.severity), item.code, item.message)
        for item in diagnostics
    ]
