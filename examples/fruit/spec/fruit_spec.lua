describe("fruit", function()
  before_each(function() ui.mount "app.lua" end)

  it("follows what is typed", function()
    ui.type("editor", " pie")
    assert.equal("apple pie", models.fruit.name)
    assert.matches("9 letters", ui.snapshot())
  end)

  it("ripens", function()
    ui.press "Tab Tab Enter"
    assert.equal("yellow", models.fruit.color)
    assert.no_errors()
  end)

  it("looks like itself", function() assert.snapshot(ui) end)
end)
