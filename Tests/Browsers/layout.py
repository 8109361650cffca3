"""Where views stand: a page gives each about as many cells as a terminal does."""

from stage import scenario

# Cells by which borders and buttons of a page may differ.
TOLERANCE = 2


def across(page):
    """How many cells each named view has across, and what it is."""
    return page.evaluate("""() => Object.fromEntries(
      [...document.querySelectorAll(".tide-any[title]")].map((each) =>
        [each.title, each.getBoundingClientRect().width / cell().width]))""")


@scenario(latencies=[0])
def widths_of_random_trees_are_those_of_a_terminal(stage):
    app = stage.serve("layout")
    page = stage.open(app, width=720, height=2000)
    trees = 0
    wrong = []
    for seed in range(1, 60):
        shown = app.read(f"follow({seed})")["views"] if seed > 1 else []
        if shown:
            trees += 1
            wrong += [f"{seed - 1}: {each} has {found[each['id']]:.1f} cells in the page"
                      for each in shown if abs(found[each["id"]] - each["width"]) > TOLERANCE]
        app.read(f"follow({seed})")
        stage.settle(page)
        page.wait_for_timeout(50)
        found = across(page)
    assert trees > 10, f"only {trees} trees had room"
    assert not wrong, "\n".join(wrong)


@scenario(latencies=[0])
def a_dialog_is_as_wide_as_it_says_if_the_page_is(stage):
    app = stage.serve("controls")
    page = stage.open(app, width=1280)
    app.run("views.about.hidden = false")
    wide = lambda: page.evaluate("document.querySelector('dialog').getBoundingClientRect().width / cell().width")
    for width in [100, 30]:
        app.run(f"views.about.width = {width}")
        stage.wait_for(lambda: round(wide()), width)
    app.run("views.about.width = 300")
    stage.wait_for(lambda: round(wide() * page.evaluate("cell().width / innerWidth"), 2), 0.94)


@scenario(latencies=[0])
def captions_of_a_form(stage):
    app = stage.serve("captions")
    page = stage.open(app)
    label = lambda text: page.locator(".tide-name", has_text=text)
    box = lambda locator: locator.bounding_box()
    # Rows and labels have captions as fields do, and what has an empty one stands right.
    for name, inner in [("Name", ".tide-field"), ("Total", ".tide-label"), ("Period", ".tide-row")]:
        entry = page.locator(".tide-entry", has=label(name)).locator(inner).first
        assert abs(box(entry)["x"] - box(page.get_by_label("Name"))["x"]) < 2, name
    send = page.get_by_role("button", name="Send")
    assert abs(box(send)["x"] - box(page.get_by_label("Name"))["x"]) < 2
    first, second = page.get_by_label("From"), page.get_by_label("Until")
    assert box(first)["y"] == box(second)["y"] and box(first)["x"] < box(second)["x"]
    page.get_by_role("group", name="Period").wait_for()
    # A text area is as high as its form gives.
    line = page.evaluate("cell().height")
    assert box(page.get_by_label("Note"))["height"] < 2.2 * line
    app.run("views.total.label = 'Sum'")
    label("Sum").wait_for()
    assert label("Total").count() == 0
    app.run("views.period.hidden = true")
    label("Period").wait_for(state="hidden")
