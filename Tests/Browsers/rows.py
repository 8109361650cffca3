"""Lists, tables, trees and collections: only rows in sight are there, and they are the right ones."""

from stage import scenario


def rows_in_sight(page):
    """The texts of the rows that can be seen, from the top."""
    return page.evaluate("""() => {
      const view = [...document.querySelectorAll(".tide-rows")].find(each => each.checkVisibility());
      if (!view) return [];
      const { top, bottom } = view.getBoundingClientRect();
      return [...view.querySelectorAll(".tide-cell")]
        .map(each => [each.getBoundingClientRect(), each.innerText.split(/\\s*[\\t\\n]\\s*/)[0]])
        .filter(([box]) => box.top >= top - 1 && box.bottom <= bottom + 1)
        .sort((one, other) => one[0].top - other[0].top).map(([, text]) => text);
    }""")


def open_tab(page, name):
    page.get_by_role("tab", name=name).click()


@scenario
def scrolling_to_the_end_of_a_large_table(stage):
    app = stage.serve("rows")
    page = stage.open(app)
    stage.wait_for(lambda: rows_in_sight(page)[:2], ["row 1", "row 2"])
    table = page.get_by_role("grid", name="Rows")
    assert table.get_attribute("aria-rowcount") == "100001"
    page.evaluate("document.querySelector('.tide-rows').scrollTop = 1e9")
    stage.wait_for(lambda: rows_in_sight(page)[-1:], ["row 100000"])
    page.evaluate("document.querySelector('.tide-rows').scrollTop /= 2")
    stage.wait_for(lambda: len(rows_in_sight(page)) > 5)
    # They follow each other without a gap.
    stage.wait_for(lambda: is_contiguous(rows_in_sight(page)))
    page.evaluate("document.querySelector('.tide-rows').scrollTop = 0")
    stage.wait_for(lambda: rows_in_sight(page)[:2], ["row 1", "row 2"])


def is_contiguous(names):
    numbers = [int(name.split()[1]) for name in names]
    return numbers == list(range(numbers[0], numbers[0] + len(numbers))) if numbers else False


@scenario
def scrolling_by_keys(stage):
    app = stage.serve("rows")
    page = stage.open(app)
    stage.wait_for(lambda: rows_in_sight(page)[:1], ["row 1"])
    page.get_by_role("grid", name="Rows").focus()
    for _ in range(40):
        page.keyboard.press("ArrowDown")
    stage.settle(page)
    stage.wait_for(lambda: app.read("models.shop.chosen.name"), "row 40")
    stage.wait_for(lambda: "row 40" in rows_in_sight(page))
    page.keyboard.press("End")
    stage.wait_for(lambda: rows_in_sight(page)[-1:], ["row 100000"])
    stage.expect_text(page, ".tide-label", "row 100000 of 100000, selected 100000")
    page.keyboard.press("Home")
    stage.wait_for(lambda: rows_in_sight(page)[:1], ["row 1"])
    stage.expect_text(page, ".tide-label", "row 1 of 100000, selected 1")


@scenario
def selecting_a_row(stage):
    app = stage.serve("rows")
    page = stage.open(app)
    page.get_by_text("row 3", exact=True).click()
    stage.expect_text(page, ".tide-label", "row 3 of 100000, selected 3")
    assert page.get_by_role("row", selected=True).locator("[role=gridcell]").first.inner_text() == "row 3"
    page.keyboard.press("ArrowDown")
    stage.expect_text(page, ".tide-label", "row 4 of 100000, selected 4")
    app.run("models.shop.chosen = models.shop.rows[6]")
    stage.wait_for(
        lambda: page.get_by_role("row", selected=True).locator("[role=gridcell]").first.inner_text(), "row 6")


