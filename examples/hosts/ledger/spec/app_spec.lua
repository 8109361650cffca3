describe("the ledger", function()
  before_each(function() ui.mount "app.lua" end)

  it("pays once", function()
    ui.tap "rent"
    assert.equal("40.00 left", views.balance.text)
    assert.equal("rent", models.ledger.payments[1])
  end)

  it("refuses what it does not have", function()
    local before = models.ledger.balance
    assert.has_error(function() pay("castle", 1e6) end)
    assert.equal(before, models.ledger.balance)
  end)
end)
