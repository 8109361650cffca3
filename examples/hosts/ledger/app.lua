-- Pays the rent, and shows what is left.
local ledger = models.ledger

return view.column {
  view.label { id = "balance", text = function() return ("%.2f left"):format(ledger.balance) end },
  view.button { id = "rent", title = "Pay the rent",
    on = { touchUpInside = function() pay("rent", 60) end } },
  view.list { id = "paid", label = "Payments", items = function() return ledger.payments end },
}
