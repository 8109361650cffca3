"""Every example of the repository: axe finds nothing, fingers can hit all controls of a phone, and it needs
no scrolling sideways."""

from axe_playwright_python.sync_playwright import Axe

from stage import ROOT, scenario

WIDTHS = [360, 800, 1600]
PHONE = {"is_mobile": True, "has_touch": True}
SCHEMES = ["light", "dark"]
# Controls of less than 24 pixels, but for the day's field that nobody sees. A label is hit as its box is.
SMALL = """() => [...document.querySelectorAll("button, input:not(.tide-date), select, textarea, .tide-grip")]
  .filter((each) => each.checkVisibility())
  .map((each) => [each.outerHTML.slice(0, 120), (each.closest("label") ?? each).getBoundingClientRect()])
  .filter(([, { width, height }]) => Math.min(width, height) < 23.9)
  .map(([html, { width, height }]) => `${html} ${width} by ${height}`)"""
# Those that need no program of their own.
FOLDERS = [file.parent for file in sorted((ROOT / "examples").glob("**/app.lua"))
           if "hosts" not in file.parts and not (file.parent / "Sources").exists()]


def example(folder):
    def play(stage):
        app = stage.serve(folder / "app.lua", "--no-watch")
        desk, phone = stage.open(app, height=900), stage.open(app, width=WIDTHS[0], height=900, **PHONE)
        problems = []
        for tab in range(max(1, desk.get_by_role("tab").count())):
            for width in WIDTHS:
                page = phone if width == WIDTHS[0] else desk
                if page.get_by_role("tab").count():
                    page.get_by_role("tab").nth(tab).click()
                page.set_viewport_size({"width": width, "height": 900})
                for scheme in SCHEMES:
                    page.emulate_media(color_scheme=scheme)
                    stage.settle(page)
                    where = f"{width} px, {scheme}, tab {tab + 1}: "
                    problems += [where + each for each in violations(page)]
                if page is phone:
                    problems += [f"tab {tab + 1}: too small for a finger: {each}" for each in page.evaluate(SMALL)]
                extent = page.evaluate("document.documentElement.scrollWidth")
                if extent > width:
                    problems.append(f"{width} px, tab {tab + 1}: it is {extent} px wide")
        assert not problems, "\n    ".join(problems)
    play.__name__ = "example_" + "_".join(folder.relative_to(ROOT / "examples").parts)
    return play


def violations(page):
    for found in Axe().run(page).response["violations"]:
        for node in found["nodes"][:2]:
            yield f"{found['id']}: {node['html'][:160]} {' '.join(node['failureSummary'].split())[:200]}"


for folder in FOLDERS:
    scenario(example(folder), latencies=[0])
