describe("the library", function()
  local catalogue

  before_each(function()
    ui.mount("app.lua")
    catalogue = require "catalogue"
    catalogue.add("Moby-Dick", "Melville", 1851)
  end)

  it("lists books", function()
    assert.equal(1, #catalogue.books)
    assert.equal("Moby-Dick by Melville (1851)", catalogue.titles()[1])
    assert.truthy(ui.snapshot("books"):find("Melville", 1, true))
  end)

  it("lends a book", function()
    catalogue.lend(catalogue.books[1].id, "ada", 14)
    assert.equal("Moby-Dick", catalogue.loans[1].name)
    assert.equal(0, #catalogue.late)
    ui.press("F3")
    assert.is_true(models.state.isLending)
    assert.is_true(views.lendForm ~= nil and views.loans ~= nil and views.shelves ~= nil)
    assert.is_true(views.bookTitle ~= nil and views.year ~= nil and views.root ~= nil)
  end)
end)
