-- A table of 1000 rows in which one thing goes on happening, in sight.
local step = arg[1]
local shop = model "shop" { rows = list {} }

local function anyText() return ("%08x"):format(math.random(0, 0xffffffff)) end
local function row() return object { name = anyText(), price = anyText() } end

local rows = {}
for number = 1, 1000 do rows[number] = row() end
shop.rows:set(rows)

show(view.window { view.table { grow = 1, items = shop.rows,
  columns = { { title = "Name", path = "name" }, { title = "Price", path = "price" } } } })

local steps = {
  cell = function() shop.rows[4].price = anyText() end,
  insert = function() shop.rows:insert(6, row()) end,
  move = function() shop.rows:move(4, 9) end,
}

every(0.1, steps[step])