@scenario
def sorting_a_table(stage):
    app = stage.serve("rows")
    page = stage.open(app)
    stage.wait_for(lambda: rows_in_sight(page)[:1], ["row 1"])
    page.get_by_role("button", name="Number").click()
    heading = page.get_by_role("columnheader", name="Number")
    stage.wait_for(lambda: heading.get_attribute("aria-sort"), "ascending")
    smallest = app.read("""(function()
      local rows = {}
      for _, row in ipairs(models.shop.rows) do rows[#rows + 1] = row end
      table.sort(rows, function(one, other) return one.number < other.number end)
      return { rows[1].name, rows[2].name, rows[#rows].name }
    end)()""")
    stage.wait_for(lambda: rows_in_sight(page)[:2], smallest[:2])
    page.get_by_role("button", name="Number").click()
    stage.wait_for(lambda: rows_in_sight(page)[:1], smallest[2:])
    page.get_by_role("button", name="Number").click()
    stage.wait_for(lambda: rows_in_sight(page)[:1], ["row 1"])


@scenario
def rows_inserted_above(stage):
    app = stage.serve("rows")
    page = stage.open(app)
    page.evaluate("document.querySelector('.tide-rows').scrollTop = 5000")
    stage.wait_for(lambda: is_contiguous(rows_in_sight(page)) and rows_in_sight(page)[0] != "row 1")
    stage.settle(page)
    seen = rows_in_sight(page)
    page.get_by_text(seen[2], exact=True).click()
    stage.settle(page)
    for count in range(3):
        page.get_by_role("button", name="Above").click()
    stage.expect_text(page, ".tide-label", f"{seen[2]} of 100003, selected {seen[2].split()[1]}")
    stage.settle(page)
    # The selection is that of the same object, and rows in sight are the right ones.
    stage.wait_for(lambda: all(name in rows_in_sight(page) for name in seen[3:6]))
    page.evaluate("document.querySelector('.tide-rows').scrollTop = 0")
    stage.wait_for(lambda: rows_in_sight(page)[:4], ["new 100002", "new 100001", "new 100000", "row 1"])
    page.get_by_role("button", name="Remove").click()
    stage.wait_for(lambda: rows_in_sight(page)[:3], ["new 100001", "new 100000", "row 1"])


@scenario
def cells_with_fields(stage):
    app = stage.serve("rows")
    page = stage.open(app)
    open_tab(page, "List")
    field = page.get_by_label("Fruit", exact=True).nth(1)
    field.press("End")
    page.keyboard.type(" of Ada, and others")
    stage.settle(page)
    assert app.read("models.shop.few[2].name") == "fruit 2 of Ada, and others"
    assert field.input_value() == "fruit 2 of Ada, and others"
    page.get_by_role("checkbox", name="ripe").nth(2).click()
    stage.wait_for(lambda: app.read("models.shop.few[3].ripe"))
    # A row comes above while somebody types.
    field = page.locator("input[type=text], input:not([type])").nth(3)
    field.press("End")
    page.keyboard.type("!")
    stage.settle(page)
    app.run("models.shop.few:move(12, 1)")
    page.keyboard.type("?!")
    stage.settle(page)
    assert app.read("models.shop.few[5].name") == "fruit 4!?!", app.read("models.shop.few[5].name")


def notes_in_sight(page):
    """The numbers of the notes that can be seen, from the top, and whether they stand without a gap."""
    return page.evaluate("""() => {
      const view = [...document.querySelectorAll(".tide-rows")].find(each => each.checkVisibility());
      const { top, bottom } = view.getBoundingClientRect();
      const boxes = [...view.querySelectorAll(".tide-cell")]
        .map(each => [each.getBoundingClientRect(), +each.innerText.match(/note (\\d+)/)[1]])
        .filter(([box]) => box.bottom > top + 1 && box.top < bottom - 1);
      const isWhole = boxes.every(([box], i) => !i || Math.abs(boxes[i - 1][0].bottom - box.top) < 1);
      return [boxes.map(([, number]) => number), isWhole && boxes.length > 1];
    }""")


