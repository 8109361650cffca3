"""Pictures of the examples as pages; `scripts/pictures --pages` is how to draw them.

Each example is drawn at the widths and in the schemes of the audit, every tab of it, into a folder where
index.html shows them side by side; and small, once, as page.png beside the example, for README.
"""

import argparse
import io
import shutil
import tempfile
from pathlib import Path

from PIL import Image, ImageChops

from examples import FOLDERS, PHONE, SCHEMES, WIDTHS
from stage import ROOT, Browser, Stage

EXAMPLES = ROOT / "examples"
STILL = Path(__file__).with_name("still.lua")
HEIGHTS = {360: 720, 800: 600, 1600: 900}
# Pages that scroll are drawn in full, up to this.
MOST = 3000

# The picture that is kept, of a tutorial that of its last step: its size, which tab it shows, and which
# row is chosen in it.
SIZES = {"fruit": (360, 200), "converter": (800, 460), "tutorial": (640, 300)}
SIZE = (800, 480)
TABS = {"gallery": 1}
CHOSEN = {"feed": 2, "people": 2, "services": 3, "tutorial": 1}
COLORS = 256


def name_of(folder):
    return "-".join(folder.relative_to(EXAMPLES).parts)


class Still:
    """An example that stands still, and the pages that show it."""

    def __init__(self, browser, folder):
        self.name = name_of(folder)
        self.kind = folder.relative_to(EXAMPLES).parts[0]
        self.files = tempfile.TemporaryDirectory(prefix="tidelock-")
        copy = Path(self.files.name) / "app"
        shutil.copytree(folder, copy)
        (copy / "app.lua").rename(copy / "example.lua")
        shutil.copy(STILL, copy / "app.lua")
        # The tutorial's steps read what lies beside them.
        options = ["--allow", f"read={copy}", "--", copy] if self.kind == "tutorial" else []
        self.stage = Stage(browser, latency=0)
        self.app = self.stage.serve(copy / "app.lua", "--no-watch", *options)
        self.page = self.stage.open(self.app)
        # What comes by and by, as the first page of a feed does.
        self.page.wait_for_timeout(500)
        row = CHOSEN.get(self.kind)
        if row is not None:
            self.page.locator(".tide-rows .tide-cell").nth(row).click()

    def close(self):
        self.stage.close()
        self.files.cleanup()
        assert not self.stage.faults, f"{self.name}: {self.stage.faults}"

    def draw(self, page, size, scheme, tab):
        """A picture of a tab, as PNG; the page is as high as its content if that is more."""
        width, height = size
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        tabs = page.get_by_role("tab")
        if tabs.count():
            tabs.nth(tab).click()
        page.mouse.move(0, 0)
        extent = 0
        while extent < height:
            extent = height
            page.set_viewport_size({"width": width, "height": height})
            # What a first layout asks for comes with a second.
            for _ in range(2):
                self.stage.settle(page)
                page.wait_for_timeout(100)
            height = min(page.evaluate("document.querySelector('#tide').scrollHeight"), MOST)
        return page.screenshot(animations="disabled", caret="hide")

    def draw_all(self, folder):
        """Draws it for those who look."""
        phone = self.stage.open(self.app, width=WIDTHS[0], **PHONE)
        for tab in range(max(1, self.page.get_by_role("tab").count())):
            for width in WIDTHS:
                for scheme in SCHEMES:
                    page = phone if width == WIDTHS[0] else self.page
                    picture = self.draw(page, (width, HEIGHTS[width]), scheme, tab)
                    (folder / f"{self.name}-{tab + 1}-{width}-{scheme}.png").write_bytes(picture)

    def keep(self):
        """Draws the picture beside the example, in a palette, which takes half the space; one that looks the
        same stays, as palettes differ a little from one time to the next."""
        file = EXAMPLES / self.kind / "page.png"
        picture = self.draw(self.page, SIZES.get(self.kind, SIZE), "light", TABS.get(self.kind, 0))
        image = Image.open(io.BytesIO(picture)).convert("RGB")
        if file.exists():
            difference = ImageChops.difference(Image.open(file).convert("RGB").resize(image.size), image)
            if max(most for _, most in difference.getextrema()) < 8:
                return
        image = image.quantize(COLORS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
        image.save(file, optimize=True)


def main():
    parser = argparse.ArgumentParser(prog="scripts/pictures --pages")
    parser.add_argument("names", nargs="*", metavar="EXAMPLE", help="all by default; part of a name will do")
    parser.add_argument("--output", type=Path, default=ROOT / ".build/pages", metavar="FOLDER",
                        help="where those to look at are put (.build/pages)")
    parser.add_argument("--kept", action="store_true", help="draw only the pictures beside the examples")
    options = parser.parse_args()

    folders = [each for each in FOLDERS
               if not options.names or any(name in name_of(each) for name in options.names)]
    if not folders:
        parser.error("there is no such example")
    options.output.mkdir(parents=True, exist_ok=True)
    browser = Browser().chromium
    last = {folder.relative_to(EXAMPLES).parts[0]: folder for folder in FOLDERS}
    for folder in folders:
        still = Still(browser, folder)
        if folder in last.values():
            still.keep()
        if not options.kept:
            still.draw_all(options.output)
        still.close()
    files = sorted(file.name for file in options.output.glob("*.png"))
    figures = "".join(f'<figure><img src="{name}"><figcaption>{name}</figcaption></figure>' for name in files)
    index = options.output / "index.html"
    index.write_text(
        "<!doctype html><title>Examples as pages</title><style>body { display: flex; flex-wrap: wrap } "
        f"img {{ max-width: 800px }}</style>{figures}")
    print(index)


if __name__ == "__main__":
    main()
