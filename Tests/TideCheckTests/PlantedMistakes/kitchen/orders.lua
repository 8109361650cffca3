-- Orders, which all screens of the restaurant share.

local Dish = class "Dish" {
  name = "", price = 0.0, minutes = 5,
  station = property { enum = { "grill", "cold", "oven" }, default = "grill" },
  label = computed(function(self) return self.name .. " " .. self.price end),
}

local Order = class "Order" {
  table = 0, dish = "", count = 1,
  state = property { default = "waiting", type = "string" },
  note = "", placed = 0.0,
  advance = function(self)
    self.state = self.state == "waiting" and "cooking" or "served"
  end,
  describe = function(self, prefix)
    return ("%s%d x %s"):format(prefix, self.count, self.dish)
  end,
}

local Rush = class("Rush", Order) {
  reason = "", deadline = 0.0,
  advance = function(self)
    Order.advance(self)
    self.reason = ""
  end,
}

local menu = model "menu" { season = "autumn", dishes = list {
  Dish { name = "Soup", price = 4.5, minutes = 3, station = "oven" },
  Dish { name = "Steak", price = 18.0, minutes = 12 },
  Dish { name = "Salad", price = 7.0, station = "cold" },
} }

local kitchen = shared("kitchen", {
  isOpen = true, chef = "Remy",
  orders = list { Order { table = 4, dish = "Soup" }, Order { table = 2, dish = "Steak", count = 2 } },
})

local orders = {
  Order = Order, Rush = Rush, Dish = Dish, menu = menu, kitchen = kitchen,
  all = kitchen.orders, sync = kitchen.sync,
  limits = { waiting = 20, perTable = 6 },
}

orders.waiting = kitchen.orders:filter(function(order) return order.state == "waiting" end)
orders.byTable = kitchen.orders:group("table")
orders.ranking = menu.dishes:sorted(function(a, b) return a.price > b.price end)

function orders:place(tableNumber, dish, count)
  if #self.waiting >= self.limits.waiting then return nil, "The kitchen is full." end
  local order = Order { table = tableNumber, dish = dish.name, count = count or 1, placed = now() }
  kitchen.orders:append(order)
  notification.post("placed", order)
  return order
end

function orders:rush(tableNumber, dish, reason)
  local order = Rush { table = tableNumber, dish = dish.name, reason = reason }
  kitchen.orders:insert(1, order)
  return order
end

function orders.serve(order)
  while order.state ~= "served" do order:advance() end
end

function orders.clear()
  kitchen.orders:clear()
end

return orders