@scenario
def rows_as_high_as_their_content(stage):
    app = stage.serve("rows")
    page = stage.open(app)
    open_tab(page, "Notes")
    stage.wait_for(lambda: notes_in_sight(page)[0][:2], [1, 2])
    notes = page.get_by_role("listbox", name="Notes")
    heights = notes.locator(".tide-cell").evaluate_all("cells => cells.map(each => each.offsetHeight)")
    assert len(set(heights)) > 1, heights
    notes.focus()
    for _ in range(20):
        page.keyboard.press("ArrowDown")
    stage.settle(page)
    stage.wait_for(lambda: 20 in notes_in_sight(page)[0])
    page.keyboard.press("End")
    stage.wait_for(lambda: notes_in_sight(page)[0][-1:], [3000])
    stage.settle(page)
    page.set_viewport_size({"width": 500, "height": 700})
    stage.settle(page)
    stage.wait_for(lambda: 3000 in notes_in_sight(page)[0])
    scroll = "[...document.querySelectorAll('.tide-rows')].find(each => each.checkVisibility()).scrollTop"
    page.evaluate(scroll + " /= 2")
    stage.wait_for(lambda: 3000 not in notes_in_sight(page)[0] and notes_in_sight(page)[1])
    # What is in sight moves as far as it is scrolled.
    for _ in range(5):
        stage.settle(page)
        before = notes_in_sight(page)[0]
        page.evaluate(scroll + " -= 100")
        stage.wait_for(lambda: notes_in_sight(page)[1])
        stage.settle(page)
        after = notes_in_sight(page)[0]
        assert 0 <= before[0] - after[0] < 6, (before, after)
    page.evaluate(scroll + " = 0")
    stage.wait_for(lambda: notes_in_sight(page)[0][:2], [1, 2])


@scenario
def a_tree(stage):
    app = stage.serve("rows")
    page = stage.open(app)
    open_tab(page, "Tree")
    tree = page.get_by_role("tree", name="Files")
    stage.wait_for(lambda: tree.get_by_role("treeitem").count(), 2)
    tree.get_by_text("src").click()
    page.keyboard.press("ArrowRight")
    tree.get_by_text("lib").wait_for()
    page.keyboard.press("ArrowRight")
    stage.wait_for(lambda: tree.get_by_role("treeitem", selected=True).inner_text(), "lib")
    page.keyboard.press("ArrowRight")
    tree.get_by_text("main").wait_for()
    assert tree.get_by_role("treeitem", name="main").get_attribute("aria-level") == "3"
    stage.wait_for(lambda: rows_in_sight(page), ["src", "lib", "main", "readme"])
    tree.locator(".tide-twist").first.click()
    stage.wait_for(lambda: rows_in_sight(page), ["src", "readme"])


@scenario
def a_collection_in_which_many_are_selected(stage):
    app = stage.serve("rows")
    page = stage.open(app)
    open_tab(page, "Collection")
    page.get_by_text("fruit 2", exact=True).click()
    page.get_by_text("fruit 4", exact=True).click(modifiers=["Shift"])
    page.get_by_text("fruit 7", exact=True).click(modifiers=["Control"])
    page.get_by_text("fruit 3", exact=True).click(modifiers=["Control"])
    stage.settle(page)
    stage.wait_for(lambda: page.get_by_role("option", selected=True).all_inner_texts(),
                   ["fruit 2", "fruit 4", "fruit 7"])
    assert app.read("views.collection.selectedIndexes") == [2, 4, 7]
    page.keyboard.press("Control+a")
    stage.wait_for(lambda: page.get_by_role("option", selected=True).count(), 12)


@scenario
def finding_rows_by_letters(stage):
    app = stage.serve("more")
    page = stage.open(app)
    names = page.get_by_role("listbox", name="Names")
    stage.wait_for(lambda: rows_in_sight(page)[:1], ["apple"])
    names.focus()
    page.keyboard.type("ci")
    stage.wait_for(lambda: app.read("models.state.row"), "citron")
    stage.wait_for(lambda: names.get_by_role("option", selected=True).all_inner_texts(), ["citron"])
    page.keyboard.press("ArrowDown")
    stage.wait_for(lambda: app.read("models.state.row"), "date")
    # One that is far away comes into sight.
    page.keyboard.press("z")
    stage.wait_for(lambda: names.get_by_role("option", selected=True).all_inner_texts(), ["zucchini"])
    stage.wait_for(lambda: rows_in_sight(page)[-1:], ["zucchini"])
    page.keyboard.press("ArrowUp")
    stage.wait_for(lambda: app.read("models.state.row"), "number 200")


