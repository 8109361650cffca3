"""Debian's Chromium, driven by Playwright."""

import os
import shutil
from contextlib import contextmanager

from playwright.sync_api import sync_playwright


@contextmanager
def chromium(*arguments):
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=[*sandbox, *arguments])
        try:
            yield browser
        finally:
            browser.close()
