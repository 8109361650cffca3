-- What a phone has no room for: a table of many columns. And texts that nobody can change.
local orders = list {}
for number = 1, 40 do
  orders:append(object { name = "customer number " .. number, city = "Königswinter", amount = number * 1234.5,
    date = "2026-11-" .. number % 30 + 1, state = "waiting for payment" })
end

show(view.window { title = "Narrow", view.column {
  view.table { label = "Orders", items = orders, height = 12, columns = {
    { title = "Name", path = "name", grow = 1 }, { title = "City", path = "city" },
    { title = "Amount", path = "amount | format('%.2f')", width = 9 }, { title = "Date", path = "date" },
    { title = "State", path = "state" },
    { title = "Do", cell = function()
      return view.row { view.button { title = "Open it" }, view.button { title = "Close it" } }
    end },
  } },
  view.field { label = "Fixed", text = "as it is", editable = false },
  view.numberField { label = "Count", value = 4, editable = false },
  view.datePicker { label = "Day", editable = false },
  view.textArea { label = "Terms", text = "as they are", height = 3, editable = false },
  view.field { label = "Free", text = "to be changed" },
} })
