"""Every example of the repository: axe finds nothing, and a phone needs no scrolling sideways."""

from axe_playwright_python.sync_playwright import Axe

from stage import ROOT, scenario

WIDTHS = [360, 800, 1600]
SCHEMES = ["light", "dark"]


def example(folder):
    def play(stage):
        app = stage.serve(folder / "app.lua", "--no-watch")
        page = stage.open(app, width=1600, height=900)
        problems = []
        tabs = page.get_by_role("tab")
        for tab in range(max(1, tabs.count())):
            if tabs.count():
                tabs.nth(tab).click()
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 900})
                for scheme in SCHEMES:
                    page.emulate_media(color_scheme=scheme)
                    stage.settle(page)
                    where = f"{width} px, {scheme}, tab {tab + 1}: "
                    problems += [where + each for each in violations(page)]
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


for file in sorted((ROOT / "examples").glob("**/app.lua")):
    # Those of hosts need what their program gives them.
    if "hosts" not in file.parts and not (file.parent / "Sources").exists():
        scenario(example(file.parent), latencies=[0])