@scenario
def opening_all_of_a_tree(stage):
    app = stage.serve("more")
    page = stage.open(app)
    tree = page.get_by_role("tree", name="Files")
    tree.get_by_text("src").click()
    page.keyboard.press("*")
    stage.wait_for(lambda: tree.get_by_role("treeitem").all_inner_texts(), ["src", "lib", "main", "parts", "readme"])
    # Keys that follow each other fast do what they do one by one.
    for key in ["ArrowRight", "ArrowRight", "ArrowLeft", "ArrowLeft"]:
        page.keyboard.press(key)
    stage.wait_for(lambda: tree.get_by_role("treeitem").all_inner_texts(), ["src", "lib", "readme"])
    page.keyboard.press("Enter")
    stage.wait_for(lambda: tree.get_by_role("treeitem").count(), 5)


@scenario(latencies=[0])
def heights_of_rows_and_scroll_views(stage):
    app = stage.serve("more")
    page = stage.open(app, height=900)
    page.get_by_role("tab", name="Heights").click()
    line = page.evaluate("cell().height")
    heights = lambda: [round(page.get_by_label(name).bounding_box()["height"] / line) for name in ["Low", "Text"]]
    page.get_by_label("Low").wait_for()
    stage.wait_for(heights, [4, 3])
    page.get_by_role("tab", name="Rows").click()
    names = page.get_by_label("Names")
    stage.wait_for(lambda: round(names.bounding_box()["height"] / line), 10)


@scenario(latencies=[0, 200])
def a_million_rows_by_the_wheel(stage):
    app = stage.serve("million", "--turn", "200")
    # A debug build takes its time to make them.
    page = stage.open(app, patience=120)
    stage.wait_for(lambda: rows_in_sight(page)[:2], ["row 1", "row 2"])
    page.mouse.move(300, 300)
    top = "document.querySelector('.tide-rows').scrollTop"
    for start in [0, 8e6, 15.9e6]:
        page.evaluate(f"{top} = {start}")
        stage.wait_for(lambda: bool(rows_in_sight(page)) and is_contiguous(rows_in_sight(page)))
        before = rows_in_sight(page)[0]
        for _ in range(40):
            page.mouse.wheel(0, 700)
        stage.wait_for(lambda: (rows_in_sight(page) or [before])[0] != before
                       and is_contiguous(rows_in_sight(page)))
        stage.settle(page)
        # However far one has scrolled, only rows near those in sight are there.
        count = page.locator(".tide-cell").count()
        assert count < 500, count
    for _ in range(400):
        page.mouse.wheel(0, 10000)
    stage.wait_for(lambda: rows_in_sight(page)[-1:], ["row 1000000"])
    page.evaluate(f"{top} = 10000")
    for _ in range(20):
        page.mouse.wheel(0, -700)
    stage.wait_for(lambda: rows_in_sight(page)[:2], ["row 1", "row 2"])


