describe("the gallery", function()
  before_each(function() ui.mount("app.lua", "100x30") end)
  after_each(function() assert.no_errors() end)

  it("counts presses", function()
    ui.select("tabs", 2)
    ui.tap "press"
    ui.tap "press"
    assert.equal(2, models.choice.presses)
    assert.matches("2 times", ui.snapshot())
  end)

  it("shows every tab", function()
    for tab, title in ipairs { "Text", "Controls", "Rows", "Pictures", "Layout", "Form" } do
      ui.press("Alt-" .. tab)
      assert.equal(tab, views.tabs.selected, title)
    end
  end)

  it("tells about itself", function()
    ui.press "F1"
    assert.matches("One view of every class.", ui.snapshot())
    ui.press "Escape"
    assert.no_match("One view of every class.", ui.snapshot())
  end)
end)
