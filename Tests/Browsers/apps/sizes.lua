-- Views with sizes of their own, in cells.

local Fruit = class "Fruit" { name = "", stock = 0 }
local shop = model "shop" { fruits = list {
  Fruit { name = "Apple", stock = 1 }, Fruit { name = "Fig", stock = 2 },
  Fruit { name = "Pear", stock = 3 },
} }

return view.column { grow = 1,
  view.menu { items = { { title = "File", items = {
    { title = "Open", command = print }, "-", { title = "Close", command = print },
  } } } },
  view.row { spacing = 1, view.label { text = "Name" }, view.field { label = "Name", width = 10 } },
  view.form { view.field { label = "Currency", width = 6 }, view.field { label = "Note" } },
  view.row { view.field { tooltip = "One", height = 1 } },
  view.row { view.field { tooltip = "Two", height = 1 } },
  view.table { height = 4, items = shop.fruits, columns = {
    { title = "Fruit", path = "name" }, { title = "Stock", path = "stock", width = 10 },
  } },
}