@scenario(latencies=[0])
def chosen_rows_are_copied(stage):
    app = stage.serve("rows")
    page = stage.open(app, permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("tab", name="Collection").click()
    page.get_by_text("fruit 2", exact=True).click()
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Control+c")
    stage.wait_for(lambda: page.evaluate("navigator.clipboard.readText()"), "fruit 2\nfruit 3")
    html = page.evaluate("""navigator.clipboard.read().then(([item]) => item.getType("text/html"))
      .then((blob) => blob.text())""")
    assert "<td>fruit 3</td>" in html, html


@scenario(latencies=[0])
def rows_that_the_mouse_has_chosen_or_opened_are_copied(stage):
    app = stage.serve("rows")
    page = stage.open(app, permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("tab", name="Collection").click()
    fruit = lambda number: page.get_by_text(f"fruit {number}", exact=True)
    fruit(2).click()
    fruit(4).click(modifiers=["Shift"])
    stage.settle(page)
    page.keyboard.press("Control+c")
    stage.wait_for(lambda: page.evaluate("navigator.clipboard.readText()"), "fruit 2\nfruit 3\nfruit 4")
    fruit(1).dblclick()
    stage.settle(page)
    page.keyboard.press("Control+c")
    stage.wait_for(lambda: page.evaluate("navigator.clipboard.readText()"), "fruit 1")


@scenario(latencies=[0])
def whole_tables_are_printed(stage):
    app = stage.serve("rows")
    page = stage.open(app)
    page.evaluate("void (window.print = () => (window.prints = (window.prints ?? 0) + 1))")
    page.get_by_role("grid", name="Rows").focus()
    page.keyboard.press("Control+p")
    stage.wait_for(lambda: page.evaluate("window.prints"), 1)
    assert page.locator(".tide-print tbody tr").count() == 5000
    assert not page.locator(".tide-print").first.is_visible()
    page.emulate_media(media="print")
    paper = page.locator(".tide-print thead")
    assert paper.evaluate("each => getComputedStyle(each).display") == "table-header-group"
    assert paper.locator("th").all_inner_texts() == ["Name", "Number"]
    assert not page.get_by_role("button", name="Above").is_visible()


@scenario(latencies=[0, 200])
def the_browsers_own_command_prints_whole_tables_after_its_own_page(stage):
    app = stage.serve("rows")
    page = stage.open(app)
    page.evaluate("void (window.print = () => (window.prints = (window.prints ?? 0) + 1))")
    page.get_by_role("grid", name="Rows").focus()
    paper = page.locator(".tide-print")
    # Before it prints, the browser cannot wait for the rows that are missing.
    page.evaluate("void dispatchEvent(new Event('beforeprint'))")
    assert paper.all_inner_texts() == ["The whole table is printed when this dialog is closed."]
    page.evaluate("void dispatchEvent(new Event('afterprint'))")
    stage.wait_for(lambda: page.evaluate("window.prints"), 1)
    page.evaluate("void dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".tide-print tbody tr").count() == 5000
    page.evaluate("void dispatchEvent(new Event('afterprint'))")
    assert paper.count() == 0
    # A table of which the page has all rows is printed at once.
    open_tab(page, "Collection")
    stage.settle(page)
    page.evaluate("void dispatchEvent(new Event('beforeprint'))")
    assert paper.count() == 0
    page.evaluate("void dispatchEvent(new Event('afterprint'))")
    stage.settle(page)
    assert page.evaluate("window.prints") == 1


@scenario(latencies=[0])
def a_table_on_a_phone_keeps_its_columns_readable(stage):
    page = stage.open(stage.serve("narrow"), width=390, height=800, has_touch=True, is_mobile=True)
    widths = page.evaluate("""() => {
      const { width } = cell();
      return [...document.querySelectorAll(".tide-cell:first-of-type .tide-slot")].slice(0, 6)
        .map(each => (each.clientWidth - parseFloat(getComputedStyle(each).paddingLeft) * 2) / width);
    }""")
    assert [round(each) for each in widths] == [12, 12, 9, 12, 12, 12], widths
    # The page stays, and the table scrolls sideways until the end of its last column.
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    last = page.get_by_role("button", name="Close it").first
    last.scroll_into_view_if_needed()
    box = last.bounding_box()
    assert 0 <= box["x"] and box["x"] + box["width"] <= 390, box
    assert page.evaluate("document.querySelector('.tide-rows').scrollLeft > 0")


@scenario(latencies=[0, 200])
def a_text_is_found_in_all_rows(stage):
    app = stage.serve("rows")
    page = stage.open(app)
    page.get_by_role("grid", name="Rows").focus()
    page.keyboard.press("Control+f")
    page.get_by_role("textbox", name="Find").wait_for()
    page.get_by_role("textbox", name="Find").press_sequentially("row 4321")
    stage.wait_for(lambda: app.read("models.shop.chosen and models.shop.chosen.name"), "row 4321")
    page.get_by_role("grid", name="Rows").get_by_text("row 4321", exact=True).wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("textbox", name="Find").wait_for(state="detached")


@scenario
def a_row_that_leaves_as_its_checkbox_is_left(stage):
    """The next field takes keys at once."""
    app = stage.serve("leaving")
    page = stage.open(app)
    page.get_by_role("checkbox").first.click()
    stage.settle(page)
    page.get_by_label("Name").click()
    stage.wait_for(lambda: page.get_by_label("Name").input_value(), "bee")
    page.keyboard.type("QR")
    stage.wait_for(lambda: page.get_by_label("Name").input_value(), "beeQR", limit=1 + 3 * app.latency)
